import FlagDomain
import FlagServices

struct OpenFeatureService: RemoteFlagService {
  let name: String
  let api: OpenFeatureAPI
  let flags: [any FeatureFlag]

  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    await api.setEvaluationContextAndWait(evaluationContext: ImmutableContext(targetingKey: user?.id ?? ""))
    guard api.getProviderStatus() == .ready else { throw FlagError(.providerNotReady, "\(name) is not ready") }
    let answers = flags.map { ($0.key, answer(for: $0, from: api.getClient())) }
    return RemoteAnswers(Dictionary(answers) { $1 }.compactMapValues { $0 })
  }

  private func answer(for flag: any FeatureFlag, from client: any Client) -> FlagAnswer? {
    switch flag.dataType.kind {
    case .boolean: answer(client.getBooleanDetails(key: flag.key.name, defaultValue: false), FlagValue.bool)
    case .integer: answer(client.getIntegerDetails(key: flag.key.name, defaultValue: 0)) { .int(Int128($0)) }
    case .number: answer(client.getDoubleDetails(key: flag.key.name, defaultValue: 0), FlagValue.double)
    case .text: answer(client.getStringDetails(key: flag.key.name, defaultValue: ""), FlagValue.string)
    case .list, .object: nil
    }
  }

  private func answer<T>(_ details: FlagEvaluationDetails<T>, _ value: (T) -> FlagValue) -> FlagAnswer? {
    let reason = ResolutionReason(rawValue: details.reason ?? "UNKNOWN")
    guard details.errorCode == nil, details.variant != nil || reason != .default else { return nil }
    return FlagAnswer(value(details.value), variant: details.variant, reason: reason)
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    let events = api.observe().sink { if case .configurationChanged = $0 { onUpdate(.outdated) } }
    return FlagSubscription { events.cancel() }
  }
}
