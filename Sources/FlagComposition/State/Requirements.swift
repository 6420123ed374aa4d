import FlagDomain

/// The flags of the catalogs that others require, those that require them, and those that follow from others.
final class Requirements: Sendable {
  private let required: [FlagKey: any FeatureFlag<Bool>]
  /// The names of the flags that require a flag, directly or through others, by its name.
  private let dependents: [String: Set<String>]
  /// The names of the flags that follow from others; which ones is known only while they are read.
  private let derived: Set<String>

  /// The errors of some flags, which are off.
  let errors: [FeatureFlagClientError]
  /// The number of the change of the catalogs that these are of.
  let revision: Int

  /// The most flags that one requires, directly or through others, since each read reads all of them.
  static let maximumChain = 16

  /// Creates the requirements of flags.
  init(of flags: [any FeatureFlag] = [], revision: Int = 0) {
    let all = Dictionary(flags.map { ($0.key, $0) }) { first, _ in first }
    var required: [FlagKey: any FeatureFlag<Bool>] = [:]
    var dependents: [String: Set<String>] = [:]
    var errors: [FeatureFlagClientError] = []
    for flag in flags {
      do throws(FeatureFlagClientError) {
        for other in try Self.chain(of: flag, in: all) {
          required[other.key] = other
          dependents[other.key.name, default: []].insert(flag.key.name)
        }
      } catch {
        errors.append(error)
      }
    }
    (self.required, self.dependents, self.errors, self.revision) = (required, dependents, errors, revision)
    derived = Set(flags.filter(\.metadata.isDerived).map(\.key.name))
  }

  /// Returns the flags that a flag requires, directly or through others.
  ///
  /// - Throws: An error if one is not there, is not boolean, changes at other times, or requires the flag in turn, or
  ///   if they are more than ``maximumChain``.
  private static func chain(
    of flag: any FeatureFlag, in all: [FlagKey: any FeatureFlag]
  ) throws(FeatureFlagClientError) -> [any FeatureFlag<Bool>] {
    var (chain, last): ([any FeatureFlag<Bool>], any FeatureFlag) = ([], flag)
    while let key = last.metadata.requires {
      func error(_ expected: String) -> FeatureFlagClientError {
        .invalidRequirement(flag.key, requires: key, expected)
      }
      guard let other = all[key] else { throw error("a flag of the catalogs") }
      guard let boolean = other as? any FeatureFlag<Bool> else { throw error("a boolean flag") }
      if key == flag.key || chain.contains(where: { $0.key == key }) { throw error("one that does not require it") }
      if last.traits.contains(.requiresRestart), !other.traits.contains(.requiresRestart) {
        throw error("one that needs a restart, too")
      }
      guard chain.count < maximumChain else { throw error("at most \(maximumChain) flags, one through another") }
      chain.append(boolean)
      last = other
    }
    return chain
  }

  /// Returns the flag of a key, if another flag of the catalogs requires it.
  func flag(_ key: FlagKey) -> (any FeatureFlag<Bool>)? { required[key] }

  /// Returns keys that changed, with those of the flags that require them, or may follow from them.
  func dependents(of keys: ChangedKeys) -> ChangedKeys {
    guard case .some(var names) = keys, !names.isEmpty else { return keys }
    names.formUnion(derived)
    for others in ChangedKeys.some(names).members(of: dependents) { names.formUnion(others) }
    return .some(names)
  }
}
