/// Sets values over everything else: for developers, testers and launch arguments.
///
/// Overrides stay until they are cleared, whatever providers say, and are stored. Every requirement may be called from
/// any thread.
public protocol FlagOverriding: Sendable {
  /// Every stored override, those included that wait for a restart.
  var overrides: [FlagKey: FlagValue] { get }

  /// The keys of flags whose override, or its removal, counts only from the next start.
  var keysAwaitingRestart: Set<FlagKey> { get }

  /// Sets overrides, and clears those whose value is nil, in one change.
  ///
  /// - Parameter values: The overrides by key. A key that no flag has is stored all the same.
  /// - Throws: The store's error; then nothing is changed.
  func setOverrides(_ values: [FlagKey: FlagValue?]) throws(FlagError)

  /// Clears every override, and deletes what is stored of it, in one change.
  ///
  /// - Throws: The store's error; then nothing is changed.
  func clearOverrides() throws(FlagError)

  /// Returns the running value of a flag, and whether an override made it so.
  func overrideState<F: FeatureFlag>(of flag: F) -> OverrideState<F.Value>
}

extension FlagOverriding {
  /// Overrides a flag.
  ///
  /// - Throws: A type mismatch where the value cannot be encoded, or the store's error; then nothing is changed.
  public func override<F: FeatureFlag>(_ flag: F, with value: F.Value) throws(FlagError) where F.Value: Encodable {
    try setOverrides([flag.key: FlagValue(encoding: value)])
  }

  /// Clears the override of a flag, if there is one, and deletes what is stored of it.
  ///
  /// - Throws: The store's error; then nothing is changed.
  public func clearOverride(of flag: some FeatureFlag) throws(FlagError) {
    try setOverrides([flag.key: nil])
  }
}

/// The value of a flag, and whether an override made it so: for a boolean flag, four states.
public enum OverrideState<Value: Sendable>: Sendable {
  /// No override counts: the value is what the flag has by itself.
  case original(Value)
  /// An override counts; the original is what the flag would have without it.
  case overridden(Value, original: Value)
}

extension OverrideState: Equatable where Value: Equatable {}

extension OverrideState {
  /// The running value.
  public var value: Value {
    switch self {
    case .original(let value), .overridden(let value, _): value
    }
  }

  /// Whether an override made the value.
  public var isOverridden: Bool {
    if case .overridden = self { true } else { false }
  }
}

extension OverrideState: CustomStringConvertible {
  /// The state in words: `on`, `off`, `overridden on`, `overridden off`, or the value.
  public var description: String {
    let text = (value as? Bool).map { $0 ? "on" : "off" } ?? "\(value)"
    return isOverridden ? "overridden \(text)" : text
  }
}
