import Dispatch
import FlagDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Watching a file", .timeLimit(.minutes(15)))
struct FileWatcherTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("The closure is called before the watcher is handed back, and after each change", arguments: ["600", "0"])
  func calls(mode: String) async throws {
    let url = try folder.write("1", to: "flags.json")
    let (calls, called) = AsyncStream.makeStream(of: FileError?.self)
    let watcher = try FileWatcher(url.path) { called.yield($0.error) }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    try await folder.run("chmod \(mode) flags.json")
    #expect(await iterator.next() == .some(nil))
    watcher.close()
  }

  @Test("When closing returns, no call is being made")
  func waitsForCalls() async throws {
    let url = try folder.write("1", to: "flags.json")
    let began = DispatchSemaphore(value: 0)
    let closed = DispatchSemaphore(value: 0)
    let isFirst = Atomic(true)
    let (calls, called) = AsyncStream.makeStream(of: DispatchTimeoutResult.self)
    let watcher = try FileWatcher(url.path) { _ in
      if isFirst.exchange(false, ordering: .relaxed) { return }
      began.signal()
      // Closing must still wait, however long that is.
      called.yield(closed.wait(timeout: .now() + 0.2))
      called.finish()
    }
    try folder.write("2", to: "flags.json")
    DispatchQueue.global().async {
      began.wait()
      watcher.close()
      closed.signal()
    }
    #expect(await calls.reduce(into: []) { $0.append($1) } == [.timedOut])
  }

  @Test("A watcher that is closed by its own closure makes no further call")
  func closesFromWithin() async throws {
    // Others' children hold nothing open that this process never opened, and so the file is closed once.
    try await folder.run("printf 1 > flags.json")
    let url = folder.url("flags.json")
    let calls = Atomic(0)
    let own = Locked<FileWatcher?>(nil)
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let watcher = try FileWatcher(url.path) { _ in
      calls.add(1, ordering: .relaxed)
      guard let watcher = own.withLock({ $0 }) else { return }
      watcher.close()
      ended.finish()
    }
    own.withLock { $0 = watcher }
    try folder.write("2", to: "flags.json")
    for await _ in ends {}
    try await change(url)
    #expect(calls.load(ordering: .relaxed) == 2)
    own.withLock { $0 = nil }
  }

  @Test("A watcher that is let go of makes no further call")
  func endsWhenLetGo() async throws {
    try await folder.run("printf 1 > flags.json")
    let url = folder.url("flags.json")
    let calls = Atomic(0)
    do {
      let watcher = try FileWatcher(url.path) { _ in calls.add(1, ordering: .relaxed) }
      #expect(calls.load(ordering: .relaxed) == 1)
      _ = consume watcher
    }
    try await change(url)
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test("1,000 watchers that are made and let go of leave no descriptor, no watch and no listener")
  func leavesNothing() async throws {
    // A call that is on its way would keep a watcher for a moment, and so nothing happens to the file.
    try await folder.run("printf 1 > flags.json")
    let url = folder.url("flags.json")
    weak var last: FileWatcher?
    for number in 0..<1000 {
      let watcher = try FileWatcher(url.path) { _ in }
      last = watcher
      if number.isMultiple(of: 2) { watcher.close() }
    }
    #expect(last == nil)
    #if os(Linux)
      // The other one is of tests whose events are nameless.
      #expect(try OpenFiles.inotifyInstances.count <= SharedWatches.Kind.allCases.count)
      #expect(try OpenFiles.watches(of: folder.status(".").st_ino) == 0)
      #expect(try OpenFiles.watches(of: folder.status("flags.json").st_ino) == 0)
    #endif
    #expect(try OpenFiles.paths.filter { $0.hasPrefix(folder.path) } == [])
  }

  @Test("1,000 watchers at a time each notice their own file, through one inotify instance")
  func serveMany() async throws {
    try await folder.run(
      "for d in 0 1 2 3 4 5 6 7 8 9; do mkdir $d; i=0; while [ $i -lt 100 ]; do : > $d/$i; i=$((i + 1)); done; done")
    let (changes, changed) = AsyncStream.makeStream(of: Int.self)
    let followers = try (0..<1000).map { number in
      try FileFollower(SharedFile(folder.url("\(number / 100)/\(number % 100)")), known: Data()) { content in
        if content == .success(Data("2".utf8)) { changed.yield(number) }
      }
    }
    try await folder.run("for file in */*; do printf 2 > $file; done")
    var missing = Set(0..<1000)
    for await number in changes {
      missing.remove(number)
      if missing.isEmpty { break }
    }
    #expect(missing == [])
    #if os(Linux)
      // The other one is of tests whose events are nameless.
      #expect(try OpenFiles.inotifyInstances.count <= SharedWatches.Kind.allCases.count)
      #expect(try OpenFiles.watches(of: folder.status("0").st_ino) == 1)
    #endif
    for follower in followers { follower.close() }
  }

  #if os(Linux)
    @Test("Directories that were renamed and replaced, and links that lead elsewhere, are no longer watched")
    func forgetsOldDirectories() async throws {
      try await folder.run("mkdir d e; printf 0 > d/flags.json; ln -s d current")
      let contents = ContentStream()
      let follower = try FileFollower(folder.url("current/flags.json"), into: contents)
      for round in 1...20 {
        try await folder.run("mv d old\(round); mkdir d; printf \(round) > d/flags.json")
        #expect(await contents.reaches("\(round)"))
      }
      try await folder.run("printf last > e/flags.json; ln -sfn e current")
      #expect(await contents.reaches("last"))
      // A second change is handed over when the first one's watches are done with.
      try await folder.run("printf end > e/flags.json")
      #expect(await contents.reaches("end"))
      for name in (1...20).map({ "old\($0)" }) + ["d"] {
        #expect(try OpenFiles.watches(of: folder.status(name).st_ino) == 0)
        #expect(try OpenFiles.watches(of: folder.status("\(name)/flags.json").st_ino) == 0)
      }
      #expect(try OpenFiles.watches(of: folder.status("e").st_ino) == 1)
      follower.close()
    }
  #endif

  @Test(
    "A directory that may not be read, while its file may, cannot be watched",
    .needs(.ordinaryUser))
  func refusesBlindness() async throws {
    try await folder.run("mkdir d; printf 1 > d/flags.json; chmod 300 d")
    let path = folder.url("d/flags.json").path
    #expect(throws: FileError(.watch, path, .system(EACCES))) { try FileWatcher(path) { _ in } }
    try await folder.run("chmod 700 d")
  }

  @Test(
    "An exhausted system limit is an error with the limit's name",
    arguments: [
      (ENOSPC, "out of inotify watches (fs.inotify.max_user_watches)"),
      (EMFILE, "out of file descriptors or inotify instances"),
    ])
  func namesLimits(code: Int32, words: String) {
    #expect(
      "\(FileError(.watch, "/flags.json", .system(code)))".hasPrefix(
        "/flags.json: expected a file that can be watched: \(words)"))
  }

  /// Changes a file, and waits until a watcher that was made later has heard of it.
  private func change(_ url: URL) async throws {
    let contents = ContentStream()
    let follower = try FileFollower(url, into: contents)
    try Data("changed".utf8).write(to: url)
    #expect(await contents.reaches("changed"))
    follower.close()
  }
}
