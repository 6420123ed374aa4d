import FlagSupport
import Testing

@Suite("Threads and errors of the system")
struct SystemThreadTests {
  @Test("Work runs on another thread, which has the name")
  func runs() async throws {
    let name = try await withCheckedThrowingContinuation { continuation in
      do throws(SystemError) {
        try SystemThread.start("flags.test") { continuation.resume(returning: Self.threadName) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(Self.threadName != name)
    #if os(Linux)
      #expect(name == "flags.test")
    #endif
  }

  @Test("What the work holds is released after it")
  func releases() async throws {
    final class Held: Sendable {
      let onEnd: @Sendable () -> Void
      init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let held = Held { continuation.resume() }
      do throws(SystemError) {
        try SystemThread.start("flags.test") { withExtendedLifetime(held) {} }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("A thread sleeps for the time, and not at all for one that is over", arguments: [-1, 0, 3])
  func sleeps(milliseconds: Int) {
    let time = ContinuousClock().measure { SystemThread.sleep(.milliseconds(milliseconds)) }
    #expect(time >= .milliseconds(milliseconds))
  }

  @Test("An error has the system's words for its number")
  func describesErrors() {
    #expect("\(SystemError(code: ENOENT))" == "No such file or directory")
    errno = EACCES
    #expect(SystemError() == SystemError(code: EACCES))
  }

  /// The name of the calling thread, as Linux has it; elsewhere its address.
  private static var threadName: String {
    #if os(Linux)
      let file = open("/proc/thread-self/comm", O_RDONLY)
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(file, &bytes, bytes.count)
      // Without the line feed.
      return String(decoding: bytes.prefix(count - 1), as: UTF8.self)
    #else
      return "\(pthread_self())"
    #endif
  }
}
