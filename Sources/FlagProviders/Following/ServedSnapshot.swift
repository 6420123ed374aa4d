import FlagDomain

/// The answers of a source at one moment, for one user if they are personal.
///
/// The content is not optional: unwrapping it would increment reference counts that all reading threads share.
struct ServedSnapshot<Content: ProviderSnapshot>: ProviderSnapshot {
  /// The reason why an answer may be out of date.
  enum Age { case cached, stale }

  let provider: String
  /// The user for whom the answers are; nil if they are for everyone.
  let user: FlagUser??
  let content: Content
  /// The age of all answers; nil if they are the source's newest.
  let age: Age?
  /// The time when the source gave or confirmed them, in seconds since 1970-01-01 UTC.
  let fetchedAt: Int64?
  /// The errors in other answers.
  let ownFindings: [FlagError]

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try check(context, against: user, of: provider)
    do {
      guard let age else { return try content.answer(for: key, in: context) }
      var answer = try content.answer(for: key, in: context)
      answer?.reason = age == .cached ? .cached : .stale
      if let fetchedAt { answer?.metadata[Self.fetchedAtName] = .int(Int128(fetchedAt)) }
      return answer
    } catch {
      var error = error
      error.key = key
      error.provider = provider
      throw error
    }
  }

  var textReader: TextReader? { content.textReader }
  var unitAttributes: Set<String> { content.unitAttributes }

  var findings: [FlagError] { ownFindings + content.findings }

  /// The name of the metadata of an answer that may be out of date: the time when the source gave it, in Unix seconds.
  private static var fetchedAtName: String { "fetchedAt" }
}

/// The snapshot of a source before its first answers.
struct UnservedSnapshot: ProviderSnapshot {
  /// The user for whom the answers will be; nil if they will be for everyone.
  let user: FlagUser??
  let provider: String
  let failure: FlagError?
  let findings: [FlagError]

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try check(context, against: user, of: provider)
    let whose = user.map { user in user.map { " for user \($0.id)" } ?? " for visitors" } ?? ""
    let cause = failure.map { "the last request failed: \($0.message)" } ?? "the first request has not returned"
    throw FlagError(.providerNotReady, "no values\(whose) yet: \(cause)", key: key, provider: provider)
  }
}

/// Throws the error of a provider that is asked about another user than the one whose answers it has.
///
/// The message names nobody, since a server asks about many.
private func check(_ context: EvaluationContext, against user: FlagUser??, of provider: String) throws(FlagError) {
  guard let user, context.user != user else { return }
  throw FlagError(
    .userMismatch,
    "the service is asked for the current user alone: a server, which has many users, evaluates definitions",
    provider: provider)
}
