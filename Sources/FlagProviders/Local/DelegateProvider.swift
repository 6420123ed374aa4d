public import FlagDomain

/// Answers for a provider that does not keep it alive.
public protocol FlagProviderDelegate: AnyObject, Sendable {
  /// Returns what it says of a flag, on any thread.
  ///
  /// It says the same for the same key and context until a change is announced.
  ///
  /// - Returns: The answer, or nil when it has none.
  /// - Throws: A `FlagError` when what it has is unusable.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer?
}

/// A delegate whose values can be set.
public protocol WritableFlagProviderDelegate: FlagProviderDelegate {
  /// Sets and removes values, all of them or none; from any thread, one call at a time.
  ///
  /// - Parameter values: The new value of each key; nil removes the key's value, an explicit null is kept.
  /// - Throws: A `FlagError` when the values cannot be kept. Then nothing has changed.
  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError)
}

/// A provider that asks a delegate, for as long as someone else keeps that alive; then it has no answers.
///
/// Where the delegate can be written to, so can the provider.
public final class DelegateProvider<Delegate: FlagProviderDelegate>: Sendable {
  /// The provider's name.
  public let name: String
  private let reference: Reference
  private let writing = Locked(())
  private let subscribers = Subscribers<ChangedKeys>()

  /// Creates a provider that asks a delegate.
  public init(name: String = "delegate", _ delegate: Delegate) {
    self.name = name
    reference = Reference(delegate: delegate)
  }
}

extension DelegateProvider {
  /// Tells everyone concerned that the delegate's answers have changed.
  public func announceChange(of keys: ChangedKeys = .all) { subscribers.notify(keys) }
}

extension DelegateProvider: ObservableFlagProvider {
  /// Returns a snapshot that asks the delegate.
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

  /// A reference that does not keep the delegate alive; a `weak let` would need Swift 6.3.
  private struct Reference: Sendable { weak var delegate: Delegate? }
}

extension DelegateProvider: WritableFlagProvider where Delegate: WritableFlagProviderDelegate {
  /// Has the delegate set and remove values.
  ///
  /// - Throws: What the delegate throws, and an error where it is gone.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    guard let delegate = reference.delegate else {
      throw FlagError(.general, "expected a delegate that is kept alive, found none", provider: name)
    }
    try writing.withLock { _ throws(FlagError) in try delegate.write(values) }
    subscribers.notify(ChangedKeys(values.keys))
  }
}
