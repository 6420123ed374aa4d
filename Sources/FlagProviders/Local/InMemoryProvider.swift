public import FlagDomain

/// A provider that holds its values in memory, where they can be changed.
///
/// A flag's value is the one under its key, or else the one at the key as a path: `feed.page-size` is the field
/// `page-size` of the value under `feed`. See `ValuePath`. A value that is set is stored under its whole key.
public final class InMemoryProvider: Sendable {
  /// The provider's name.
  public let name: String
  private let live: ObservableContent<ValueTable>

  /// Creates a provider with values.
  public init(name: String = "in memory", _ values: [FlagKey: FlagValue] = [:]) {
    self.name = name
    live = ObservableContent(ValueTable(values: values))
  }
}

extension InMemoryProvider: FlagProvider {
  /// Returns the current values.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

extension InMemoryProvider {
  /// Every value by its key, collected at each call.
  public var values: [FlagKey: FlagValue] { live.current.values }

  /// Removes every value, in one step.
  public func removeAll() { live.change { $0.merge($0.values.mapValues { _ in nil }) } }
}

extension InMemoryProvider: WritableFlagProvider {
  /// Sets and removes values in one step.
  public func write(_ values: [FlagKey: FlagValue?]) { live.change { $0.merge(values) } }

  /// Sets the value of one key; nil removes it.
  public func write(_ value: FlagValue?, for key: FlagKey) { write([key: value]) }
}
