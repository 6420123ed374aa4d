import FlagDomain
import FlagProviders

/// What a service said at one moment, for one user where its answers are personal.
///
/// Its content is no optional, since to unwrap one counts its references, which all threads that read share.
struct ServedSnapshot<Format: AnswerFormat>: ProviderSnapshot {
  /// Why an answer may be out of date.
  enum Age { case cached, stale }

  let format: Format
  let provider: String
  let user: FlagUser?
  let content: Format.Content
  /// Why answers may be out of date; nil where they are the service's newest.
  let age: Age?
  /// When the service said so last, in seconds since the beginning of 1970.
  let fetchedAt: Int64?
  let cacheError: FlagError?

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    if format.isPersonal, context.user != user { return nil }
    do {
      guard let age else { return try format.answer(content, for: key, in: context) }
      var answer = try format.answer(content, for: key, in: context)
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

  var findings: [FlagError] { (cacheError.map { [$0] } ?? []) + format.findings(in: content) }

  /// In the metadata of an answer that may be out of date: when the service gave it, in Unix seconds.
  private static var fetchedAtName: String { "fetchedAt" }
}

/// What there is before a service has said anything.
struct UnservedSnapshot: ProviderSnapshot {
  /// The user for whom the answers will be; nil where they will be for everyone.
  let user: FlagUser??
  let provider: String
  let failure: FlagError?
  let cacheError: FlagError?

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    if let user, context.user != user { return nil }
    let cause = failure.map { "the last request failed: \($0.message)" } ?? "the first request has not returned"
    throw FlagError(.providerNotReady, "no values yet: \(cause)", key: key, provider: provider)
  }

  var findings: [FlagError] { cacheError.map { [$0] } ?? [] }
}
