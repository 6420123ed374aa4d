extension FlagCatalog {
  /// Returns the value that each flag has in a manager, as providers store it, by its key.
  ///
  /// Read from a snapshot, the values are consistent. So the values of a set at two moments can be compared, or stored.
  /// A set itself is not equatable, since its values change.
  ///
  /// ```swift
  /// FeedFlags.catalog.values(in: snapshots.snapshot())
  /// ```
  ///
  /// The reads do not count as exposures.
  ///
  /// - Parameter manager: The manager to read the flags from.
  /// - Returns: The values; one that cannot be encoded is represented by its text.
  public func values(in manager: any FeatureFlagManager) -> [FlagKey: FlagValue] {
    func value(of flag: some FeatureFlag) -> FlagValue { FlagValue(describing: manager.peek(at: flag)) }
    var values: [FlagKey: FlagValue] = [:]
    for flag in flags { values[flag.key] = value(of: flag) }
    return values
  }

  /// Writes the values of a payload that belong to flags of the catalog, all of them or none.
  ///
  /// A flag that the payload does not name keeps its value; an explicit null is written as one.
  ///
  /// - Parameters:
  ///   - provider: The provider that stores the values.
  ///   - payload: Values by the names of keys, as the provider knows them.
  ///   - keys: The style of the provider's keys, if the client has one; nil for the flags' own keys.
  /// - Returns: The values that belong to no flag of the catalog.
  /// - Throws: The provider's error, or that of a style that produces an invalid key; then nothing has changed.
  @discardableResult
  public func update(
    _ provider: some WritableFlagProvider, with payload: [String: FlagValue], keys: KeyStyle? = nil
  ) throws(FlagError) -> [String: FlagValue] {
    var unknown = payload
    var values: [FlagKey: FlagValue?] = [:]
    for flag in flags {
      let key = try keys?.providerKey(of: flag) ?? flag.key
      if let value = unknown.removeValue(forKey: key.name) { values[key] = .some(value) }
    }
    try provider.write(values)
    return unknown
  }
}

extension FlagCatalog: Hashable {
  /// Returns whether two catalogs have the same name and metadata, and the same flags and groups in the same order.
  public static func == (left: FlagCatalog, right: FlagCatalog) -> Bool {
    left.name == right.name && left.metadata == right.metadata && left.items == right.items
  }

  /// Feeds the names and keys to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(items)
  }
}

extension FlagCatalog.Item: Hashable {
  /// Returns whether two items are equal groups, or the same flag.
  ///
  /// Flags are the same if their types, keys, defaults and metadata are equal, and both or neither have a closure.
  /// Defaults are compared by their encoding or, if they cannot be encoded, by their text.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.flag(let left), .flag(let right)): left.isSame(as: right)
    case (.group(let left), .group(let right)): left == right
    default: false
    }
  }

  /// Feeds the flag's key, or the group, to a hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .flag(let flag): hasher.combine(flag.key)
    case .group(let group): hasher.combine(group)
    }
  }
}

extension FeatureFlag {
  fileprivate func isSame<Other: FeatureFlag>(as other: Other) -> Bool {
    Value.self == Other.Value.self && key == other.key && metadata == other.metadata
      && FlagValue(describing: defaultValue) == FlagValue(describing: other.defaultValue)
      && (computed == nil) == (other.computed == nil)
  }
}
