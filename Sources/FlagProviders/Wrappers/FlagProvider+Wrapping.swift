public import FlagDomain

extension FlagProvider {
  /// Returns a provider that looks keys up under a prefix, which it joins to them by a separator.
  ///
  /// `provider.prefixed(with: "app")` asks the provider for `app.new-user-profile` where a flag's key is
  /// `new-user-profile`.
  public func prefixed(with prefix: FlagKey, separator: String = ".") -> RekeyedProvider<Self> {
    let start = prefix.name + separator
    return RekeyedProvider(
      upstream: self,
      keys: KeyMapping {
        FlagKey(start + $0.name)
      } downstream: { key in
        guard key.name.hasPrefix(start), let own = FlagKey(String(key.name.dropFirst(start.count))) else { return [] }
        return [own]
      })
  }

  /// Returns a provider that looks some keys up under other names: those that stand behind the flags' own.
  public func renamed(_ names: [FlagKey: FlagKey]) -> RekeyedProvider<Self> {
    RekeyedProvider(
      upstream: self,
      keys: KeyMapping {
        names[$0] ?? $0
      } downstream: { key in
        Set(names.filter { $0.value == key }.keys).union(names[key] == nil ? [key] : [])
      })
  }

  /// Returns a provider that has no answers for some keys.
  public func excluding(_ keys: Set<FlagKey>) -> RekeyedProvider<Self> {
    RekeyedProvider(
      upstream: self,
      keys: KeyMapping {
        keys.contains($0) ? nil : $0
      } downstream: {
        keys.contains($0) ? [] : [$0]
      })
  }

  /// Returns a provider whose values cannot be set.
  public func readOnly() -> ReadOnlyProvider<Self> { ReadOnlyProvider(upstream: self) }
}
