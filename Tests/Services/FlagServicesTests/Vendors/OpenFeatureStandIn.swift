import FlagDomain

/// A stand-in for OpenFeature's interface with a provider, in the shapes of its calls: one context, details, events.
final class OpenFeatureAPI: Sendable {
  private struct State {
    var server: @Sendable (String?) -> [String: VendorAnswer] = { _ in [:] }
    var status = OpenFeatureStatus.ready
    var targetingKey = ""
    var listeners: [Int: @Sendable (ProviderEvent?) -> Void] = [:]
    var nextListener = 0
  }

  private let state = Locked(State())
}

enum OpenFeatureStatus: Sendable { case notReady, ready, error, stale }
struct ProviderEventDetails: Sendable {}
enum ProviderEvent: Sendable { case ready(ProviderEventDetails?), configurationChanged(ProviderEventDetails?) }
enum ErrorCode: Sendable { case flagNotFound, typeMismatch }
struct ImmutableContext: Sendable { let targetingKey: String }
struct AnyCancellable: Sendable { let cancel: @Sendable () -> Void }

struct FlagEvaluationDetails<T: Sendable>: Sendable {
  let flagKey: String
  let value: T
  var variant: String?
  var reason: String?
  var errorCode: ErrorCode?
}

protocol Client: Sendable {
  func getBooleanDetails(key: String, defaultValue: Bool) -> FlagEvaluationDetails<Bool>
  func getIntegerDetails(key: String, defaultValue: Int64) -> FlagEvaluationDetails<Int64>
  func getDoubleDetails(key: String, defaultValue: Double) -> FlagEvaluationDetails<Double>
  func getStringDetails(key: String, defaultValue: String) -> FlagEvaluationDetails<String>
}

struct EventPublisher: Sendable {
  fileprivate let subscribe: @Sendable (@escaping @Sendable (ProviderEvent?) -> Void) -> AnyCancellable

  func sink(receiveValue: @escaping @Sendable (ProviderEvent?) -> Void) -> AnyCancellable { subscribe(receiveValue) }
}

extension OpenFeatureAPI {
  func getClient() -> any Client {
    let answers = state.withLock { $0.server($0.targetingKey.isEmpty ? nil : $0.targetingKey) }
    return StandInClient(answers: answers)
  }

  func getProviderStatus() -> OpenFeatureStatus { state.withLock { $0.status } }

  func setEvaluationContextAndWait(evaluationContext: ImmutableContext) async {
    state.withLock { $0.targetingKey = evaluationContext.targetingKey }
  }

  func observe() -> EventPublisher {
    EventPublisher { listener in
      let number = self.state.withLock {
        $0.nextListener += 1
        $0.listeners[$0.nextListener] = listener
        return $0.nextListener
      }
      return AnyCancellable { self.state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
    }
  }
}

private struct StandInClient: Client {
  let answers: [String: VendorAnswer]

  func getBooleanDetails(key: String, defaultValue: Bool) -> FlagEvaluationDetails<Bool> {
    guard let answer = answers[key] else { return missing(key, defaultValue) }
    return FlagEvaluationDetails(
      flagKey: key, value: answer.isOn, variant: answer.variant,
      reason: answer.isTargeted ? "TARGETING_MATCH" : "STATIC")
  }

  func getIntegerDetails(key: String, defaultValue: Int64) -> FlagEvaluationDetails<Int64> {
    // A provider that has no variant for the user gives the caller's default back.
    FlagEvaluationDetails(flagKey: key, value: defaultValue, reason: "DEFAULT")
  }

  func getDoubleDetails(key: String, defaultValue: Double) -> FlagEvaluationDetails<Double> {
    FlagEvaluationDetails(flagKey: key, value: 0.5, reason: "STATIC")
  }

  func getStringDetails(key: String, defaultValue: String) -> FlagEvaluationDetails<String> {
    FlagEvaluationDetails(flagKey: key, value: "text", variant: "a", reason: "DEFAULT")
  }

  private func missing<T>(_ key: String, _ value: T) -> FlagEvaluationDetails<T> {
    FlagEvaluationDetails(flagKey: key, value: value, reason: "ERROR", errorCode: .flagNotFound)
  }
}

extension OpenFeatureAPI: VendorStandIn {
  func publish(_ server: @escaping @Sendable (_ userID: String?) -> [String: VendorAnswer]) {
    let listeners = state.withLock {
      $0.server = server
      return $0.listeners.values
    }
    for listener in listeners { listener(.configurationChanged(nil)) }
  }

  func fail(_ failure: (any Error)?) { state.withLock { $0.status = failure == nil ? .ready : .error } }
}
