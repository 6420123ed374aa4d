public import FlagDomain

extension FeatureFlagClient: CustomStringConvertible {
  /// Every flag of the catalogs and its value, one per line: `feed.page-size = 20`.
  public var description: String {
    let flags = current.snapshot()
    return catalogs.flatMap(\.flags).map { flag in
      func value(of flag: some FeatureFlag) -> FlagValue { FlagValue(describing: flags.peek(at: flag)) }
      return "\(flag.key) = \(value(of: flag))"
    }.joined(separator: "\n")
  }
}

extension FeatureFlagClient {
  /// The state of all flags for a bug report: every flag of the catalogs with its value, reason and errors.
  ///
  /// It is one consistent snapshot. It does not name the user, but values may reveal something about them.
  ///
  /// ```
  /// providers: in-house, remote
  /// signed in: yes
  /// feed.page-size = 20 (STATIC, in-house, variant large)
  /// feed.theme = "dark" (OVERRIDE, overrides)
  /// ```
  public var bugReport: String {
    let flags = current.snapshot()
    var lines = [
      "providers: \(providerNames.joined(separator: ", "))",
      "signed in: \(current.state.content.context.user == nil ? "no" : "yes")",
    ]
    for flag in catalogs.flatMap(\.flags) { lines.append(explain(flag, in: flags)) }
    return lines.joined(separator: "\n")
  }

  private func explain(_ flag: some FeatureFlag, in flags: any FlagSnapshot) -> String {
    let resolution = flags.resolution(of: flag)
    let facts = ["\(resolution.reason)", resolution.provider, resolution.variant.map { "variant \($0)" }]
    let value = FlagValue(describing: resolution.value)
    let line = "\(flag.key) = \(value) (\(facts.compactMap { $0 }.joined(separator: ", ")))"
    return ([line] + resolution.errors.map { "  \($0)" }).joined(separator: "\n")
  }

  /// Returns the current value of a key, and whether it is overridden; nil for a key that is in no catalog.
  ///
  /// It is for consoles and command lines, which know keys but no types. A value that cannot be encoded is
  /// returned as its description.
  public func overrideState(forKey key: FlagKey) -> OverrideState<FlagValue>? {
    catalogs.flatMap(\.flags).first { $0.key == key }.map { overrides.overrideState(of: $0) }
  }

  /// Returns the changes from now on, with the values that changed.
  ///
  /// The sequence has one consumer and covers the flags of the catalogs; a flag that was registered in the meantime
  /// counts as changed. A change that affects none of their values is left out. Several changes may be merged into one.
  /// The sequence ends when the consuming task is cancelled, or the client is released.
  public func valueChanges() -> FlagValues<FlagValueChange> {
    FlagValues(changes: current.changes()) { [weak current, registered] in
      guard let flags = current?.snapshot() else { return nil }
      return registered.catalogs.reduce(into: [:]) { $0.merge($1.values(in: flags)) { first, _ in first } }
    }
  }

  /// Returns a set as it is, then after each change of one of its flags: each element is a consistent snapshot.
  ///
  /// ```swift
  /// for await feed in client.values(of: FeedFlags.self) { show(feed.pageSize, feed.layout) }
  /// ```
  ///
  /// The sequence has one consumer. A slow one may miss elements, but never the newest. The sequence ends when the
  /// consuming task is cancelled, or the client is released.
  public func values<Flags: FlagSet>(of set: Flags.Type) -> FlagValues<Flags> {
    FlagValues(of: set.catalog, changes: current.changes(), snapshot: { [weak current] in current?.snapshot() }) {
      Flags($0)
    }
  }
}
