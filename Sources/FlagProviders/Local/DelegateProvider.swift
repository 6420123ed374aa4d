public import FlagDomain

/// The source of a provider's answers, which the provider does not retain.
public protocol FlagProviderDelegate: AnyObject, Sendable {
  /// Returns the answer for a flag, on any thread.
  ///
  /// The answer for the same key and context stays the same until a change is announced.
  ///
  /// - Returns: The answer, or nil if there is no answer.
  /// - Throws: A `FlagError` when the answer is unusable.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer?
}

/// A delegate whose values can be set.
public protocol WritableFlagProviderDelegate: FlagProviderDelegate {
  /// Sets and removes values, all of them or none; from any thread, and perhaps during another call.
  ///
  /// - Parameter values: The new value of each key; nil removes the key's value, an explicit null is stored.
  /// - Throws: A `FlagError` when the values cannot be stored. Then nothing has changed.
  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError)
}

/// A provider whose answers come from a delegate; it has no answers after the delegate is released.
///
/// If the delegate is writable, so is the provider.
public final class DelegateProvider<Delegate: FlagProviderDelegate>: Sendable {
  /// The provider's name.
  public let name: String
  private let reference: Reference
  private let subscribers = FlagSubscribers<ChangedKeys>()

  /// Creates a provider with a delegate, which it does not retain.
  public init(name: String = "delegate", _ delegate: Delegate) {
    self.name = name
    reference = Reference(delegate: delegate)
  }

  /// Notifies subscribers that the delegate's answers have changed.
  public func announceChange(of keys: ChangedKeys = .all) { subscribers.notify(keys) }
}

extension DelegateProvider: FlagProvider {
  /// Returns a snapshot that queries the delegate.
  public func snapshot() -> any ProviderSnapshot { Snapshot(reference: reference) }

  /// Calls a closure after every announced change and every write, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }

  private struct Snapshot: ProviderSnapshot {
    let reference: Reference

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      try reference.delegate?.answer(for: key, in: context)
    }
  }

  /// A weak reference to the delegate; a `weak let` would need Swift 6.3.
  private struct Reference: Sendable { weak var delegate: Delegate? }
}

extension DelegateProvider: WritableFlagProvider where Delegate: WritableFlagProviderDelegate {
  /// Sets and removes values of the delegate.
  ///
  /// - Throws: The delegate's error, and an error if the delegate was released.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    guard let delegate = reference.delegate else {
      throw FlagError(.general, "expected a delegate, found none: it was released", provider: name)
    }
    try delegate.write(values)
    subscribers.notify(ChangedKeys(values.keys))
  }
}
