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
    #expect(try folder.names == [".keys.lock", "keys"])
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

  @Test("A writer asks again after longer and longer pauses, until its time is over")
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
    #expect(pauses.all == [1, 2, 4, 8, 16, 16, 3].map { .milliseconds($0) })
    try other.append("2")
    #expect(try folder.text("flags.json") == "12")
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
    "The lock of another program counts, and ends with it, even if it is killed",
    .needs(.flock))
  func countsOtherPrograms() async throws {
    let url = try folder.write("1", to: "flags.json")
    let contents = ContentStream()
    let follower = try FileFollower(folder.url("held"), into: contents)
    let flock = try InstalledProgram.require("flock").path
    let holder = try folder.start("exec 9> .flags.json.lock; \(flock) 9; printf yes > held; exec sleep 60")
    #expect(await contents.reaches("yes"))
    let impatient = SharedFile(url, lockTimeout: .zero)
    #expect(throws: FileError(.lock, url.path, .timedOut(.zero))) { try impatient.append("2") }
    kill(holder.id, SIGKILL)
    _ = holder.wait()
    try impatient.append("3")
    #expect(try folder.text("flags.json") == "13")
    follower.close()
  }
}

/// The pauses that a writer made.
private final class Pauses: Sendable {
  private let recorded = Locked<[Duration]>([])

  var all: [Duration] { recorded.withLock { $0 } }

  func record(_ pause: Duration) { recorded.withLock { $0.append(pause) } }
}

extension SharedFile {
  fileprivate func append(_ text: String) throws(FileError) {
    try update({ $0 }) { old throws(FileError) in (old ?? Data()) + Data(text.utf8) }
  }
}
