import Foundation
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Updating a file where the system refuses", .timeLimit(.minutes(15)))
struct SharedFileFailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A file whose mode lets nobody write it is not replaced, although its folder could be written")
  func keepsReadOnlyFiles() throws {
    let file = SharedFile(folder.url("flags.json"))
    try file.replace(with: "1")
    try FileError.check { chmod(file.path, 0o444) }
    let error = #expect(throws: FileError.self) { try file.replace(with: "2") }
    #expect(error == FileError(.write, file.path, .readOnly))
    #expect(error?.message == "expected a file that can be written: it is read-only")
    #expect(try folder.text("flags.json") == "1")
  }

  @Test("A folder that cannot be written is called that", arguments: [EACCES, EPERM, EROFS])
  func namesFolder(code: Int32) {
    let message = FileError(.lock, "/a/.flags.json.lock", .system(code)).message
    #expect(message.hasPrefix("expected a file that can be locked: its directory cannot be written ("))
  }

  #if os(Linux)
    @Test(
      "On a file system that is full a write is an error, the file stays whole, and nothing is left beside it",
      .needs(.mounting))
    func survivesFullFileSystems() async throws {
      let small = folder.url("small").path
      try await folder.run("mkdir small")
      try FileError.check { mount("none", small, "tmpfs", 0, "size=64k") }
      let file = SharedFile(folder.url("small/flags.json"))
      do {
        try file.replace(with: "1")
        #expect(throws: FileError(.write, file.path, .system(ENOSPC))) {
          try file.replace(with: String(repeating: "2", count: 100_000))
        }
        #expect(try folder.text("small/flags.json") == "1")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.url("small").path).sorted() == ["flags.json"])
        // A child of another test that is just starting holds the failed file open for a moment, and its space.
        try await waitUntil {
          do throws(FileError) {
            try file.replace(with: "3")
            return true
          } catch {
            guard error == FileError(.write, file.path, .system(ENOSPC)) else { throw error }
            return false
          }
        }
        #expect(try file.read() == Data("3".utf8))
      } catch {
        Issue.record(error)
      }
      // Detached at once: a child of another test that is just starting holds its files open for a moment.
      try FileError.check { umount2(small, Int32(MNT_DETACH)) }
    }
  #endif

  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("Where a file may not become longer, a write is an error, and the file stays whole")
    func survivesLimitedFiles() async throws {
      let path = try folder.write("1", to: "flags.json").path
      await #expect(processExitsWith: .success) { [path = path as String] in
        signal(SIGXFSZ, SIG_IGN)
        try limit(.fileSize, to: 1000)
        let file = SharedFile(URL(filePath: path))
        #expect(throws: FileError(.write, path, .system(EFBIG))) {
          try file.replace(with: String(repeating: "2", count: 5000))
        }
        #expect(try file.read() == Data("1".utf8))
        try file.replace(with: "3")
      }
      #expect(try folder.text("flags.json") == "3")
      #expect(try folder.names == ["flags.json"])
    }

    @Test("Without descriptors a file can be neither read nor written, stays as it is, and works again afterwards")
    func survivesWithoutDescriptors() async throws {
      let path = try folder.write("1", to: "flags.json").path
      await #expect(processExitsWith: .success) { [path = path as String] in
        let file = SharedFile(URL(filePath: path))
        // None may be taken then, not even one that another thread lets go of.
        let usual = try limit(.files, to: 0)
        #expect(throws: FileError(.read, path, .system(EMFILE))) { try file.read() }
        #expect(throws: FileError.self) { try file.replace(with: "2") }
        try limit(.files, to: usual)
        try file.replace(with: "3")
      }
      #expect(try folder.text("flags.json") == "3")
      #expect(try folder.names == ["flags.json"])
    }
  #endif

  @Test("What would be too long to be read back is not written")
  func refusesLength() throws {
    let file = SharedFile(try folder.write("1", to: "flags.json"), limit: 10)
    let error = #expect(throws: FileError(.write, file.path, .tooLarge(limit: 10))) {
      try file.replace(with: "12345678901")
    }
    #expect(error.map { "\($0)" }?.hasSuffix("it would have more than 10 bytes") == true)
    #expect(try folder.text("flags.json") == "1")
    try file.replace(with: "1234567890")
    #expect(try file.read().count == 10)
  }

  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test(
      "Writers that are killed at any moment leave the file whole, with all that was written, and nothing beside it")
    func survivesKills() async throws {
      let kills = Effort.rounds(5, thorough: 10, long: 200)
      let file = SharedFile(folder.url("count"))
      try file.replace(with: "0")
      var written = 0
      for kill in 1...kills {
        try folder.write("", to: "done")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String, kill = kill as Int] in
          limitThisProcess()
          try countUntilKilled(in: URL(filePath: path), kill)
        }
        written += try folder.text("done").utf8.count
        let text = String(decoding: try file.read(), as: UTF8.self)
        let count = try #require(Int(text.split(separator: " ").first ?? ""), "\(text.prefix(50))")
        // The last write may be done and not yet noted.
        #expect(count == written || count == written + 1)
        written = count
        #expect(text.utf8.count > 50_000 || count == 0)
      }
      try file.replace(with: "end")
      #expect(try folder.names == ["count", "done"])
    }
  #endif
}

/// Counts up in the file `count`, notes each write in the file `done`, and has itself killed in the middle.
private func countUntilKilled(in folder: URL, _ seed: Int) throws {
  let file = SharedFile(folder.appending(path: "count"))
  let done = try FileDescriptor(folder.appending(path: "done").path, O_WRONLY | O_APPEND)
  // Another moment each time, from a multiplicative generator.
  let moment = (0..<seed).reduce(seed) { value, _ in value &* 48_271 % 2_147_483_647 } % 200_000
  for write in 1... {
    if write == 3 {
      Thread.detachNewThread {
        var rest = moment
        while rest > 0 { rest = rest &- Int(getppid() > 0 ? 1 : 2) }
        kill(getpid(), SIGKILL)
      }
    }
    try file.update({ $0 }) { old throws(FileError) in
      let text = String(decoding: old ?? Data(), as: UTF8.self)
      let count = text.split(separator: " ").first.flatMap { Int($0) } ?? 0
      return Data("\(count + 1) \(String(repeating: "x", count: 60_000))".utf8)
    }
    do { try done.append(Data(".".utf8)) } catch { throw FileError(.write, "done", error) }
  }
}

private enum Limit {
  case fileSize, files
}

/// Limits what this process may use from now on, and returns what it was allowed before.
@discardableResult
private func limit(_ limit: Limit, to number: rlim_t) throws -> rlim_t {
  #if os(Linux)
    let resource = limit == .fileSize ? __rlimit_resource_t(1) : __rlimit_resource_t(7)
  #else
    let resource = limit == .fileSize ? RLIMIT_FSIZE : RLIMIT_NOFILE
  #endif
  var limits = rlimit()
  try FileError.check { getrlimit(resource, &limits) }
  let before = limits.rlim_cur
  limits.rlim_cur = number
  try FileError.check { setrlimit(resource, &limits) }
  return before
}
