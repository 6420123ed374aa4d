import FlagDomain

/// The keys of flags in providers, if the client has a style of keys.
///
/// Keys of the catalogs are known from the beginning; the key of another flag is computed when it is first resolved.
final class ProviderKeys: Sendable {
  private let style: KeyStyle?
  private let known: [FlagKey: FlagKey]
  /// The keys of other flags, found without a lock.
  private let others = GrowingMap<FlagKey, FlagKey>(listCount: 256)

  /// Creates keys that are the flags' own.
  init() {
    style = nil
    known = [:]
  }

  init(_ style: KeyStyle, for flags: [any FeatureFlag]) throws(FeatureFlagClientError) {
    var known: [FlagKey: FlagKey] = [:]
    var flagKeys: [FlagKey: [FlagKey]] = [:]
    for flag in flags {
      let key: FlagKey
      do throws(FlagError) {
        key = try style.providerKey(of: flag)
      } catch {
        throw .invalidProviderKey(error)
      }
      known[flag.key] = key
      flagKeys[key, default: []].append(flag.key)
    }
    if let (key, flags) = flagKeys.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key }) {
      throw .sharedProviderKey(key, flags: flags.sorted())
    }
    self.style = style
    self.known = known
  }

  func key(of flag: some FeatureFlag) throws(FlagError) -> FlagKey {
    guard let style else { return flag.key }
    if let key = known[flag.key] ?? others.value(of: flag.key, hash: flag.key.index) { return key }
    let key = try style.providerKey(of: flag)
    _ = others.add(key, for: flag.key, hash: flag.key.index)
    return key
  }

  /// Returns the key of a flag of the catalogs.
  func listed(_ key: FlagKey) -> FlagKey { known[key] ?? key }

  func flagKeys(for keys: ChangedKeys) -> ChangedKeys {
    guard style != nil, case .some(let names) = keys else { return keys }
    var flagNames = names
    let pairs = known.merging(others.elements) { known, _ in known }
    for (flag, provider) in pairs where !names.contains(provider.name) { flagNames.remove(flag.name) }
    for (flag, provider) in pairs where names.contains(provider.name) { flagNames.insert(flag.name) }
    return .some(flagNames)
  }
}
