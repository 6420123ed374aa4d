public import FlagDomain
public import FlagFoundation
import FlagSupport

/// An error in the providers or keys from which a client is created.
public enum FeatureFlagClientError: Error, Hashable, Sendable {
  /// Two providers have the same name, so that resolutions, exclusions and writes would be ambiguous.
  case sharedProviderName(String)
  /// A flag names a provider to query or to skip that is not among those of the client.
  case unknownProvider(String, flag: FlagKey, known: [String])
  /// A flag requires one that is not there, is not boolean, or requires it in turn.
  case invalidRequirement(FlagKey, requires: FlagKey, String)
  /// The style of keys gives several flags the same key.
  case sharedProviderKey(FlagKey, flags: [FlagKey])
  /// The style of keys gives a flag an invalid key.
  case invalidProviderKey(FlagError)
}

extension FeatureFlagClientError: CustomStringConvertible {
  /// The message, with the expected and the found value.
  public var description: String {
    switch self {
    case .sharedProviderName(let name): "expected providers of different names, found two with the name \"\(name)\""
    case .unknownProvider(let name, let flag, let known):
      "\(flag): expected the name of a provider (\(known.map { "\"\($0)\"" }.joined(separator: ", "))), "
        + "found \"\(name)\"" + (known.closest(to: name).map { ": did you mean \"\($0)\"?" } ?? "")
    case .invalidRequirement(let flag, let required, let expected):
      "\(flag): expected to require \(expected), found \(required)"
    case .sharedProviderKey(let key, let flags):
      "expected a style that gives each flag a key of its own, found \(key) for "
        + flags.map(\.name).joined(separator: ", ")
    case .invalidProviderKey(let error): "\(error)"
    }
  }
}

extension FeatureFlagClientError: LocalizedError {
  /// The localized message, which is the description.
  public var errorDescription: String? { description }
}

extension FeatureFlagClientError {
  /// Throws if a flag names a provider that is not there: it would silently be read from others.
  ///
  /// Without any provider, it may be a preview or a test, in which all flags have their defaults.
  static func checkProviders(
    of flags: [any FeatureFlag], among providers: [any FlagProvider]
  ) throws(FeatureFlagClientError) {
    let known = Set(providers.map(\.name))
    guard !known.isEmpty else { return }
    for flag in flags where flag.traits.contains(.excludesProviders) {
      let named = (flag.metadata.providers ?? []).union(flag.metadata.excludedProviders)
      if let name = named.subtracting(known).min() {
        throw .unknownProvider(name, flag: flag.key, known: providers.map(\.name))
      }
    }
  }

  /// Throws if two providers share a name, or one has the name of overrides.
  static func checkNames(of providers: [any FlagProvider]) throws(FeatureFlagClientError) {
    var names: Set<String> = [.overrides]
    for provider in providers where !names.insert(provider.name).inserted {
      throw .sharedProviderName(provider.name)
    }
  }
}
