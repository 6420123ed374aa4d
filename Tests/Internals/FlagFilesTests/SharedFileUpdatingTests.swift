import Foundation
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Updating a file", .timeLimit(.minutes(15)))
struct SharedFileUpdatingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A change is handed what the file holds, or nil, and its answer takes the file's place")
  func updates() throws {
    let file = SharedFile(folder.url("flags.json"))
    var seen: [String?] = []
    for text in ["1", "", "22"] {
      try file.update({ $0 }) { old throws(FileError) in
        seen.append(old.map { String(decoding: $0, as: UTF8.self) })
        return Data(text.utf8)
      }
    }
    #expect(seen == [nil, "1", ""])
    #expect(try folder.text("flags.json") == "22")
    #expect(try folder.names == ["flags.json"])
  }

  @Test("Where a change throws, or answers nil, the file is left alone, and the next writer need not wait")
  func leavesFile() throws {
    let file = SharedFile(try folder.write("1", to: "flags.json"), lockTimeout: .zero)
    let before = try folder.status("flags.json").st_ino
    #expect(throws: Refusal()) { try file.update({ _ in Refusal() }) { _ throws(Refusal) in throw Refusal() } }
    try file.update({ $0 }) { _ throws(FileError) in nil }
    #expect(try folder.text("flags.json") == "1")
    #expect(try folder.status("flags.json").st_ino == before)
    try file.replace(with: "2")
    #expect(try folder.text("flags.json") == "2")
  }

  @Test("A file keeps its mode, its owner and its group", arguments: ["600", "644", "640", "666"])
  func keepsMode(mode: String) async throws {
    try await folder.run("printf 1 > flags.json; chmod \(mode) flags.json; chown 12:34 flags.json 2> /dev/null || true")
    let before = try folder.status("flags.json")
    try SharedFile(folder.url("flags.json")).replace(with: "2")
    let after = try folder.status("flags.json")
    #expect([after.st_mode, after.st_uid, after.st_gid] == [before.st_mode, before.st_uid, before.st_gid])
    #expect(after.st_ino != before.st_ino)
  }

  @Test("A file that is made has the mode that is asked for, without what the process masks")
  func makesMode() async throws {
    try SharedFile(folder.url("private"), mode: 0o600).replace(with: "1")
    #expect(try folder.status("private").st_mode & 0o777 == 0o600)
    try SharedFile(folder.url("flags.json")).replace(with: "1")
    try await folder.run("printf 1 > other; chmod a-x other")
    #expect(try folder.status("flags.json").st_mode & 0o777 == folder.status("other").st_mode & 0o644)
  }

  @Test(
    "A symbolic link stays one, and what it leads to is replaced, or made",
    arguments: [
      "printf 1 > d/real; ln -s d/real flags.json", "ln -s d/real flags.json",
      "ln -s d e; ln -s e/real other; ln -s other flags.json",
    ])
  func keepsLinks(script: String) async throws {
    try await folder.run("mkdir d; \(script)")
    try SharedFile(folder.url("flags.json")).replace(with: "2")
    #expect(try folder.status("flags.json").st_mode & S_IFMT == S_IFLNK)
    #expect(try folder.status("d/real").st_mode & S_IFMT == S_IFREG)
    #expect(try folder.text("d/real") == "2")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url("d").path).sorted() == ["real"])
  }

  @Test(
    "A file that cannot be written says why, and is as it was",
    arguments: [
      (":", "d/flags.json", .write, .missing), ("ln -s flags.json flags.json", "flags.json", .write, .system(ELOOP)),
      ("mkdir flags.json", "flags.json", .write, .directory), ("mkfifo flags.json", "flags.json", .read, .special),
      ("printf 1 > d", "d/flags.json", .write, .system(ENOTDIR)),
      ("printf 1 > flags.json; mkdir .flags.json.tmp", "flags.json", .write, .system(EEXIST)),
      ("printf 12345 > flags.json", "flags.json", .read, .tooLarge(limit: 4)),
    ] as [(String, String, FileError.Operation, FileError.Reason)])
  func refuses(script: String, name: String, operation: FileError.Operation, reason: FileError.Reason) async throws {
    try await folder.run(script)
    let before = try folder.names
    let file = SharedFile(folder.url(name), limit: 4)
    #expect(throws: FileError(operation, folder.url(name).path, reason)) { try file.replace(with: "2") }
    #expect(try folder.names == before)
    #expect(try folder.names.contains("flags.json") == before.contains("flags.json"))
  }

  @Test("A lock file that cannot be opened is named by the error")
  func namesLockFile() async throws {
    try await folder.run("mkdir .flags.json.lock")
    #expect(throws: FileError(.lock, folder.url(".flags.json.lock").path, .directory)) {
      try SharedFile(folder.url("flags.json")).replace(with: "2")
    }
  }

  @Test("What a killed writer has left is gone after the next write, and a link in its place is not followed")
  func cleansUp() async throws {
    let file = SharedFile(try folder.write("1", to: "flags.json"))
    try folder.write("half", to: ".flags.json.tmp")
    try file.replace(with: "2")
    #expect(try folder.names == ["flags.json"])
    try await folder.run("printf precious > other; ln -s other .flags.json.tmp")
    try file.replace(with: "3")
    #expect(try [folder.text("flags.json"), folder.text("other")] == ["3", "precious"])
    #expect(try folder.names == ["flags.json", "other"])
  }

  @Test("A disk that is full is an error of the write")
  func tellsOfFullDisks() throws {
    #if os(Linux)
      #expect(throws: FileError.Reason.system(ENOSPC)) {
        try FileDescriptor("/dev/full", O_WRONLY).append(Data("1".utf8))
      }
    #endif
    #expect(
      "\(FileError(.write, "/flags.json", .system(ENOSPC)))"
        == "/flags.json: expected a file that can be written: No space left on device")
  }

  @Test("A reader sees the old file or the new one, whole, never none or a part")
  func replacesAtomically() async throws {
    let texts = ["a", "b"].map { String(repeating: $0, count: 100_000) }
    let file = SharedFile(try folder.write(texts[0], to: "flags.json"))
    try await onThreads(2) { thread in
      for round in 1...200 {
        if thread == 0 {
          try file.replace(with: texts[round % 2])
        } else {
          #expect(texts.contains(String(decoding: try file.read(), as: UTF8.self)))
        }
      }
    }
  }
}

private struct Refusal: Error, Equatable {}

extension SharedFile {
  func replace(with text: String) throws(FileError) { try update({ $0 }) { _ throws(FileError) in Data(text.utf8) } }
}
