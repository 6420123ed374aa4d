public import FlagDomain
import FlagProviders

/// A service that resolves flags remotely: the port for a vendor's client.
///
/// ``RemoteProvider`` makes a provider of it, and handles users, order, failures and timeouts. So a service only passes
/// on its server's answers. Every requirement may be called from any thread.
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
  /// Updates are delivered in order, with no lock held. By default there are none.
  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription
}

extension RemoteFlagService {
  /// Returns a subscription without effect, as of a service that pushes nothing.
  public func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    FlagSubscription {}
  }
}

/// A service that receives more than the user: the ids of visitors, and the attributes of the app.
public protocol ContextualFlagService: RemoteFlagService {
  /// Fetches all answers for a context, as ``RemoteFlagService/fetch(for:)`` does for a user.
  func fetch(in context: EvaluationContext) async throws(FlagError) -> RemoteAnswers
}

extension ContextualFlagService {
  /// Fetches all answers for a context of a user alone.
  public func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    try await fetch(in: EvaluationContext(user: user))
  }
}

/// All answers of a service for one user, at one moment.
public struct RemoteAnswers: ProviderSnapshot {
  private enum Content {
    case computed(any ProviderSnapshot)
    case keyed([FlagKey: FlagAnswer])
  }

  private let content: Content
  /// A closure that parses arrays and objects, for a service whose values are all strings; nil for typed values.
  public let textReader: TextReader?
  /// The errors that were found when the answers were read.
  public let findings: [FlagError]
  /// The names of the attributes that the answers' experiments count by.
  public let unitAttributes: Set<String>

  /// Creates answers that a snapshot computes, such as one of definitions that the service delivered.
  public init(_ snapshot: any ProviderSnapshot) {
    content = .computed(snapshot)
    textReader = snapshot.textReader
    findings = snapshot.findings
    unitAttributes = snapshot.unitAttributes
  }

  /// Creates answers for keys.
  ///
  /// - Parameters:
  ///   - answers: The answers by key.
  ///   - textReader: Parses arrays and objects, for a service whose values are all strings; nil for typed values.
  public init(_ answers: [FlagKey: FlagAnswer], textReader: TextReader? = nil) {
    content = .keyed(answers)
    self.textReader = textReader
    findings = []
    unitAttributes = Set(answers.values.compactMap(\.metadata.unitAttribute))
  }

  /// The answers by name, if they were given by key.
  package var listed: [String: FlagAnswer]? {
    guard case .keyed(let answers) = content else { return nil }
    return Dictionary(answers.map { ($0.name, $1) }) { $1 }
  }

  /// Returns the answer for a flag.
  public func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    switch content {
    case .computed(let snapshot): try snapshot.answer(for: key, in: context)
    case .keyed(let answers): answers[key]
    }
  }
}

extension RemoteAnswers: DiffableContent {
  package func changes(since old: RemoteAnswers) -> ChangedKeys? {
    switch (content, old.content) {
    case (.keyed(let answers), .keyed(let before)):
      let keys = Set(answers.keys).union(before.keys).filter { key in
        answers[key] != before[key] || !(answers[key]?.value).readsAs(before[key]?.value)
      }
      return keys.isEmpty ? nil : ChangedKeys(keys)
    case (.computed(let answers as any DiffableContent), .computed(let before)):
      return answers.changes(sinceAny: before)
    default: return .all
    }
  }
}

extension DiffableContent {
  fileprivate func changes(sinceAny old: Any) -> ChangedKeys? {
    guard let old = old as? Self else { return .all }
    return changes(since: old)
  }
}

/// An update that a service pushes.
public enum RemoteUpdate: Sendable {
  /// New answers for a user, which replace all earlier ones.
  case answers(RemoteAnswers, for: FlagUser?)
  /// The answers are out of date and should be fetched again.
  case outdated
}
