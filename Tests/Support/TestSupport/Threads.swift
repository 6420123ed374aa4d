import Foundation

/// Runs what waits or spins on a thread of its own, since tasks share as few threads as there are cores.
///
/// - Parameters:
///   - stackSize: The bytes of the thread's stack; nil for what the system gives.
///   - work: What the thread does.
/// - Returns: What the work returns.
/// - Throws: What the work throws.
package func onThread<Outcome: Sendable>(
  stackSize: Int? = nil, _ work: @escaping @Sendable () throws -> Outcome
) async throws -> Outcome {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try work() }) }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
}

/// Runs a closure on a number of threads of their own at a time.
package func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<count { group.addTask { try await onThread { try work(number) } } }
    try await group.waitForAll()
  }
}

/// A thread with as little stack as threads of Apple's systems have: 512 KiB.
package enum SmallStack {
  /// Runs work on such a thread; `FLAGS_STACK_KIB` gives it another stack.
  package static func run<Outcome: Sendable>(_ work: @escaping @Sendable () throws -> Outcome) async throws -> Outcome {
    let kibibytes = ProcessInfo.processInfo.environment["FLAGS_STACK_KIB"].flatMap { Int($0) } ?? 512
    return try await onThread(stackSize: kibibytes * 1024, work)
  }
}

/// Waits for what happens on other threads, or in other programs, by asking again and again.
///
/// - Parameter isMet: Whether it has happened.
/// - Throws: Where it has not happened in ten minutes, the test is cancelled, or asking fails.
package func waitUntil(_ isMet: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(600)
  while try await !isMet() {
    guard ContinuousClock.now < end else { throw NeverMet() }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// The awaited condition did not occur.
private struct NeverMet: Error {}
