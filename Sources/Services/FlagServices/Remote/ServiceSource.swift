import FlagDomain
import FlagSupport

/// A vendor's service as a source: requests have a timeout, and answers are cached as JSON.
struct ServiceSource: AnswerSource {
  let service: any RemoteFlagService
  let policy: RemotePolicy
  let clock: any Clock<Duration>

  var identity: [String] { [service.name] }

  /// Returns the whole context, or the user alone if the service receives nothing else.
  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] {
    if service is any ContextualFlagService { return context.values }
    guard let user = context.user else { return [:] }
    return [
      "id": .string(user.id), "countryCode": user.countryCode.map(FlagValue.string) ?? .null,
      "segments": .array(user.segments.map(FlagValue.string)), "attributes": .object(user.attributes),
      "contexts": .object(user.contexts.mapValues(FlagValue.object)),
    ]
  }

  func fetch(
    _ fetch: Follower.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<RemoteAnswers> {
    let outcome = await withTimeout(policy.usableTimeout, on: clock) { [service] () async throws(FlagError) in
      defer { onEnd() }
      guard let contextual = service as? any ContextualFlagService else {
        return try await service.fetch(for: fetch.context.user)
      }
      return try await contextual.fetch(in: fetch.context)
    }
    switch outcome {
    case .success(let answers):
      return .content(answers, FetchAnswer(), body: nil)
    case .failure(let error): return .failure(FetchFailure(error: error))
    }
  }

  /// Returns at once: a service pushes through its subscription, and names no streams.
  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure { StreamFailure() }

  func content(of body: [UInt8]) throws(FlagError) -> RemoteAnswers { try RemoteAnswers(json: body) }

  func cacheText(of content: RemoteAnswers, _ body: [UInt8]?) throws(FlagError) -> [UInt8]? { try content.json() }
}
