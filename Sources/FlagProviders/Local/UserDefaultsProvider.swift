public import FlagDomain
import Foundation

/// A provider of the values in a suite of user defaults, which can be changed here.
///
/// A flag's key is the name of its default. Only what the suite itself holds counts: no registered defaults, launch
/// arguments, or other domains. Changes that someone else makes show after ``reload()``.
public final class UserDefaultsProvider: Sendable {
  /// The provider's name, which holds the suite's.
  public let name: String
  private let suite: DefaultsSuite
  private let live: Live<ValueTable>

  /// Creates a provider over a suite.
  ///
  /// - Throws: A `FlagError` when there can be no suite of that name.
  public init(suiteName: String) throws(FlagError) {
    name = "defaults \(suiteName)"
    suite = DefaultsSuite(name: suiteName)
    live = Live(ValueTable(values: try suite.values()))
  }
}

extension UserDefaultsProvider {
  /// Reads the suite again.
  ///
  /// - Throws: A `FlagError` when the suite cannot be read; the values stay as they are.
  public func reload() throws(FlagError) {
    try live.update { table throws(FlagError) in table.values = try suite.values() }
  }
}

extension UserDefaultsProvider: WritableFlagProvider, ChangingFlagProvider {
  /// Sets and removes values, in the suite first.
  ///
  /// - Throws: A `FlagError` of code `TYPE_MISMATCH` for a value that no default can hold: null, and integers that need
  ///   more than 64 bits; of code `GENERAL` when the suite cannot be stored.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try live.update { table throws(FlagError) in
      try suite.write(values)
      table.merge(values)
    }
  }

  /// Returns the values at this moment.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change made here, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}
