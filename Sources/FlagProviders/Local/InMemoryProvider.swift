public import FlagDomain

/// A provider that holds its values in memory, and lets them be changed.
public final class InMemoryProvider: Sendable {
  /// The provider's name.
  public let name: String
  private let live: Live<ValueTable>

  /// Creates a provider with values.
  public init(name: String = "in memory", _ values: [FlagKey: FlagValue] = [:]) {
    self.name = name
    live = Live(ValueTable(values: values))
  }
}

extension InMemoryProvider: ChangingFlagProvider {
  /// Returns the values at this moment.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

extension InMemoryProvider: WritableFlagProvider {
  /// Sets and removes values in one step.
  public func write(_ values: [FlagKey: FlagValue?]) { live.update { $0.merge(values) } }

  /// Sets the value of one key; nil removes it.
  public func write(_ value: FlagValue?, for key: FlagKey) { write([key: value]) }
}
