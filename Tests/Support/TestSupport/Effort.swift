import Foundation
package import Testing

/// The number of rounds of a test.
package enum Effort {
  /// Whether tests may take longer than CI allows: `FLAGS_LONG=1`.
  package static let isLong = ProcessInfo.processInfo.environment["FLAGS_LONG"] == "1"

  /// Whether tests may take longer than an everyday run allows: `FLAGS_THOROUGH=1`, as in CI.
  ///
  /// In an everyday run no test takes longer than two seconds by itself.
  package static let isThorough = isLong || ProcessInfo.processInfo.environment["FLAGS_THOROUGH"] == "1"

  /// Whether the tests were built with optimization, so that their times are meaningful.
  package static let isOptimized = {
    var isOptimized = true
    assert(
      {
        isOptimized = false
        return true
      }())
    return isOptimized
  }()

  /// Returns how often a test tries something.
  ///
  /// - Parameters:
  ///   - usual: How often it does in an everyday run.
  ///   - thorough: How often it does in CI; nil for no more than usual.
  ///   - long: How often it does if more is asked for than CI has time for; nil for no more than in CI.
  /// - Returns: One of the three.
  package static func rounds(_ usual: Int, thorough: Int? = nil, long: Int? = nil) -> Int {
    if isLong, let long { return long }
    return isThorough ? thorough ?? usual : usual
  }
}

/// Lets two of all the tests that have it run at a time, on threads of their own.
///
/// For tests that compute for seconds: other tests share as few threads as there are cores, and those that wait for
/// peers and files wait for a thread, too.
package struct Computing: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard Effort.isThorough else { return try await function() }
    await Places.shared.enter()
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() })
    } catch {
      outcome = .failure(error)
    }
    await Places.shared.leave()
    try outcome.get()
  }
}

package extension Trait where Self == Computing {
  /// Lets two of all the tests that have it run at a time, on threads of their own.
  static var computing: Self { Self() }
}

/// An executor that runs each job on a new thread.
private final class ThreadPerJob: TaskExecutor {
  static let shared = ThreadPerJob()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
  }
}

/// The places of tests that run, first come, first served.
private actor Places {
  static let shared = Places()
  private var free = 2
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
