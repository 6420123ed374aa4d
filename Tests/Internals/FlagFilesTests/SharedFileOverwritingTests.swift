import FlagDomain
import Foundation
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Writing a file that is mounted by itself", .timeLimit(.minutes(5)))
struct SharedFileOverwritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file that cannot be replaced; the closure runs when its new content is to be flushed to the disk.
  private func mounted(_ text: String, onFlush: @escaping @Sendable () -> Int32 = { 0 }) throws -> SharedFile {
    let url = try folder.write(text, to: "flags.json")
    var file = SharedFile(url)
    let path = file.path
    let isInPlace = Locked(false)
    let move = file.calls.move
    file.calls.move = { temporary, new in
      let isFile = new == path
      isInPlace.withLock { $0 = isFile || new.hasSuffix(".pending") }
      if isFile { errno = EBUSY }
      return isFile ? -1 : move(temporary, new)
    }
    file.calls.flushes = [
      { descriptor in
        var (flushed, target) = (stat(), stat())
        fstat(descriptor, &flushed)
        lstat(path, &target)
        return flushed.st_ino == target.st_ino && isInPlace.withLock { $0 } ? onFlush() : 0
      }
    ]
    return file
  }

  #if os(Linux)
    @Test("A file that is mounted by itself is written, and stays the file that is mounted", .needs(.mounting))
    func writesMountedFiles() async throws {
      try await folder.run("mkdir host app; printf 'old and long' > host/o; : > app/o; mount --bind host/o app/o")
      let file = SharedFile(folder.url("app/o"))
      let result = Result {
        try file.replace(with: "new\n")
        try file.replace(with: "new\nline\n")
      }
      try await folder.run("umount -l app/o")
      try result.get()
      #expect(try folder.text("host/o") == "new\nline\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("app").path).sorted() == ["o"])
    }
  #endif

  @Test("A write that is cut off at any byte counts, for readers at once, and for the file with the next write")
  func survivesKills() throws {
    for (old, new) in [("short", "a longer text"), ("a longer text", "short"), ("", "new"), ("old", "")] {
      let pending = Locked("")
      let path = folder.path
      let file = try mounted(old) {
        pending.withLock { $0 = (try? String(contentsOfFile: "\(path)/.flags.json.pending", encoding: .utf8)) ?? "" }
        return 0
      }
      try file.replace(with: new)
      #expect(try folder.text("flags.json") == new && folder.names == ["flags.json"])
      for count in 0...new.utf8.count {
        let rest = String(old.dropFirst(count))
        for torn in Set([new.prefix(count) + rest, new.prefix(count) + String(rest.map { _ in "\0" })]) {
          try folder.write(String(torn), to: "flags.json")
          try folder.write(pending.withLock { $0 }, to: ".flags.json.pending")
          #expect(try file.read() == Data(new.utf8), "\(torn)")
          try file.update({ $0 }) { data throws(FileError) in
            #expect(data == Data(new.utf8), "\(torn)")
            return nil
          }
          #expect(try folder.text("flags.json") == new && folder.names == ["flags.json"])
        }
      }
    }
  }

  @Test("What someone else has written after a write was cut off counts")
  func keepsLaterEdits() throws {
    let file = try mounted("1")
    try folder.write(
      String(decoding: PendingWrite(old: Data("1".utf8), new: Data("2".utf8)).data, as: UTF8.self),
      to: ".flags.json.pending")
    try folder.write("3", to: "flags.json")
    #expect(try file.read() == Data("3".utf8))
    try file.update({ $0 }) { old throws(FileError) in (old ?? Data()) + Data("4".utf8) }
    #expect(try folder.text("flags.json") == "34" && folder.names == ["flags.json"])
  }

  @Test("A write counts if it is kept in a file of the file's owner, of root, or of this process's user")
  func refusesStrangers() {
    let (content, stranger) = (Data("1".utf8), geteuid() + 1)
    var write = PendingWrite(old: content, new: Data("2".utf8))
    #expect(write.explains(content, ofOwner: 0))
    write.owner = stranger
    #expect(!write.explains(content, ofOwner: geteuid()) && write.explains(content, ofOwner: stranger))
  }

  @Test("A write in place that fails is an error, and the old content is back")
  func undoesFailures() throws {
    let count = Locked(0)
    let file = try mounted("old") {
      let isFirst = count.withLock { count in
        defer { count += 1 }
        return count == 0
      }
      if isFirst { errno = ENOSPC }
      return isFirst ? -1 : 0
    }
    #expect(throws: FileError(.write, file.path, .system(ENOSPC))) { try file.replace(with: "longer") }
    #expect(try folder.text("flags.json") == "old" && folder.names == ["flags.json"])
  }

  @Test("Where the folder cannot be written either, the error says to mount a folder")
  func namesFolder() {
    let error = FileError(.lock, "/a/.flags.json.lock", .system(EROFS))
    #expect(error.message.hasSuffix("(Read-only file system); mount a directory, not the file alone"))
  }

  @Test(
    "A file of another kind is no write that was cut off",
    arguments: ["", "{}", "flag write 1 9\nab", "flag write 1 x\n"])
  func refusesOthers(text: String) { #expect(PendingWrite(Data(text.utf8)) == nil) }
}
