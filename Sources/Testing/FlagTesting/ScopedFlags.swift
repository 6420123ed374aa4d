public import FlagDomain

/// A manager that reads the flags of the current scope: a trait, or a call of `withFlags`.
///
/// Flags that the scope does not set are read from a base manager, or have their default. Scopes are task-local: tests
/// that run in parallel do not see each other's. Detached tasks and other threads are in no scope.
public struct ScopedFlags: FeatureFlagManager {
  @TaskLocal static var scope: TestFlags?

  private let base: any FeatureFlagManager

  /// Creates a manager over a base manager, which is read for flags that no scope sets.
  public init(over base: any FeatureFlagManager = TestFlags()) { self.base = base }

  /// Returns the flag's value in the scope, or else in the base manager.
  public func variation<Value>(for flag: some FeatureFlag<Value>) -> Value {
    guard let scope = Self.scope else { return base.variation(for: flag) }
    if let given = scope.given(flag) { return given.value }
    scope.reportUnset(flag)
    return base.variation(for: flag)
  }

  /// Returns the flag's default in the base manager.
  public func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value { base.defaultValue(of: flag) }
}

/// Runs a closure in a scope with other values of flags for ``ScopedFlags``.
///
/// Scopes nest: flags that are not set here have the values of the outer scope.
public func withFlags<Result>(
  _ set: (TestFlags) -> Void, run body: () throws -> Result
) rethrows -> Result {
  try ScopedFlags.$scope.withValue(scope(set), operation: body)
}

/// Runs an asynchronous closure in a scope with other values of flags for ``ScopedFlags``.
public func withFlags<Result>(
  isolation: isolated (any Actor)? = #isolation, _ set: (TestFlags) -> Void, run body: () async throws -> Result
) async rethrows -> Result {
  try await ScopedFlags.$scope.withValue(scope(set), operation: body)
}

/// Returns the flags of the outer scope, with other values for some.
private func scope(_ set: (TestFlags) -> Void) -> TestFlags {
  let flags = ScopedFlags.scope?.copy() ?? TestFlags()
  set(flags)
  return flags
}
