import FlagDomain

/// The answers of a source at one moment, for one user if they are personal.
///
/// The content is not optional: unwrapping it would increment reference counts that all reading threads share.
struct ServedSnapshot<Content: ProviderSnapshot>: ProviderSnapshot {
  let provider: String
  /// The asker of the answers; nil if they are for everyone.
  let asker: Asker?
  let content: Content
  /// The age of all answers; nil if they are the source's newest.
  let age: AnswerAge?
  /// The time when the source gave or confirmed them, in seconds since 1970-01-01 UTC.
  let fetchedAt: Int64?
  /// The errors in other answers.
  let ownFindings: [FlagError]

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    let isExact = try asker?.check(context, of: provider) ?? true
    do {
      guard let age = isExact ? age : age ?? .stale else { return try content.answer(for: key, in: context) }
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
  /// The asker of the answers; nil if they will be for everyone.
  let asker: Asker?
  let provider: String
  let failure: FlagError?
  let findings: [FlagError]

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    _ = try asker?.check(context, of: provider)
    let whose = asker.map { asker in asker.user.map { " for user \($0.id)" } ?? " for visitors" } ?? ""
    let cause = failure.map { "the last request failed: \($0.message)" } ?? "the first request has not returned"
    throw FlagError(.providerNotReady, "no values\(whose) yet: \(cause)", key: key, provider: provider)
  }
}

/// The user or visitor whose answers a source gives.
struct Asker: Sendable {
  let user: FlagUser?
  let visitor: String?

  /// Returns whether a context is of the user as the source knows it, and not of the same one with other attributes.
  ///
  /// - Throws: The error of a provider that is asked about someone else. It names nobody, since a server asks about
  ///   many.
  func check(_ context: EvaluationContext, of provider: String) throws(FlagError) -> Bool {
    let isExact = context.user == user
    if isExact, user != nil || context.anonymousID == nil || visitor == nil || context.anonymousID == visitor {
      return true
    }
    if let user, let other = context.user, FlagValue.string(user.id) == .string(other.id) { return false }
    throw FlagError(
      .userMismatch,
      "the service is asked for the current user alone: a server, which has many users, evaluates definitions",
      provider: provider)
  }
}
