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

  /// Returns a provider whose values cannot be set.
  public func readOnly() -> ReadOnlyProvider { ReadOnlyProvider(upstream: self) }
}
