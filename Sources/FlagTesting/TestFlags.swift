public import FlagDomain
internal import Testing

/// A manager for tests: it gives what a test sets, and remembers what was read.
///
/// ```swift
/// let flags = TestFlags { $0.set(SettingsFlags.newUserProfile, to: true) }
/// let model = SettingsModel(flags: flags)
/// ```
///
/// A flag that was not set has its default; a strict manager then records an issue, too. It may be used from any thread.
public final class TestFlags: FeatureFlagManager {
  private let state: Locked<State>
  private let onUnset: (@Sendable (FlagKey) -> Void)?

  private struct State {
    var values: [FlagKey: any Sendable] = [:]
    var reads: [FlagKey] = []
  }

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - isStrict: Whether reading a flag that was not set is an issue of the running test.
  ///   - set: Sets flags.
  public convenience init(isStrict: Bool = false, _ set: (TestFlags) -> Void = { _ in }) {
    self.init(onUnset: isStrict ? Self.recordIssue : nil, set)
  }

  /// Creates a manager that calls a closure where a flag is read that was not set, such as one of XCTest's failures.
  public init(onUnset: (@Sendable (FlagKey) -> Void)?, _ set: (TestFlags) -> Void = { _ in }) {
    self.onUnset = onUnset
    state = Locked(State())
    set(self)
  }

  /// Returns the value that was set, else the flag's default.
  public func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    let set = state.withLock { state in
      state.reads.append(flag.key)
      return state.values[flag.key]
    }
    // In two steps: the cast of a missing value to an optional type would succeed.
    guard let set, let value = set as? F.Value else {
      onUnset?(flag.key)
      return flag.defaultValue
    }
    return value
  }

  private static let recordIssue: @Sendable (FlagKey) -> Void = { key in
    Issue.record("the flag \(key) was read, and the test has not set it")
  }
}

extension TestFlags {
  /// Sets a flag's value.
  public func set<F: FeatureFlag>(_ flag: F, to value: F.Value) {
    state.withLock { $0.values[flag.key] = value }
  }

  /// Lets a flag have its default again.
  public func unset(_ flag: some FeatureFlag) {
    state.withLock { _ = $0.values.removeValue(forKey: flag.key) }
  }

  /// The keys of the flags that were read, each as often as it was, in order.
  public var reads: [FlagKey] { state.withLock { $0.reads } }

  /// Forgets what was read.
  public func forgetReads() { state.withLock { $0.reads = [] } }

  /// Returns a manager of its own that starts with the same values.
  func copy() -> TestFlags {
    let values = state.withLock { $0.values }
    return TestFlags(onUnset: onUnset) { copy in copy.state.withLock { $0.values = values } }
  }
}
