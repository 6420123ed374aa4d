import FlagDomain

/// The answers of a remote service for the current user, at one moment.
struct RemoteSnapshot: Sendable {
  let provider: String
  private(set) var user: FlagUser?
  private(set) var answers: RemoteAnswers?
  /// Why the answers may be out of date, or are missing.
  private(set) var failure: FlagError?
  /// How many times answers were accepted.
  private var edition = 0

  init(provider: String) { self.provider = provider }
}

extension RemoteSnapshot {
  /// Sets the current user, and drops the answers for another.
  ///
  /// - Returns: Whether anything changed.
  mutating func setUser(_ user: FlagUser?) -> Bool {
    guard user != self.user else { return false }
    self.user = user
    answers = nil
    failure = nil
    edition += 1
    return true
  }

  /// Accepts the answers of a fetch or a push, or the error.
  mutating func accept(_ outcome: Result<RemoteAnswers, FlagError>) {
    switch outcome {
    case .success(let answers):
      self.answers = answers
      failure = nil
      edition += 1
    case .failure(let error): failure = error
    }
  }

  /// The provider's status.
  var status: RemoteProvider.Status {
    switch (answers == nil, failure) {
    case (true, nil): .waiting
    case (false, nil): .ready
    case (false, let failure?): .stale(failure)
    case (true, let failure?): .failed(failure)
    }
  }
}

extension RemoteSnapshot: DiffableContent {
  func changes(since old: RemoteSnapshot) -> ChangedKeys? {
    guard edition != old.edition || (failure == nil) != (old.failure == nil) else { return nil }
    guard user == old.user, (failure == nil) == (old.failure == nil), let listed = answers?.listed,
      let before = old.answers?.listed
    else { return .all }
    let keys = Set(listed.keys).union(before.keys).filter { listed[$0] != before[$0] }
    return keys.isEmpty ? nil : ChangedKeys(keys)
  }
}

extension RemoteSnapshot: ProviderSnapshot {
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    guard context.user == user else { return nil }
    guard let answers else { throw notReady(key) }
    var answer = try answers.snapshot.answer(for: key, in: context)
    if failure != nil { answer?.reason = .stale }
    return answer
  }

  var textReader: TextReader? { answers?.snapshot.textReader }

  private func notReady(_ key: FlagKey) -> FlagError {
    let cause = failure.map { "the last fetch failed: \($0)" } ?? "the first fetch has not returned"
    return FlagError(
      .providerNotReady, "no answers for \(user.map { "user \($0.id)" } ?? "visitors") yet; \(cause)",
      key: key, provider: provider)
  }
}
