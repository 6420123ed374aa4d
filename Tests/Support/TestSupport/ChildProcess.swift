package import Foundation
import Synchronization

/// A program that runs beside the tests.
///
/// Foundation's `Process` reads beyond the end of a buffer if this process has more than some 1,300 descriptors open
/// (swift-corelibs-foundation, Swift 6.3), as it does while a server is tested with a thousand connections: it looks
/// through all of them. Here the system closes them, for which each has to be marked when it is opened.
package final class ChildProcess: Sendable {
  /// The number of the process.
  package let id: pid_t
  private let ending = Ending()
  /// Held while a program starts, and while what it must not inherit is made.
  static let starting = Mutex(())

  /// The way in which the program ended.
  private final class Ending: Sendable {
    /// Its exit code, or the number of the signal that ended it; nil while its number is its own.
    let status = Mutex<Int32?>(nil)
    let isKnown = DispatchSemaphore(value: 0)
  }

  /// Why a program does not run.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments, without its own name.
  ///   - folder: Its working directory; nil for that of the tests.
  ///   - environment: Its environment; nil for that of the tests.
  ///   - input: The descriptor that it reads.
  ///   - output: The descriptor that it writes to.
  ///   - errors: The descriptor for what is wrong; nil for that of the tests.
  ///   - seconds: When it is killed, and what it started with it: a test that waits for it fails then, and holds up no
  ///     other.
  /// - Throws: The system's error if the program cannot be run.
  package init(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
    input: Int32? = nil, output: Int32, errors: Int32? = nil, killedAfter seconds: Double = Effort.isLong ? 3600 : 600
  ) throws {
    id = try Self.start(program, arguments, folder, environment, input, output, errors)
    // Even if nothing waits: until a program that has ended is reaped, tests of what ends a process,
    // which wait for any program, are not notified of theirs.
    Thread.detachNewThread { [id, ending] in
      var ended = siginfo_t()
      while waitid(P_PID, id_t(id), &ended, WEXITED | WNOWAIT) == -1, errno == EINTR {}
      // Its number is free for another program from here on.
      ending.status.withLock {
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1, errno == EINTR {}
        $0 = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
      }
      ending.isKnown.signal()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [id, ending] in
      ending.status.withLock { if $0 == nil { kill(-id, SIGKILL) } }
    }
  }
}

extension ChildProcess {
  /// Makes a pipe that no program inherits: its reader sees its end as soon as this process has closed it.
  package static func pipe() -> Pipe {
    starting.withLock { _ in
      let pipe = Pipe()
      for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      return pipe
    }
  }

  /// Waits until the program ends, and returns its exit code, or the number of the signal that ended it.
  package func wait() -> Int32 {
    ending.isKnown.wait()
    ending.isKnown.signal()
    return ending.status.withLock { $0 ?? -1 }
  }

  /// Runs a program to its end, or kills it, with files as its streams, which are removed; waits on this thread.
  package static func run(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
    input: String = "", killedAfter seconds: Double = Effort.isLong ? 3600 : 600
  ) throws -> (output: String, errors: String, status: Int32) {
    let streams = FileManager.default.temporaryDirectory.appending(path: "streams-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
    let files = ["input", "output", "errors"].map { streams.appending(path: $0) }
    for file in files { try Data(file == files[0] ? input.utf8 : "".utf8).write(to: file) }
    let handles = [
      try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
      try FileHandle(forWritingTo: files[2]),
    ]
    let process = try ChildProcess(
      program, arguments, in: folder, environment: environment, input: handles[0].fileDescriptor,
      output: handles[1].fileDescriptor, errors: handles[2].fileDescriptor, killedAfter: seconds)
    let status = process.wait()
    for handle in handles { try handle.close() }
    let (output, errors) = (try Data(contentsOf: files[1]), try Data(contentsOf: files[2]))
    try FileManager.default.removeItem(at: streams)
    return (String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self), status)
  }
}

/// Ends this process in ten minutes: for a test in a process of its own that waits, so that nobody waits for ever.
package func limitThisProcess() { alarm(600) }
