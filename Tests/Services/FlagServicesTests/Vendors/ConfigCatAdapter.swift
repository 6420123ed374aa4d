import FlagDomain
import FlagServices

struct ConfigCatService: RemoteFlagService {
  let name = "ConfigCat"
  let client: ConfigCatClient

  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    let user = user.map { ConfigCatUser(identifier: $0.id, country: $0.countryCode) }
    let details = await client.getAllValueDetails(user: user)
    guard !details.isEmpty else { throw FlagError(.providerNotReady, "ConfigCat has no configuration yet") }
    var answers: [FlagKey: FlagAnswer] = [:]
    for detail in details where detail.error == nil {
      guard let key = FlagKey(validating: detail.key), let value = value(detail.value) else { continue }
      let isRuled = detail.matchedTargetingRule != nil
      let reason: ResolutionReason =
        detail.matchedPercentageOption != nil ? .split : isRuled ? .targetingMatch : .static
      answers[key] = FlagAnswer(value, variant: detail.variationId, reason: reason)
    }
    return RemoteAnswers(answers)
  }

  func value(_ value: Any) -> FlagValue? {
    switch value {
    case let value as Bool: .bool(value)
    case let value as Int: .int(Int128(value))
    case let value as Double: .double(value)
    default: (value as? String).map(FlagValue.string)
    }
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    client.hooks.addOnConfigChanged { _, _ in onUpdate(.outdated) }
    return FlagSubscription {}
  }
}
