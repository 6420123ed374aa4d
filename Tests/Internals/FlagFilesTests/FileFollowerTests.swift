import Dispatch
import FlagDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Following a file", .timeLimit(.minutes(15)))
struct FileFollowerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("The next look notices each way in which others change a file", arguments: Move.all)
  func notices(move: Move) async throws {
    try await folder.run(move.before)
    let follower = ManualFollower(folder.url(move.file))
    if let content = move.content { #expect(follower.contents() == [.text(content)]) }
    try await folder.run(move.after)
    follower.look()
    #expect(follower.contents().last == "2")
    // The result of the change is followed, too.
    try folder.write("3", to: move.file)
    follower.look()
    #expect(follower.contents() == ["3"])
  }

  #if os(Linux)
    @Test(
      "A file is followed over file systems that are mounted over its directory, or over itself, and unmounted",
      .needs(.mounting),
      arguments: ["mount -t tmpfs none d", "mount --bind e d", "mount --bind e/flags.json d/flags.json"])
    func followsMounts(mount: String) async throws {
      try await folder.run("mkdir d e; printf 1 > d/flags.json; printf 2 > e/flags.json")
      let follower = ManualFollower(folder.url("d/flags.json"))
      for (script, text) in [
        ("\(mount); printf 3 > d/flags.json", "3"), ("umount -l \(mount.split(separator: " ").last ?? "")", "1"),
      ] {
        try await folder.run(script)
        follower.look()
        #expect(follower.contents().last == .text(text))
      }
    }
  #endif

  @Test("A missing file is reported, then its content, and that it is missing again")
  func reportsAbsence() throws {
    let follower = ManualFollower(folder.url("flags.json"))
    let url = try folder.write("1", to: "flags.json")
    follower.look()
    try FileManager.default.removeItem(at: url)
    follower.look()
    try folder.write("1", to: "flags.json")
    follower.look()
    #expect(follower.contents() == [.failure(.missing), "1", .failure(.missing), "1"])
  }

  @Test("A file that was read and is gone when the following begins is reported missing")
  func reportsEarlierAbsence() {
    #expect(ManualFollower(folder.url("flags.json"), known: "1").contents() == [.failure(.missing)])
  }

  @Test("An edit between the caller's reading and the following is delivered before that begins")
  func losesNoEarlierEdit() throws {
    #expect(ManualFollower(try folder.write("2", to: "flags.json"), known: "1").contents() == ["2"])
  }

  @Test("What is known is not delivered, nor is the same content twice")
  func deliversNewContentAlone() async throws {
    let follower = ManualFollower(try folder.write("1", to: "flags.json"), known: "1")
    for text in ["1", "1", "2", "2"] {
      try await folder.run("printf \(text) > new; mv new flags.json")
      follower.look()
    }
    #expect(follower.contents() == ["2"])
  }

  @Test("An edit so soon after a look that the file's times are the same is noticed, 200 times of 200")
  func losesNoFastEdit() throws {
    for _ in 0..<200 {
      let url = try folder.write("1", to: "flags.json")
      let follower = ManualFollower(url, known: "1")
      let file = try FileHandle(forWritingTo: url)
      try file.write(contentsOf: Data("2".utf8))
      try file.close()
      follower.look()
      #expect(follower.contents() == ["2"])
    }
  }

  @Test("A file that cannot be delivered is an error, and no end")
  func reportsErrors() async throws {
    let follower = ManualFollower(SharedFile(try folder.write("12345", to: "flags.json"), limit: 4))
    for script in [
      "rm flags.json; mkfifo flags.json", "rm flags.json; mkdir flags.json",
      "rmdir flags.json; printf 1234 > flags.json",
    ] {
      try await folder.run(script)
      follower.look()
    }
    #expect(
      follower.contents() == [.failure(.tooLarge(limit: 4)), .failure(.special), .failure(.directory), "1234"])
  }

  @Test("A file without read permission is read at the look after it has become readable", .needs(.ordinaryUser))
  func triesDeniedFileAgain() async throws {
    let url = try folder.write("1", to: "flags.json")
    try await folder.run("chmod 0 flags.json")
    let follower = ManualFollower(url)
    for _ in 0..<5 { follower.look() }
    try await folder.run("chmod 600 flags.json")
    follower.look()
    #expect(follower.contents() == [.failure(.system(EACCES)), "1"])
  }

  @Test("A file is looked at each second, or as often as the caller says, and not in the background")
  func schedulesLooks() throws {
    let url = try folder.write("1", to: "flags.json")
    #expect(ManualFollower(SharedFile(url), polling: .zero).delays == [.milliseconds(1)])
    let follower = ManualFollower(url)
    for isInBackground in [true, false] {
      #expect(follower.delays == [.seconds(1)])
      follower.isInBackground = isInBackground
      try folder.write("22", to: "flags.json")
      follower.look()
      #expect(follower.contents() == (isInBackground ? ["1"] : ["22"]))
    }
    follower.close()
    try folder.write("333", to: "flags.json")
    follower.look()
    #expect(follower.contents() == [] && follower.delays == [])
  }

  @Test("1,000 edits end on the last one, by the system's clock")
  func endsOnNewest() async throws {
    let url = try folder.write("0", to: "flags.json")
    let (contents, delivered) = AsyncStream.makeStream(of: Content.self)
    let follower = FileFollower(SharedFile(url), polling: .milliseconds(2)) { delivered.yield(Content($0)) }
    try await folder.run("i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); printf $i > flags.json; done")
    for await content in contents where content == "1000" { break }
    follower.close()
  }

  @Test("1,000 followers notice their own files, and hold no descriptor open")
  func followsMany() async throws {
    try await folder.run("i=0; while [ $i -lt 1000 ]; do printf 1 > $i; i=$((i + 1)); done")
    let (changes, changed) = AsyncStream.makeStream(of: Int.self)
    let followers = (0..<1000).map { number in
      FileFollower(SharedFile(folder.url("\(number)")), polling: .milliseconds(50)) { content in
        if content == .success(Data("2".utf8)) { changed.yield(number) }
      }
    }
    try await folder.run("for file in *; do printf 2 > $file; done")
    var missing = Set(0..<1000)
    for await number in changes {
      missing.remove(number)
      if missing.isEmpty { break }
    }
    for follower in followers { follower.close() }
    #expect(try OpenFiles.paths.filter { $0.hasPrefix(folder.path) || $0.contains("inotify") } == [])
  }
}

@Suite("Contents that cannot be used")
struct UnusableContentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func follow(_ text: String) throws -> ManualFollower {
    ManualFollower(SharedFile(try folder.write(text, to: "flags.json"))) { $0 == "whole" }
  }

  @Test("A slow write is one error when it has ended badly, and none when it has ended well", arguments: [false, true])
  func reportsSlowWrites(endsWell: Bool) throws {
    let follower = try follow("whole")
    for text in ["", "w", "wh", "who", endsWell ? "whole" : "end"] {
      try folder.write(text, to: "flags.json")
      follower.look()
    }
    #expect(follower.errors() == [])
    for _ in 0..<4 { follower.look() }
    #expect(follower.errors() == (endsWell ? [] : ["end"]))
  }

  @Test("What is there at first is reported at once, and what replaces it at the look after it was seen")
  func reportsReplacements() throws {
    let follower = try follow("first")
    #expect(follower.errors() == ["first"])
    try folder.write("second", to: "flags.json")
    follower.look()
    #expect(follower.errors() == [])
    follower.look()
    #expect(follower.errors() == ["second"])
    try folder.write("third", to: "flags.json")
    follower.look()
    follower.close()
    follower.look()
    #expect(follower.errors() == [])
  }
}

@Suite("Ending a follower", .timeLimit(.minutes(15)))
struct FollowerEndTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("When closing returns, no call is being made")
  func waitsForCalls() async throws {
    let url = try folder.write("1", to: "flags.json")
    let began = DispatchSemaphore(value: 0)
    let closed = DispatchSemaphore(value: 0)
    let isFirst = Atomic(true)
    let (calls, called) = AsyncStream.makeStream(of: DispatchTimeoutResult.self)
    let follower = FileFollower(SharedFile(url), polling: .milliseconds(2)) { _ in
      if isFirst.exchange(false, ordering: .relaxed) { return }
      began.signal()
      // Closing must still wait, however long that is.
      called.yield(closed.wait(timeout: .now() + 0.2))
      called.finish()
    }
    try folder.write("22", to: "flags.json")
    DispatchQueue.global().async {
      began.wait()
      follower.close()
      closed.signal()
    }
    #expect(await calls.reduce(into: []) { $0.append($1) } == [.timedOut])
  }

  @Test("A follower that is closed by its own closure makes no further call")
  func closesFromWithin() throws {
    let url = try folder.write("1", to: "flags.json")
    let own = Locked<ManualFollower?>(nil)
    let follower = ManualFollower(SharedFile(url)) { _ in
      true
    } onContent: {
      own.withLock { $0 }?.close()
    }
    own.withLock { $0 = follower }
    for text in ["22", "333"] {
      try folder.write(text, to: "flags.json")
      follower.look()
    }
    #expect(follower.contents() == ["1", "22"] && follower.delays == [])
    own.withLock { $0 = nil }
  }

  @Test("A follower that is released makes no further call, and is released at once")
  func endsWhenReleased() throws {
    let url = try folder.write("1", to: "flags.json")
    let look = Locked<(@Sendable () -> Void)?>(nil)
    let calls = Atomic(0)
    weak var last: FileFollower?
    do {
      let system = FollowerSystem(
        schedule: { _, queue, work in look.withLock { $0 = { queue.sync(execute: work) } } }, isInBackground: { false })
      let follower = FileFollower(SharedFile(url), system: system) { _ in calls.add(1, ordering: .relaxed) }
      last = follower
      #expect(last != nil)
      _ = consume follower
    }
    #expect(last == nil)
    try folder.write("22", to: "flags.json")
    look.withLock { $0 }?()
    #expect(calls.load(ordering: .relaxed) == 1)
  }
}
