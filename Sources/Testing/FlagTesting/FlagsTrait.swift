public import Testing

/// A trait that sets flags for one test, or for every test of a suite.
///
/// ```swift
/// @Test("The profile has badges", .flags { $0.set(SettingsFlags.newUserProfile, to: true) })
/// func badges() { #expect(SettingsModel(flags: ScopedFlags()).screen.contains("Badges")) }
/// ```
public struct FlagsTrait: TestTrait, SuiteTrait, TestScoping {
  private let set: @Sendable (TestFlags) -> Void
  private let isStrict: Bool
  private let sourceLocation: SourceLocation

  /// Always true: every test of a suite has its own flags.
  public var isRecursive: Bool { true }

  fileprivate init(
    isStrict: Bool, sourceLocation: SourceLocation, _ set: @escaping @Sendable (TestFlags) -> Void
  ) {
    self.isStrict = isStrict
    self.sourceLocation = sourceLocation
    self.set = set
  }

  /// Runs a test with its flags.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let flags =
      isStrict
      ? TestFlags(isStrict: true, at: sourceLocation) : ScopedFlags.scope?.copy() ?? TestFlags()
    set(flags)
    try await ScopedFlags.$scope.withValue(flags, operation: function)
  }
}

extension Trait where Self == FlagsTrait {
  /// Sets flags for ``ScopedFlags``.
  ///
  /// - Parameters:
  ///   - isStrict: Whether reading a flag that was not set is an issue; flags set by enclosing suites then do not
  ///     count.
  ///   - sourceLocation: The line that such an issue is reported at, by default that of the call.
  ///   - set: Sets flags.
  /// - Returns: A trait for a test or a suite.
  public static func flags(
    isStrict: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
    _ set: @escaping @Sendable (TestFlags) -> Void
  ) -> Self {
    FlagsTrait(isStrict: isStrict, sourceLocation: sourceLocation, set)
  }
}
