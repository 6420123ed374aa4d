import FlagDomain

/// A stand-in for ConfigCat's client, in the shapes of its calls: details of each setting, and hooks.
final class ConfigCatClient: Sendable {
  private let settings = Locked<(@Sendable (ConfigCatUser?) -> [EvaluationDetails])?>(nil)
  let hooks = Hooks()

  func getAllValueDetails(user: ConfigCatUser? = nil) async -> [EvaluationDetails] {
    settings.withLock { $0 }?(user) ?? []
  }
}

final class Hooks: Sendable {
  private let handlers = Locked<[@Sendable (Config, ConfigCatClientSnapshot) -> Void]>([])

  func addOnConfigChanged(snapshotHandler: @escaping @Sendable (Config, ConfigCatClientSnapshot) -> Void) {
    handlers.withLock { $0.append(snapshotHandler) }
  }

  func callOnConfigChanged() {
    for handler in handlers.withLock({ $0 }) { handler(Config(), ConfigCatClientSnapshot()) }
  }
}

struct Config: Sendable {}
struct ConfigCatClientSnapshot: Sendable {}
struct TargetingRule: Sendable {}
struct PercentageOption: Sendable {}

struct ConfigCatUser: Sendable {
  let identifier: String
  var country: String?
}

struct EvaluationDetails: Sendable {
  let key: String
  let value: any Sendable
  var variationId: String?
  var error: String?
  var matchedTargetingRule: TargetingRule?
  var matchedPercentageOption: PercentageOption?
}

extension ConfigCatClient: VendorStandIn {
  func publish(_ server: @escaping @Sendable (_ userID: String?) -> [String: VendorAnswer]) {
    settings.withLock {
      $0 = { user in
        server(user?.identifier).map { key, answer in
          EvaluationDetails(
            key: key, value: answer.isOn, variationId: answer.variant,
            matchedTargetingRule: answer.isTargeted ? TargetingRule() : nil)
        }
      }
    }
    hooks.callOnConfigChanged()
  }

  func fail(_ failure: (any Error)?) { if failure != nil { settings.withLock { $0 = nil } } }
}
