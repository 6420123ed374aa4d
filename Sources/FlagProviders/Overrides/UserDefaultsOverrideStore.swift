public import FlagDomain
internal import Foundation

/// Keeps overrides in user defaults, each as JSON under its key with a prefix.
///
/// An entry that someone else wrote stands for itself: text that is no JSON for that text, a number for the number. So a
/// wrong one is a mismatch of its own flag, and harms no other.
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
      overrides[key] = value(of: entry)
    }
    return overrides
  }

  private func value(of entry: Any) -> FlagValue {
    guard let text = entry as? String else { return FlagValue(propertyList: entry) }
    do throws(FlagError) {
      return try FlagValue.reading(json: text)
    } catch {
      return .string(text)
    }
  }

  /// Stores overrides, and deletes the entries of those whose value is nil.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try checkNumbers(in: values)
    let defaults = try defaults()
    let names = values.keys.map { prefix + $0.name }
    let former = names.map { ($0, defaults.object(forKey: $0)) }
    for (key, value) in values { defaults.set(value?.description, forKey: prefix + key.name) }
    guard defaults.synchronize() else {
      for (name, entry) in former { defaults.set(entry, forKey: name) }
      throw FlagError(.general, "expected the user defaults to be stored")
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
