public import FlagDomain

/// A service that resolves flags remotely: the port for a vendor's client.
///
/// ``RemoteProvider`` makes a provider of it, and takes care of users, order, failures and timeouts. So a service only
/// passes on what its server says. Every requirement may be called from any thread.
public protocol RemoteFlagService: Sendable {
  /// The service's name, which becomes the provider's.
  var name: String { get }

  /// Fetches all answers for a user; nil is a visitor.
  ///
  /// It may be called again before an earlier call has returned; the earlier task is then cancelled, and its answers
  /// are ignored.
  ///
  /// - Throws: A `FlagError` when there are no usable answers. Earlier answers for the same user stay in use.
  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers

  /// Calls a closure for every update that the service pushes, until the subscription ends.
  ///
  /// Updates are delivered in order, with no lock held. A service that never pushes returns a subscription that does
  /// nothing.
  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription
}

/// All answers of a service for one user, at one moment.
public struct RemoteAnswers: Sendable {
  let snapshot: any ProviderSnapshot
  /// The answers by key, if they were given so.
  package let listed: [FlagKey: FlagAnswer]?

  /// Creates answers that a snapshot computes, such as one of definitions that the service delivered.
  public init(_ snapshot: any ProviderSnapshot) {
    self.snapshot = snapshot
    listed = nil
  }

  /// Creates answers for keys.
  ///
  /// - Parameters:
  ///   - answers: The answers by key.
  ///   - textReader: Parses arrays and objects, for a service whose values are all strings; nil for typed values.
  public init(
    _ answers: [FlagKey: FlagAnswer], textReader: TextReader? = nil
  ) {
    snapshot = Listed(answers: answers, textReader: textReader)
    listed = answers
  }

  private struct Listed: ProviderSnapshot {
    let answers: [FlagKey: FlagAnswer]
    let textReader: TextReader?

    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { answers[key] }
  }
}

/// An update that a service pushes.
public enum RemoteUpdate: Sendable {
  /// New answers for a user, which replace all earlier ones.
  case answers(RemoteAnswers, for: FlagUser?)
  /// The answers are out of date and should be fetched again.
  case outdated
}
