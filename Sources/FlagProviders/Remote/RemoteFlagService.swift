public import FlagDomain

/// A service that resolves flags elsewhere: the port that a vendor's client is put behind.
///
/// ``RemoteProvider`` makes a provider of it, and takes care of users, order, failures and timeouts. So a service only
/// says what it is told by its server. Every requirement may be called from any thread.
public protocol RemoteFlagService: Sendable {
  /// The service's name, which becomes the provider's.
  var name: String { get }

  /// Asks the service for all answers for a user; nil is a visitor.
  ///
  /// It may be called again before an earlier call has returned; the earlier task is then cancelled, and what it returns
  /// is dropped.
  ///
  /// - Throws: A `FlagError` when there is no usable answer. Answers that came earlier for the same user stay in use.
  func fetch(for user: User?) async throws(FlagError) -> RemoteAnswers

  /// Calls a closure for every change that the service learns of by itself, until the subscription ends.
  ///
  /// Updates are delivered in their order, with no lock held. A service that never pushes returns a subscription that
  /// does nothing.
  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription
}

/// All that a service says for one user, at one moment.
public struct RemoteAnswers: Sendable {
  let snapshot: any ProviderSnapshot
  /// The answers by key, where they are listed.
  let listed: [FlagKey: FlagAnswer]?

  /// Creates answers that someone else computes, such as an evaluator of definitions that the service delivered.
  public init(_ snapshot: any ProviderSnapshot) {
    self.snapshot = snapshot
    listed = nil
  }

  /// Creates answers from a list.
  ///
  /// - Parameters:
  ///   - answers: The answers by key.
  ///   - textReader: Reads lists and records from text, for a service that only has strings; nil for typed values.
  public init(
    _ answers: [FlagKey: FlagAnswer], textReader: (@Sendable (String) throws(FlagError) -> FlagValue)? = nil
  ) {
    snapshot = Listed(answers: answers, textReader: textReader)
    listed = answers
  }

  private struct Listed: ProviderSnapshot {
    let answers: [FlagKey: FlagAnswer]
    let textReader: (@Sendable (String) throws(FlagError) -> FlagValue)?

    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { answers[key] }
  }
}

/// What a service says unasked.
public enum RemoteUpdate: Sendable {
  /// These are the answers for a user now; they take the place of all earlier ones.
  case answers(RemoteAnswers, for: User?)
  /// Something has changed: answers should be fetched again.
  case outdated
}
