/// The flags that the closure of a derived flag reads, for the time of its call.
public enum _DerivedFlags: Sendable {
  private struct Scope: Sendable {
    var manager: any FeatureFlagManager = FixedFlags()
    /// The derived flags whose closures run, outermost first.
    var chain: [FlagKey] = []
  }

  @TaskLocal private static var scope = Scope()

  /// The manager that the closure reads.
  public static var manager: any FeatureFlagManager { scope.manager }

  /// Returns the value of a derived flag, whose closure reads a manager.
  ///
  /// - Throws: An error if the flag follows from itself.
  package static func value<Value>(
    of flag: some FeatureFlag<Value>, in context: EvaluationContext, from manager: any FeatureFlagManager
  ) throws(FlagError) -> Value? {
    let chain = scope.chain + [flag.key]
    guard !scope.chain.contains(flag.key) else {
      let names = chain.map(\.name).joined(separator: " from ")
      throw FlagError(.general, "expected a flag that follows from others, found \(names)", key: flag.key)
    }
    return $scope.withValue(Scope(manager: manager, chain: chain)) { flag.computed?(context) }
  }
}

/// The flags of a set that a derived flag reads, which are made when it is read first.
final class LazyFlags<Flags: _PlacedFlags>: Sendable {
  private let made = Locked<Flags?>(nil)
  private let make: @Sendable () -> Flags

  init(_ make: @escaping @Sendable () -> Flags) { self.make = make }

  var flags: Flags {
    if let flags = made.withLock({ $0 }) { return flags }
    let new = make()  // runs the app's code, and so with no lock held
    return made.withLock { flags in
      let first = flags ?? new
      flags = first
      return first
    }
  }
}
