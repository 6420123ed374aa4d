import FlagDomain
import Foundation
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Sharing a file", .timeLimit(.minutes(15)))
struct SharedFileLockingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("200 and 200 updates by two stores, each on four threads, leave 400 keys")
  func losesNoUpdate() async throws {
    let files = (0..<2).map { _ in SharedFile(folder.url("keys"), lockTimeout: .seconds(30)) }
    try await onThreads(8) { thread in
      for number in 0..<50 { try files[thread % 2].append("\(thread).\(number)\n") }
    }
    let keys = try folder.text("keys").split(separator: "\n")
    #expect(keys.count == 400 && Set(keys).count == 400)
    #expect(try folder.names == ["keys"])
  }

  @Test("Stores that reach a file by different links take turns")
  func locksBehindLinks() async throws {
    try await folder.run("mkdir d; printf 1 > d/real; ln -s d/real flags.json; ln -s d e")
    let names = ["flags.json", "d/real", "e/real"]
    for outer in names {
      try SharedFile(folder.url(outer)).update({ $0 }) { _ throws(FileError) in
        for inner in names {
          #expect(throws: FileError(.lock, "\(folder.path)/d/real", .timedOut(.zero))) {
            try SharedFile(folder.url(inner), lockTimeout: .zero).append("x")
          }
        }
        return nil
      }
    }
    #expect(try folder.text("d/real") == "1")
  }

  @Test("A writer asks again after each millisecond, until its time is over")
  func waits() throws {
    let url = try folder.write("1", to: "flags.json")
    let pauses = Pauses()
    let other = SharedFile(url, lockTimeout: .milliseconds(50)) { pauses.record($0) }
    try SharedFile(url).update({ $0 }) { _ throws(FileError) in
      let error = #expect(throws: FileError(.lock, url.path, .timedOut(.milliseconds(50)))) { try other.append("2") }
      #expect(
        error.map { "\($0)" }
          == "\(url.path): expected a file that can be locked: timeout: others have held its lock for 0.05 seconds")
      return nil
    }
    #expect(pauses.all == Array(repeating: .milliseconds(1), count: 50))
    try other.append("2")
    #expect(try folder.text("flags.json") == "12")
  }

  @Test("A lock has one holder at a time, and is free when that is released")
  func locks() throws {
    let lock = folder.url("lock")
    do {
      let held = try #require(try FileLock.take(lock))
      #expect(try FileLock.take(lock) == nil)
      withExtendedLifetime(held) {}
    }
    #expect(try FileLock.take(lock) != nil)
    let missing = folder.url("missing/lock")
    #expect(throws: FileError(.lock, missing.path, .missing)) { try FileLock.take(missing) }
  }

  @Test("A writer that waits goes on when the lock is free")
  func goesOn() throws {
    let url = try folder.write("1", to: "flags.json")
    let held = Locked(try FileLock.take(folder.url(".flags.json.lock")))
    #expect(held.withLock { $0 != nil })
    // The first pause ends the other's turn.
    try SharedFile(url) { _ in held.withLock { $0 = nil } }.append("2")
    #expect(try folder.text("flags.json") == "12")
  }

  @Test(
    "The lock of another program counts, and ends with it, even if it is killed", .needs(.flock))
  func countsOtherPrograms() async throws {
    let url = try folder.write("1", to: "flags.json")
    let (holding, held) = AsyncStream.makeStream(of: Void.self)
    let follower = FileFollower(SharedFile(folder.url("held")), polling: .milliseconds(5)) { content in
      if content == .success(Data("yes".utf8)) { held.finish() }
    }
    let flock = try InstalledProgram.require("flock").path
    let holder = try folder.start("exec 9> .flags.json.lock; \(flock) 9; printf yes > held; exec sleep 600")
    for await _ in holding {}
    let impatient = SharedFile(url, lockTimeout: .zero)
    #expect(throws: FileError(.lock, url.path, .timedOut(.zero))) { try impatient.append("2") }
    kill(holder.id, SIGKILL)
    _ = holder.wait()
    try impatient.append("3")
    #expect(try folder.text("flags.json") == "13")
    follower.close()
  }

  @Test(
    "A writer's lock ends with its turn, even while a child process that has not begun its program shares it")
  func unlocksWhatIsShared() throws {
    let url = try folder.write("", to: "flags.json")
    let held = Locked(try FileLock.take(folder.url(".flags.json.lock")))
    // What a child process shares are copies of this one's descriptors.
    let copies = Locked<[Int32]>([])
    let share: @Sendable () -> Void = { [folder] in
      copies.withLock { $0 += descriptors(of: folder.url(".flags.json.lock")).map { dup($0) } }
    }
    let pauses = Pauses()
    try SharedFile(url) { pause in
      pauses.record(pause)
      share()
      if pauses.all.count == 3 { held.withLock { $0 = nil } }
    }.update({ $0 }) { _ throws(FileError) in
      share()
      return Data("1".utf8)
    }
    #expect(copies.withLock { $0 } != [])
    #expect(try FileLock.take(folder.url(".flags.json.lock")) != nil)
    for copy in copies.withLock({ $0 }) { close(copy) }
  }

  @Test("Beside a writer that never rests, another one gets its turns", .timeLimit(.minutes(15)))
  func sharesFairly() async throws {
    let url = folder.url("flags.json")
    let isOver = Locked(false)
    try await onThreads(2) { thread in
      // A write that has asked 5,000 times is an error.
      let file = SharedFile(url)
      if thread == 0 {
        while !isOver.withLock({ $0 }) { try file.append("") }
      } else {
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<25 { try file.append("1") }
      }
    }
    #expect(try folder.text("flags.json") == String(repeating: "1", count: 25))
  }
}

/// The pauses that a writer made.
private final class Pauses: Sendable {
  private let recorded = Locked<[Duration]>([])

  var all: [Duration] { recorded.withLock { $0 } }

  func record(_ pause: Duration) { recorded.withLock { $0.append(pause) } }
}

/// Returns the descriptors of this process by which a file is open.
private func descriptors(of url: URL) -> [Int32] {
  var file = stat()
  guard stat(url.path, &file) == 0 else { return [] }
  return (0..<getdtablesize()).filter { number in
    var open = stat()
    return fstat(number, &open) == 0 && open.st_dev == file.st_dev && open.st_ino == file.st_ino
  }
}

extension SharedFile {
  fileprivate func append(_ text: String) throws(FileError) {
    try update({ $0 }) { old throws(FileError) in (old ?? Data()) + Data(text.utf8) }
  }
}
