public import FlagDomain
import FlagJSON
public import FlagProviders
import Foundation

/// A store of overrides in user defaults, each under its key with a prefix: booleans and integers as such, all else as
/// JSON.
///
/// An entry that other code wrote is used as it is: a string that is not JSON as a string, a number as a number. So a
/// wrong entry is a type mismatch of its own flag, and does not affect others.
///
/// Only the suite itself is read: no registered defaults, launch arguments, or other domains.
///
/// Changes by others take effect in a running program as soon as the platform reports them: changes in this process, on
/// Apple's platforms. Changes within a short time are read once.
public struct UserDefaultsOverrideStore: FlagOverrideStore {
  private let suite: DefaultsSuite
  private let prefix: String
  private let clock: any Clock<Duration>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - suite: The name of the suite; nil for the standard defaults.
  ///   - prefix: The prefix of the names of its entries, which no other entry of the suite has: all that have it are
  ///     deleted with the overrides. An empty one is an error of each load and write.
  ///   - protectedData: The state of protected data: before it is available nothing is loaded or written. Nil for a
  ///     program that is never launched on a device that was not unlocked.
  public init(suite: String? = nil, prefix: String = "flag-override.", protectedData: ProtectedData? = nil) {
    self.init(suite: suite, prefix: prefix, protectedData: protectedData, clock: ContinuousClock())
  }

  package init(
    suite: String?, prefix: String, protectedData: ProtectedData?, clock: any Clock<Duration>,
    onSet: @escaping @Sendable () -> Void = {}
  ) {
    self.suite = DefaultsSuite(name: suite, protectedData: protectedData, onSet: onSet)
    self.prefix = prefix
    self.clock = clock
  }

  /// Returns every stored override.
  ///
  /// - Throws: An error if there can be no such suite, it cannot be read yet, or the prefix is empty.
  public func load() throws(FlagError) -> [FlagKey: FlagValue] {
    try checkPrefix()
    var overrides: [FlagKey: FlagValue] = [:]
    for (name, entry) in try suite.fields() where name.hasPrefix(prefix) {
      guard let key = FlagKey(validating: String(name.dropFirst(prefix.count))) else { continue }
      overrides[key] = value(of: entry)
    }
    return overrides
  }

  /// Throws if the prefix is empty: then all of the app's settings would be overrides, and deleted with them.
  private func checkPrefix() throws(FlagError) {
    guard prefix.isEmpty else { return }
    throw FlagError(
      .general, "expected a prefix that only overrides have, such as \"flag-override.\", found an empty one")
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
  ///
  /// - Throws: A type mismatch if a value cannot be stored: an infinite number, or more than 256 levels of arrays and
  ///   objects; or an error if the defaults cannot be stored, or the prefix is empty. Then the overrides are unchanged.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try checkPrefix()
    var entries: [String: Any?] = [:]
    for (key, value) in values { entries.updateValue(try value?.entry(for: key), forKey: prefix + key.name) }
    try suite.write(entries)
  }

  /// Calls a closure after user defaults have changed, as far as the platform reports it, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) -> FlagSubscription {
    suite.subscribe(on: clock) { onChange(nil) }
  }
}

extension FlagValue {
  /// Returns the value as other code reads it, or else as JSON: a text that is JSON would be read as something else.
  fileprivate func entry(for key: FlagKey) throws(FlagError) -> Any {
    switch self {
    case .bool(let value): return value
    case .int(let value): if let value = Int64(exactly: value) { return value }
    default: break
    }
    return try storedText(for: key)
  }
}
