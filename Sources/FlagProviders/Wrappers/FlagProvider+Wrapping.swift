public import FlagDomain

extension FlagProvider {
  /// Returns a provider that looks keys up with a prefix.
  ///
  /// `provider.prefixed(with: "app")` queries the provider for `app.new-user-profile` if a flag's key is
  /// `new-user-profile`.
  public func prefixed(with prefix: FlagKey, separator: String = ".") -> KeyMappingProvider<Self> {
    let start = prefix.name + separator
    return KeyMappingProvider(
      upstream: self,
      keys: KeyMapping { [keys = PrefixedKeys(start)] key in
        keys.key(of: key)
      } downstream: { name in
        name.hasPrefix(start) ? [String(name.dropFirst(start.count))] : []
      })
  }

  /// Returns a provider that looks some keys up under the provider's own names.
  ///
  /// The names may be any strings: `provider.renamed(["new-profile": "New profile"])`.
  public func renamed(_ names: [FlagKey: String]) -> KeyMappingProvider<Self> {
    let keys = names.mapValues { FlagKey(providerName: $0) }
    let own = Set(names.keys.map(\.name))
    return KeyMappingProvider(
      upstream: self,
      keys: KeyMapping {
        keys[$0] ?? $0
      } downstream: { name in
        Set(names.filter { $0.value == name }.keys.map(\.name)).union(own.contains(name) ? [] : [name])
      })
  }

  /// Returns a provider that has no answers for some keys.
  public func excluding(_ keys: Set<FlagKey>) -> KeyMappingProvider<Self> {
    let names = Set(keys.map(\.name))
    return KeyMappingProvider(
      upstream: self,
      keys: KeyMapping {
        keys.contains($0) ? nil : $0
      } downstream: {
        names.contains($0) ? [] : [$0]
      })
  }

  /// Returns a provider that has no answers for the flags of a set and of the groups inside it.
  public func excluding(_ set: (some FlagSet).Type) -> KeyMappingProvider<Self> {
    excluding(Set(set.allFlags.map(\.key)))
  }

  /// Returns a provider that has no answers for the flags of an enum.
  public func excluding(_ flags: (some EnumeratedFlag).Type) -> KeyMappingProvider<Self> {
    excluding(Set(flags.allCases.map(\.key)))
  }

  /// Returns a provider that has answers for some keys only.
  ///
  /// With ``named(_:)``, one source can stand at two places: before another provider for some flags, behind it for the
  /// rest.
  public func only(_ keys: Set<FlagKey>) -> KeyMappingProvider<Self> {
    let names = Set(keys.map(\.name))
    return KeyMappingProvider(
      upstream: self,
      keys: KeyMapping {
        keys.contains($0) ? $0 : nil
      } downstream: {
        names.contains($0) ? [$0] : []
      })
  }

  /// Returns a provider that has answers for the flags of a set and of the groups inside it only.
  public func only(_ set: (some FlagSet).Type) -> KeyMappingProvider<Self> {
    only(Set(set.allFlags.map(\.key)))
  }

  /// Returns a provider that has answers for the flags of an enum only.
  public func only(_ flags: (some EnumeratedFlag).Type) -> KeyMappingProvider<Self> {
    only(Set(flags.allCases.map(\.key)))
  }

  /// Returns a provider with another name, since the names of a client's providers differ.
  public func named(_ name: String) -> KeyMappingProvider<Self> {
    KeyMappingProvider(
      upstream: self,
      keys: KeyMapping {
        $0
      } downstream: {
        [$0]
      }, name: name)
  }

  /// Returns a provider whose values cannot be set.
  public func readOnly() -> ReadOnlyProvider { ReadOnlyProvider(upstream: self) }
}
