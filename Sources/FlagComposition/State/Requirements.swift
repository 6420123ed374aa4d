import FlagDomain

/// The flags of the catalogs that others require, and those that require them.
final class Requirements: Sendable {
  private let required: [FlagKey: any FeatureFlag<Bool>]
  /// The flags that require a flag, directly or through others.
  private let dependents: [FlagKey: Set<FlagKey>]

  /// Creates the requirements of no catalog.
  init() { (required, dependents) = ([:], [:]) }

  /// Creates the requirements of flags.
  ///
  /// - Throws: An error if a flag requires one that is not there, or is not boolean, or that requires it in turn.
  init(of flags: [any FeatureFlag]) throws(FeatureFlagClientError) {
    let all = Dictionary(flags.map { ($0.key, $0) }) { first, _ in first }
    var required: [FlagKey: any FeatureFlag<Bool>] = [:]
    var dependents: [FlagKey: Set<FlagKey>] = [:]
    for flag in flags {
      var (next, chain) = (flag.metadata.requires, [flag.key])
      while let key = next {
        if chain.contains(key) { throw .invalidRequirement(flag.key, requires: key, "one that does not require it") }
        guard let other = all[key] else { throw .invalidRequirement(flag.key, requires: key, "a flag of the catalogs") }
        guard let other = other as? any FeatureFlag<Bool> else {
          throw .invalidRequirement(flag.key, requires: key, "a boolean flag")
        }
        required[key] = other
        dependents[key, default: []].insert(flag.key)
        chain.append(key)
        next = other.metadata.requires
      }
    }
    (self.required, self.dependents) = (required, dependents)
  }

  /// Returns the flag of a key, if another flag of the catalogs requires it.
  func flag(_ key: FlagKey) -> (any FeatureFlag<Bool>)? { required[key] }

  /// Returns keys that changed, with those of the flags that require them.
  func dependents(of keys: ChangedKeys) -> ChangedKeys {
    guard !dependents.isEmpty, case .some(var names) = keys else { return keys }
    for (key, others) in dependents where names.contains(key.name) { names.formUnion(others.map(\.name)) }
    return .some(names)
  }
}
