public import FlagDomain

/// A manager that reads from the flags of the scope it is read in: those of a trait or of a call of `withFlags`.
///
/// Outside of any scope it reads from a manager that it was given, or gives defaults. Scopes follow the task: tests that
/// run in parallel do not see each other's. A detached task and a thread of its own are in no scope.
public struct ScopedFlags: FeatureFlagManager {
  @TaskLocal static var scope: TestFlags?

  private let base: any FeatureFlagManager

  /// Creates a manager over another one, which is read outside of any scope and never changed.
  public init(over base: any FeatureFlagManager = TestFlags()) { self.base = base }

  /// Returns the flag's value in the scope.
  public func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    (Self.scope ?? base).variation(for: flag)
  }
}

/// Runs a body in which flags have other values for ``ScopedFlags``, and restores them, whatever happens.
///
/// Scopes nest: what is not set here is as it was outside.
public func withFlags<Result>(
  _ set: (TestFlags) -> Void, run body: () throws -> Result
) rethrows -> Result {
  try ScopedFlags.$scope.withValue(scope(set), operation: body)
}

/// Runs an asynchronous body in which flags have other values for ``ScopedFlags``, and restores them, whatever happens.
public func withFlags<Result>(
  isolation: isolated (any Actor)? = #isolation, _ set: (TestFlags) -> Void, run body: () async throws -> Result
) async rethrows -> Result {
  try await ScopedFlags.$scope.withValue(scope(set), operation: body)
}

/// Returns the flags of the scope around, with some set otherwise.
private func scope(_ set: (TestFlags) -> Void) -> TestFlags {
  let flags = ScopedFlags.scope?.copy() ?? TestFlags()
  set(flags)
  return flags
}
