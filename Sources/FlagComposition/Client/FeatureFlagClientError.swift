public import FlagDomain
public import Foundation

/// An error in the providers or keys from which a client is created.
public enum FeatureFlagClientError: Error, Hashable, Sendable {
  /// Two providers have the same name, so that resolutions, exclusions and writes would be ambiguous.
  case sharedProviderName(String)
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
  /// Throws if two providers share a name, or one has the name of overrides.
  static func checkNames(of providers: [any FlagProvider]) throws(FeatureFlagClientError) {
    var names: Set<String> = [.overrides]
    for provider in providers where !names.insert(provider.name).inserted {
      throw .sharedProviderName(provider.name)
    }
  }
}
