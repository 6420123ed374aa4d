public import FlagDomain

extension FlagComposition {
  /// Returns the running value under a key, and whether an override made it so; nil for a key that no catalog has.
  ///
  /// For browsers and command lines, which know keys and no types. A value that cannot be encoded stands as its text.
  public func overrideState(forKey key: FlagKey) -> OverrideState<FlagValue>? {
    catalogs.flatMap(\.flags).first { $0.key == key }.map { rawState(of: $0) }
  }

  private func rawState<F: FeatureFlag>(of flag: F) -> OverrideState<FlagValue> {
    switch live.overrideState(of: flag) {
    case .original(let value): .original(raw(value))
    case .overridden(let value, let original): .overridden(raw(value), original: raw(original))
    }
  }

  private func raw(_ value: some Sendable) -> FlagValue {
    guard let encodable = value as? any Encodable else { return .string("\(value)") }
    do throws(FlagError) {
      return try FlagValue(encoding: encodable)
    } catch {
      return .string("\(value)")
    }
  }
}
