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
  private let answers: any ProviderSnapshot
  /// The answers and errors by name, if they were given so.
  private let results: [String: Result<FlagAnswer, FlagError>]?

  /// Creates answers that a snapshot computes, such as one of definitions that the service delivered.
  public init(_ snapshot: any ProviderSnapshot) {
    answers = snapshot
    results = nil
  }

  /// Creates answers for keys.
  ///
  /// - Parameters:
  ///   - answers: The answers by key.
  ///   - textReader: Parses arrays and objects, for a service whose values are all strings; nil for typed values.
  public init(_ answers: [FlagKey: FlagAnswer], textReader: TextReader? = nil) {
    let listed = answers.map { ($0.name, Result<FlagAnswer, FlagError>.success($1)) }
    self.init(listing: Dictionary(uniqueKeysWithValues: listed), textReader: textReader)
  }

  /// Creates answers and errors by names, with the errors that were found in others.
  ///
  /// A service's names are not made keys, since keys stay in memory until the process ends.
  package init(
    listing answers: [String: Result<FlagAnswer, FlagError>], textReader: TextReader? = nil,
    findings: [FlagError] = []
  ) {
    self.answers = Listed(answers: answers, textReader: textReader, findings: findings)
    results = answers
  }

  private struct Listed: ProviderSnapshot {
    let answers: [String: Result<FlagAnswer, FlagError>]
    let textReader: TextReader?
    let findings: [FlagError]

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      try answers[key.name]?.get()
    }
  }
}

extension RemoteAnswers {
  /// The answers by name, if they were given so.
  package var listed: [String: FlagAnswer]? {
    results?.compactMapValues { if case .success(let answer) = $0 { answer } else { nil } }
  }
}

extension RemoteAnswers: ProviderSnapshot {
  /// Returns the answer for a flag.
  public func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try answers.answer(for: key, in: context)
  }

  /// Parses arrays and objects, for a service whose values are all strings.
  public var textReader: TextReader? { answers.textReader }

  /// The errors that were found when the answers were read.
  public var findings: [FlagError] { answers.findings }
}

extension RemoteAnswers: DiffableContent {
  package func changes(since old: RemoteAnswers) -> ChangedKeys? {
    guard let results, let before = old.results else { return .all }
    let keys = Set(results.keys).union(before.keys).filter { results[$0] != before[$0] }
    return keys.isEmpty ? nil : .some(keys)
  }
}

/// An update that a service pushes.
public enum RemoteUpdate: Sendable {
  /// New answers for a user, which replace all earlier ones.
  case answers(RemoteAnswers, for: FlagUser?)
  /// The answers are out of date and should be fetched again.
  case outdated
}
