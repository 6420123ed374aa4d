import FlagDomain

/// What is known of a remote service's answers for the current user: the decisions of a remote provider, without tasks.
///
/// Each fetch has a number. Only the newest one counts: setting a user, a newer fetch or a push makes all earlier
/// ones void.
struct RemoteState: Sendable {
  let provider: String
  private(set) var user: User? = nil
  private(set) var answers: RemoteAnswers?
  /// Why the answers may be out of date, or are missing.
  private(set) var failure: FlagError?
  /// The number of the newest fetch; pushes and users count, too.
  private(set) var number = 0
  /// Counts the answers that were taken over.
  private var edition = 0

  init(provider: String) { self.provider = provider }
}

extension RemoteState {
  /// Starts a fetch, and returns its number.
  mutating func begin() -> Int {
    number += 1
    return number
  }

  /// Makes a user the current one, and forgets the answers for another.
  ///
  /// - Returns: Whether that changed anything.
  mutating func setUser(_ user: User?) -> Bool {
    guard user != self.user else { return false }
    self.user = user
    answers = nil
    failure = nil
    number += 1
    edition += 1
    return true
  }

  /// Takes over what a fetch brought, unless it came too late.
  ///
  /// - Returns: Whether it counted.
  mutating func finish(_ fetch: Int, with outcome: Result<RemoteAnswers, FlagError>) -> Bool {
    guard fetch == number else { return false }
    switch outcome {
    case .success(let answers): accept(answers)
    case .failure(let error): failure = error
    }
    return true
  }

  /// Takes over what the service pushed, unless it is for another user.
  ///
  /// - Returns: The number of the push, which makes earlier fetches void, or nil where it did not count.
  mutating func push(_ answers: RemoteAnswers, for user: User?) -> Int? {
    guard user == self.user else { return nil }
    number += 1
    accept(answers)
    return number
  }

  private mutating func accept(_ answers: RemoteAnswers) {
    self.answers = answers
    failure = nil
    edition += 1
  }
}

extension RemoteState: LiveContent {
  func changes(since old: RemoteState) -> ChangedKeys? {
    guard edition != old.edition || (failure == nil) != (old.failure == nil) else { return nil }
    guard user == old.user, (failure == nil) == (old.failure == nil), let listed = answers?.listed,
      let before = old.answers?.listed
    else { return .all }
    let keys = Set(listed.keys).union(before.keys).filter { listed[$0] != before[$0] }
    return keys.isEmpty ? nil : .some(keys)
  }
}

extension RemoteState: ProviderSnapshot {
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    guard context.user == user else { return nil }
    guard let answers else { throw notReady(key) }
    var answer = try answers.snapshot.answer(for: key, in: context)
    if failure != nil { answer?.reason = .stale }
    return answer
  }

  var textReader: (@Sendable (String) throws(FlagError) -> FlagValue)? { answers?.snapshot.textReader }

  private func notReady(_ key: FlagKey) -> FlagError {
    let cause = failure.map { "the last fetch failed: \($0)" } ?? "the first fetch has not returned"
    return FlagError(
      .providerNotReady, "no answers for \(user.map { "user \($0.id)" } ?? "visitors") yet; \(cause)",
      key: key, provider: provider)
  }
}
