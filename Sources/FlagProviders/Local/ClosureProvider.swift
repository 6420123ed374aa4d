public import FlagDomain

/// A provider whose answers come from a closure.
///
/// The closure's answers are cached until a change is announced. Until then it must return the same answer for the same
/// key and context; an answer that may differ at any time must be marked as transient, and is computed at each read.
public final class ClosureProvider: Sendable {
  /// A closure that answers as a snapshot does.
  public typealias Answering = @Sendable (FlagKey, EvaluationContext) throws(FlagError) -> FlagAnswer?

  /// The provider's name.
  public let name: String
  private let answering: Answering
  private let subscribers = FlagSubscribers<ChangedKeys>()

  /// Creates a provider with a closure, which may be called from any thread.
  public init(name: String = "closure", _ answering: @escaping Answering) {
    self.name = name
    self.answering = answering
  }

  /// Notifies subscribers that the closure's answers have changed.
  public func announceChange(of keys: ChangedKeys = .all) { subscribers.notify(keys) }
}

extension ClosureProvider: FlagProvider {
  /// Returns a snapshot that calls the closure.
  public func snapshot() -> any ProviderSnapshot { Snapshot(answering: answering) }

  /// Calls a closure after every announced change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }

  private struct Snapshot: ProviderSnapshot {
    let answering: Answering

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      try answering(key, context)
    }
  }
}
