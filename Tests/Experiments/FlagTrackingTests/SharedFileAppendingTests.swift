import FlagFiles
import Foundation
import Testing

@testable import FlagTracking

@Suite("Adding lines to a shared file")
struct SharedFileAppendingTests {
  private let folder: TemporaryFolder
  private var url: URL { folder.url.appending(path: "lines") }

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Lines are added after those that are there, once each; what has no end is removed",
    arguments: [
      (nil, "a\nb\n"), ("", "a\nb\n"), ("x\n", "x\na\nb\n"), ("x\na\n", "x\na\nb\n"), ("x\na", "x\na\nb\n"),
      ("x\nb", "x\na\nb\n"), ("half of a line", "a\nb\n"), ("b\n", "b\na\n"),
    ] as [(String?, String)])
  func adds(old: String?, new: String) throws {
    if let old { try Data(old.utf8).write(to: url) }
    try SharedFile(url).append(lines: [Array("a".utf8), Array("b".utf8)])
    #expect(try String(contentsOf: url, encoding: .utf8) == new)
  }

  @Test("A long file without lines is no file of lines, and is left alone")
  func leavesOthers() throws {
    let data = Data(repeating: 1, count: 100_000)
    try data.write(to: url)
    #expect(throws: FileError.self) { try SharedFile(url).append(lines: [Array("a".utf8)]) }
    #expect(try Data(contentsOf: url) == data)
  }
}
