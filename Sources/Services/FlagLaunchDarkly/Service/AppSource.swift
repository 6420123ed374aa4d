import FlagDomain
import FlagFoundation
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagRemote
import FlagServices

/// LaunchDarkly's answers for an app: all flags, evaluated by the service for one context.
struct AppSource: AnswerSource {
  let connections: LaunchDarklyConnections
  let privateAttributes: Set<String>
  private let parts = FollowedParts(sections: [])

  init(_ connections: LaunchDarklyConnections, privateAttributes: Set<String>) {
    (self.connections, self.privateAttributes) = (connections, privateAttributes)
  }

  var identity: [String] { ["launchdarkly-app", connections.polling.address.url.absoluteString] }
  var credentials: [String] { connections.polling.address.client }

  /// Returns the context as LaunchDarkly knows it; empty for one without any key.
  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] {
    context.launchDarkly(without: privateAttributes)?.fields ?? [:]
  }

  func fetch(
    _ fetch: Follower.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<RemoteAnswers> {
    defer { onEnd() }
    do throws(FlagError) {
      let context = try encoded(fetch.context)
      let stream = Self.withReasons(connections.stream("meval/\(context)"))
      if let delivered = parts.text(from: stream.url.absoluteString) {
        return .content(try content(of: delivered), FetchAnswer(sources: [stream]), body: delivered)
      }
      let polling = connections.polling
      let url = polling.address.url.appending(path: "msdk/evalx/contexts/\(context)")
      let request = polling.address.request(.get, Self.withReasons(url), tag: fetch.tag)
      return await polling.fetch(request) { body throws(FlagError) in (try content(of: body), [stream]) }
    } catch {
      parts.forget()
      return .failure(FetchFailure(error: error))
    }
  }

  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure {
    await connections.follow(stream, into: parts, inactivity: inactivity, onEvent: onEvent)
  }

  func content(of body: [UInt8]) throws(FlagError) -> RemoteAnswers { RemoteAnswers(try AppAnswers(body)) }

  /// Returns the context in base64 for addresses, without padding.
  private func encoded(_ context: EvaluationContext) throws(FlagError) -> String {
    guard let context = context.launchDarkly(without: privateAttributes) else {
      throw FlagError(.targetingKeyMissing, "expected a user, an anonymous id, or another context with a key")
    }
    return Data(try context.json()).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static func withReasons(_ url: URL) -> URL {
    url.appending(queryItems: [URLQueryItem(name: "withReasons", value: "true")])
  }

  private static func withReasons(_ stream: EventSource) -> EventSource {
    EventSource(url: withReasons(stream.url), inactivity: stream.inactivity)
  }
}

/// The answers for all flags, as LaunchDarkly's service gives them to apps.
///
/// Names are not converted to keys, since keys stay in memory until the process ends.
struct AppAnswers: ProviderSnapshot {
  private var answers: [String: Result<FlagAnswer, FlagError>] = [:]
  private(set) var findings: [FlagError] = []

  /// Parses answers; a malformed one is left out, and recorded as a finding.
  init(_ body: [UInt8]) throws(FlagError) {
    guard case .object(let flags) = try FlagValue.reading(flags: body) else {
      throw FlagError(.parseError, "expected an object with answers by the keys of flags, found another value")
    }
    for (key, value) in flags {
      guard case .object(let members) = value else {
        if findings.count < 100 {
          findings.append(FlagError(.parseError, "\(key.excerpt): expected an object, found \(value.summary)"))
        }
        continue
      }
      answers[key] = Self.answer(members)
    }
  }

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try answers[key.name]?.get()
  }

  var unitAttributes: Set<String> {
    Set(answers.values.compactMap { if case .success(let answer) = $0 { answer.metadata.unitAttribute } else { nil } })
  }

  private static func answer(_ members: [String: FlagValue]) -> Result<FlagAnswer, FlagError> {
    let reason = members["reason"]?.fields ?? [:]
    var metadata = reason.filter { $0.value.isScalar }
    metadata["reason"] = metadata.removeValue(forKey: "kind")
    let isInExperiment = reason[Reason.inExperiment] == .bool(true)
    guard metadata["reason"] != "ERROR" else {
      return .failure(FlagError(.parseError, "the service could not evaluate the flag", metadata: metadata))
    }
    let variation = members["variation"]?.whole
    var value = members["value"]
    if variation == nil, value == .null { value = Optional.none }
    return .success(
      FlagAnswer(
        value, variant: variation.map { String($0) },
        reason: ResolutionReason(launchDarkly: metadata["reason"], isInExperiment: isInExperiment), metadata: metadata,
        isExperiment: isInExperiment))
  }
}

extension AppAnswers: DiffableContent {
  func changes(since old: AppAnswers) -> ChangedKeys? {
    let names = Set(answers.keys).union(old.answers.keys).filter { name in
      guard case .success(let answer) = answers[name], case .success(let before) = old.answers[name] else {
        return answers[name] != old.answers[name]
      }
      return answer != before || !answer.value.readsAs(before.value)
    }
    return names.isEmpty ? nil : .some(names)
  }
}

extension ResolutionReason {
  /// Creates the reason for LaunchDarkly's kind of reason.
  fileprivate init(launchDarkly kind: FlagValue?, isInExperiment: Bool) {
    switch kind {
    case "OFF": self = .disabled
    case "RULE_MATCH", "TARGET_MATCH": self = isInExperiment ? .split : .targetingMatch
    case "FALLTHROUGH": self = isInExperiment ? .split : .default
    case "PREREQUISITE_FAILED": self = .default
    default: self = .unknown
    }
  }
}
