import Foundation
import Testing

@testable import FlagFiles

@Suite("Reading a file", .timeLimit(.minutes(15)))
struct SharedFileReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A file's bytes come whole, whatever their number", arguments: [0, 1, 4095, 4096, 4097, 1_000_000])
  func reads(count: Int) throws {
    let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    try bytes.write(to: folder.url("flags.json"))
    #expect(try SharedFile(folder.url("flags.json")).read() == bytes)
    #expect(try SharedFile(folder.url("flags.json"), limit: count).read() == bytes)
    if count > 0 {
      #expect(throws: failure("flags.json", .tooLarge(limit: count - 1))) {
        try SharedFile(folder.url("flags.json"), limit: count - 1).read()
      }
    }
  }

  @Test(
    "What is no file that can be read says so",
    arguments: [
      (":", .missing, "it does not exist"), ("ln -s nothing flags.json", .missing, "it does not exist"),
      ("mkdir flags.json", .directory, "it is a directory"),
      ("mkfifo flags.json", .special, "it is a pipe, a socket or a device"),
      ("ln -s flags.json flags.json", .system(ELOOP), "Too many levels of symbolic links"),
    ] as [(String, FileError.Reason, String)])
  func refuses(script: String, reason: FileError.Reason, words: String) async throws {
    try await folder.run(script)
    let error = #expect(throws: failure("flags.json", reason)) { try SharedFile(folder.url("flags.json")).read() }
    let path = folder.url("flags.json").path
    #expect(error.map { "\($0)" } == "\(path): expected a file that can be read: \(words)")
  }

  @Test("A name with a zero in it is not the file whose name ends there")
  func refusesZeros() throws {
    let url = try folder.write("1", to: "flags.json").deletingLastPathComponent().appending(path: "flags.json\0x")
    #expect(throws: FileError.self) { try SharedFile(url).read() }
  }

  @Test("A relative path is taken from the current directory")
  func readsRelativePaths() {
    #expect(SharedFile(URL(filePath: "flags.json")).path == "\(FileManager.default.currentDirectoryPath)/flags.json")
  }

  #if os(Linux)
    @Test("Reading an empty file 20,000 times takes no memory")
    func leaksNothing() throws {
      let file = SharedFile(try folder.write("", to: "flags.json"))
      func pages() throws -> Int {
        let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(sizes.dropFirst().first.flatMap { Int($0) })
      }
      for _ in 0..<1000 { #expect(try file.read().isEmpty) }
      // A page lost each time would be 20,000 in each try; other tests, which run meanwhile, take some in few of them.
      let isFlat = try (0..<5).contains { _ in
        let before = try pages()
        for _ in 0..<20_000 { _ = try file.read() }
        return try pages() - before < 10_000
      }
      #expect(isFlat)
    }
  #endif

  private func failure(_ name: String, _ reason: FileError.Reason) -> FileError {
    FileError(.read, folder.url(name).path, reason)
  }
}
