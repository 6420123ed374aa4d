import Dispatch
import FlagDomain
import Foundation
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Files of which the system says little", .timeLimit(.minutes(15)))
struct SilentFileTests {
  private let folder: TemporaryFolder
  private let schedule = ManualSchedule()
  private let contents = ContentStream()

  init() throws { folder = try TemporaryFolder() }

  @Test("A file of a file system that reports nothing is looked at every 30 seconds, and read if it has changed")
  func polls() async throws {
    let url = try folder.write("1", to: "flags.json")
    let system = WatcherSystem(watches: .silent, schedule: schedule.schedule)
    let follower = try FileFollower(SharedFile(url), known: Data("1".utf8), system: system) { [contents] content in
      contents.record(content)
    }
    for text in ["22", "333"] {
      let look = try #require(await schedule.next())
      #expect(look.delay == .seconds(30) && schedule.count == 0)
      try folder.write(text, to: "flags.json")
      look.run()
      #expect(await contents.next() == .success(Data(text.utf8)))
    }
    let last = try #require(await schedule.next())
    follower.close()
    try folder.write("4", to: "flags.json")
    last.run()
    #expect(schedule.count == 0)
    #expect(await contents.rest() == [])
  }

  @Test("Looking at a file from time to time can be turned off, or be done more often", arguments: [nil, 5])
  func polling(seconds: Int?) async throws {
    let url = try folder.write("1", to: "flags.json")
    let system = WatcherSystem(watches: .silent, schedule: schedule.schedule)
    let follower = try FileFollower(
      SharedFile(url), polling: seconds.map { .seconds($0) }, system: system
    ) { _ in }
    #expect(schedule.count == (seconds == nil ? 0 : 1))
    if let seconds { #expect(await schedule.next()?.delay == .seconds(seconds)) }
    follower.close()
  }

  #if os(Linux)
    @Test(
      "A file is followed over file systems that are mounted over its directory, or over itself, and unmounted",
      .needs(.mounting),
      arguments: ["mount -t tmpfs none d", "mount --bind e d", "mount --bind e/flags.json d/flags.json"])
    func followsMounts(mount: String) async throws {
      try await folder.run("mkdir d e; printf 1 > d/flags.json; printf 2 > e/flags.json")
      let follower = try FileFollower(
        SharedFile(folder.url("d/flags.json")), settling: .milliseconds(10), polling: nil
      ) { [contents] content in contents.record(content) }
      #expect(await contents.reaches("1"))
      try await folder.run(mount)
      do {
        if mount.contains("tmpfs") { try await folder.run("printf 2 > d/flags.json") }
        #expect(await contents.reaches("2"))
        try await folder.run("printf 3 > d/flags.json")
        #expect(await contents.reaches("3"))
      }
      try await folder.run("umount -l \(mount.split(separator: " ").last ?? "")")
      #expect(await contents.reaches("1"))
      try await folder.run("printf 4 > d/flags.json")
      #expect(await contents.reaches("4"))
      follower.close()
    }
  #endif
}

@Suite("Contents that cannot be used", .timeLimit(.minutes(15)))
struct UnusableContentTests {
  private struct Unusable: Error {
    var text: String
  }

  /// What a follower's closures received.
  private final class Heard: Sendable {
    let last = Locked("")
    let errors = Locked<[String]>([])
  }

  private let folder: TemporaryFolder
  private let schedule = ManualSchedule()
  private let heard = Heard()

  init() throws { folder = try TemporaryFolder() }

  @Test("A slow write is one error when it has ended badly, and none when it has ended well", arguments: [false, true])
  func reportsSlowWrites(endsWell: Bool) async throws {
    // By a process that is gone, so that no child of another test closes the file later.
    try await folder.run("printf whole > flags.json")
    let follower = try follow("flags.json")
    let writer = try FileHandle(forWritingTo: folder.url("flags.json"))
    try writer.truncate(atOffset: 0)
    var reports: [ManualSchedule.Entry] = []
    for _ in 0..<20 {
      let known = reports.count
      try writer.write(contentsOf: Data("half ".utf8))
      while reports.count == known, let entry = await schedule.next() {
        if entry.delay >= .seconds(1) { reports.append(entry) } else { entry.run() }
      }
    }
    #expect(reports.allSatisfy { $0.delay == .seconds(1) })
    try writer.write(contentsOf: Data((endsWell ? "whole" : "end").utf8))
    try writer.close()
    let end = endsWell ? "whole" : "end"
    while !heard.last.withLock({ $0.hasSuffix(end) }), let entry = await schedule.next() { entry.run() }
    for report in reports { report.run() }
    while schedule.count > 0 { await schedule.next()?.run() }
    #expect(heard.errors.withLock { $0.count } == (endsWell ? 0 : 1))
    follower.close()
  }

  @Test("What replaces a file is reported after a shorter time, and what is there at first at once")
  func reportsReplacements() async throws {
    try folder.write("first", to: "flags.json")
    let follower = try follow("flags.json", known: nil)
    #expect(heard.errors.withLock { $0 } == ["first"])
    try await folder.run("printf second > new; mv new flags.json")
    var report: ManualSchedule.Entry?
    while report == nil, let entry = await schedule.next() {
      if entry.delay == .milliseconds(100) { report = entry } else { entry.run() }
    }
    #expect(heard.errors.withLock { $0 } == ["first"])
    report?.run()
    #expect(heard.errors.withLock { $0 } == ["first", "second"])
    follower.close()
    report?.run()
    #expect(heard.errors.withLock { $0 } == ["first", "second"])
  }

  /// Follows a file of which only contents that end with "whole" can be used.
  private func follow(_ name: String, known: String? = "whole") throws -> FileFollower {
    let system = WatcherSystem(schedule: schedule.schedule)
    return try FileFollower(
      SharedFile(folder.url(name)), known: known.map { Data($0.utf8) }, polling: nil, system: system
    ) { [heard] content throws(Unusable) in
      let text = String(decoding: (try? content.get()) ?? Data(), as: UTF8.self)
      heard.last.withLock { $0 = text }
      if !text.hasSuffix("whole") { throw Unusable(text: text) }
    } onError: { [heard] error in
      heard.errors.withLock { $0.append(error.text) }
    }
  }
}

/// Watches that report nothing, as those of some network file systems.
private struct SilentWatches: WatchSystem {
  func add(directory: String) -> Int32 { 1 }
  func add(file: String) -> Int32 { 2 }
  func remove(_ number: Int32) {}
}

extension SharedWatches {
  fileprivate static let silent = SharedWatches { _ in SilentWatches() }
}
