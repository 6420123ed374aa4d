extension FlagSet {
  /// Writes the values of a payload that belong to the set, all of them or none.
  ///
  /// A flag that the payload does not name keeps its value; an explicit null is written as one.
  ///
  /// - Parameters:
  ///   - provider: The provider that keeps the values.
  ///   - payload: Values by the names of keys.
  /// - Returns: What the set has no flag for, so that nothing is lost unseen.
  /// - Throws: The provider's error; then nothing has changed.
  public static func update(
    _ provider: some WritableFlagProvider, with payload: [String: FlagValue]
  ) throws(FlagError) -> [String: FlagValue] {
    var unknown = payload
    var values: [FlagKey: FlagValue?] = [:]
    for key in allFlags.map(\.key) {
      if let value = unknown.removeValue(forKey: key.name) { values[key] = .some(value) }
    }
    try provider.write(values)
    return unknown
  }
}
