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

/// Lets one of all the tests that have it run at a time.
///
/// For tests that compute for seconds: tests share as few threads as there are cores, and those that wait for peers
/// and files wait for a thread, too. A core is left to them.
package struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard Effort.isThorough else { return try await function() }
    await Turn.shared.begin()
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await function()) } catch { outcome = .failure(error) }
    await Turn.shared.end()
    try outcome.get()
  }
}

package extension Trait where Self == OneAtATime {
  /// Lets one of all the tests that have it run at a time.
  static var oneAtATime: Self { Self() }
}

/// Whose turn it is, first come, first served.
private actor Turn {
  static let shared = Turn()
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func begin() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  func end() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
