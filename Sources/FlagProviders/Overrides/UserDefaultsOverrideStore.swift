public import FlagDomain
internal import Foundation

/// Keeps overrides in user defaults, each as JSON under its key with a prefix.
///
/// `UserDefaults` is thread-safe, as its documentation says, and not marked so on every platform. So the store keeps the name of
/// a suite, and opens it anew for each call.
public struct UserDefaultsOverrideStore: FlagOverrideStore {
  private let suite: String?
  private let prefix: String

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - suite: The name of the suite; nil for the standard defaults.
  ///   - prefix: What the names of its entries begin with.
  public init(suite: String? = nil, prefix: String = "flag-override.") {
    self.suite = suite
    self.prefix = prefix
  }

  /// Returns every stored override.
  public func load() throws(FlagError) -> [FlagKey: FlagValue] {
    var overrides: [FlagKey: FlagValue] = [:]
    for (name, entry) in try defaults().dictionaryRepresentation() where name.hasPrefix(prefix) {
      guard let key = FlagKey(String(name.dropFirst(prefix.count))) else { continue }
      guard let text = entry as? String else {
        throw FlagError(.parseError, "expected JSON as text in the defaults' entry \(name), found \(entry)", key: key)
      }
      overrides[key] = try FlagValue.reading(json: text)
    }
    return overrides
  }

  /// Stores overrides, and deletes the entries of those whose value is nil.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    let defaults = try defaults()
    let entries = values.map { key, value in (name: prefix + key.name, text: value?.description) }
    let former = entries.map { entry in (name: entry.name, text: defaults.string(forKey: entry.name)) }
    Self.set(entries, in: defaults)
    guard defaults.synchronize() else {
      Self.set(former, in: defaults)
      throw FlagError(.general, "expected the user defaults to be stored")
    }
  }

  private static func set(_ entries: [(name: String, text: String?)], in defaults: UserDefaults) {
    for entry in entries {
      if let text = entry.text {
        defaults.set(text, forKey: entry.name)
      } else {
        defaults.removeObject(forKey: entry.name)
      }
    }
  }

  private func defaults() throws(FlagError) -> UserDefaults {
    guard let suite else { return .standard }
    guard let defaults = UserDefaults(suiteName: suite) else {
      throw FlagError(.general, "expected the name of a suite of user defaults, found \"\(suite)\"")
    }
    return defaults
  }
}
