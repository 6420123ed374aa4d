import FlagDomain
import Foundation
import Testing

@testable import FlagFiles

@Suite("Locks and an app that is suspended", .timeLimit(.minutes(5)))
struct ExpiringActivityTests {
  /// A system whose activities a test expires.
  private final class Activities: Sendable {
    /// The count of activities that have begun and not ended.
    let running = Locked(0)
    private let block = Locked<(@Sendable (Bool) -> Void)?>(nil)

    var system: ExpiringActivity.System {
      { _, block in
        self.block.withLock { $0 = block }
        self.running.withLock { $0 += 1 }
        Thread.detachNewThread {
          block(false)
          self.running.withLock { $0 -= 1 }
        }
      }
    }

    func expire() { block.withLock { $0 }?(true) }

    /// Waits until the system's threads are free; the suite's time limit ends a test that waits in vain.
    func allEnd() async { while running.withLock({ $0 }) > 0 { await Task.yield() } }
  }

  private let folder: TemporaryFolder
  private let activities = Activities()

  init() throws { folder = try TemporaryFolder() }

  private func file(
    _ activity: @escaping ExpiringActivity.System, pause: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws
    -> SharedFile
  {
    var file = SharedFile(try folder.write("1\n", to: "lines"), pause: pause)
    file.calls.activity = activity
    return file
  }

  @Test("A write is an activity from before the lock is taken until it is released")
  func spansLock() async throws {
    let file = try file(activities.system)
    try file.update({ $0 }) { old throws(FileError) in
      #expect(activities.running.withLock { $0 } == 1)
      return old.map { $0 + Data("2\n".utf8) }
    }
    #expect(try folder.text("lines") == "1\n2\n")
    await activities.allEnd()
  }

  @Test("If the system grants no activity, nothing is locked, read or written, and the error says so")
  func takesRefusal() throws {
    let file = try file({ _, block in block(true) })
    let error = #expect(throws: FileError(.lock, file.path, .suspended)) {
      try file.update({ $0 }) { _ throws(FileError) in
        Issue.record("the closure must not be called")
        return Data()
      }
    }
    #expect(
      error.map { "\($0)" }?.hasSuffix("the system is suspending the app, which may hold no lock then; try again later")
        == true)
    #expect(try folder.names == ["lines"])
  }

  @Test("An activity that expires while a writer holds the lock leaves the file as it was, and the lock free")
  func endsUnderLock() async throws {
    let file = try file(activities.system)
    #expect(throws: FileError(.write, file.path, .suspended)) {
      try file.update({ $0 }) { _ throws(FileError) in
        activities.expire()
        return Data("2\n".utf8)
      }
    }
    #expect(try folder.text("lines") == "1\n")
    await activities.allEnd()
    #expect(try FileLock.take(folder.url(".lines.lock")) != nil)
  }

  @Test("An activity that expires while a writer waits for the lock ends the waiting")
  func endsWaiting() throws {
    let file = try file(activities.system) { [activities] _ in activities.expire() }
    let lock = try #require(try FileLock.take(folder.url(".lines.lock")))
    #expect(throws: FileError(.lock, file.path, .suspended)) { try file.replace(with: "2") }
    withExtendedLifetime(lock) {}
    #expect(try folder.text("lines") == "1\n")
  }
}

@Suite("Calls in which systems differ")
struct FileSystemCallsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "A durable write asks for the full flush, and for the plain one where the file system has no other",
    arguments: [
      ([0], nil, 1), ([ENOTSUP, 0], nil, 2), ([EINVAL, 0], nil, 2), ([ENOTTY, 0], nil, 2), ([EIO, 0], EIO, 1),
      ([ENOTSUP, EIO], EIO, 2), ([ENOTSUP, EINVAL], EINVAL, 2),
    ] as [([Int32], Int32?, Int)])
  func flushes(codes: [Int32], error: Int32?, made: Int) throws {
    let calls = Locked(0)
    let descriptor = try FileDescriptor(folder.write("1", to: "file").path, O_RDONLY)
    var thrown: FileError.Reason?
    do throws(FileError.Reason) {
      try descriptor.flush(
        codes.map { code in
          { _ in
            calls.withLock { $0 += 1 }
            errno = code
            return code == 0 ? 0 : -1
          }
        })
    } catch { thrown = error }
    #expect(thrown == error.map(FileError.Reason.system))
    #expect(calls.withLock { $0 } == made)
  }

  @Test("A durable update flushes the file and its directory; another one nothing", arguments: [true, false])
  func flushesWhatIsDurable(isDurable: Bool) throws {
    let flushed = Locked(0)
    var file = SharedFile(folder.url("file"), isDurable: isDurable)
    file.calls.flushes = [
      { _ in
        flushed.withLock { $0 += 1 }
        return 0
      }
    ]
    try file.replace(with: "1")
    #expect(flushed.withLock { $0 } == (isDurable ? 2 : 0))
  }

  @Test("A file that is replaced hands its attributes on to the new one while that is empty")
  func keepsAttributes() throws {
    let seen = Locked<[String]>([])
    var file = SharedFile(try folder.write("old", to: "file"))
    file.calls.copyAttributes = { old, new in
      var (from, to) = (stat(), stat())
      guard fstat(old, &from) == 0, fstat(new, &to) == 0 else { return -1 }
      seen.withLock { $0.append("\(from.st_size) bytes to \(to.st_size)") }
      return 0
    }
    try file.replace(with: "newer")
    #expect(seen.withLock { $0 } == ["3 bytes to 0"])
    try file.update({ $0 }) { data throws(FileError) in
      try file.keepCopy("bak")
      return nil
    }
    #expect(seen.withLock { $0 } == ["3 bytes to 0", "5 bytes to 0"])
    #expect(try folder.text("file.bak") == "newer")
  }

  @Test("Attributes that cannot be kept are an error, and the file stays as it was")
  func refusesLoss() throws {
    var file = SharedFile(try folder.write("old", to: "file"))
    file.calls.copyAttributes = { _, _ in
      errno = EACCES
      return -1
    }
    #expect(throws: FileError(.write, file.path, .system(EACCES))) { try file.replace(with: "new") }
    #expect(try folder.text("file") == "old")
    #expect(try folder.names == ["file"])
  }
}
