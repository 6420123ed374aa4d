import FlagFiles
import Foundation
import Testing

@testable import FlagAnalysis

@Suite("Temporary files")
struct TemporaryFileTests {
  @Test("What was appended is read in order, in pieces of any size, and the file has no name")
  func reads() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "temporary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let file = try TemporaryFile(in: folder.path)
    #expect(try file.next(10) == [])
    try file.append([1, 2, 3])
    #expect(try file.next(2) == [1, 2])
    try file.append([])
    try file.append([4, 5])
    #expect(try file.count == 5 && file.next(100) == [3, 4, 5] && file.next(100) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(
    "A directory that does not exist, or is a file, is an error that names it",
    arguments: ["/nowhere/here", "/dev/null"])
  func refuses(directory: String) {
    #expect { try TemporaryFile(in: directory) } throws: { error in
      (error as? FileError)?.path == directory && (error as? FileError)?.operation == .write
    }
  }
}
