import FlagDomain

/// A stand-in for the client of Firebase Remote Config, in the shapes of its calls: strings, fetched and activated.
final class RemoteConfig: Sendable {
  private struct State {
    var server: @Sendable ([String: CustomSignalValue]) -> [String: String]
    let defaults: [String: String]
    var signals: [String: CustomSignalValue] = [:]
    var fetched: [String: String] = [:]
    var active: [String: String] = [:]
    var listeners: [Int: @Sendable (RemoteConfigUpdate?, (any Error)?) -> Void] = [:]
    var failure: (any Error)?
    var nextListener = 0
  }

  private let state: Locked<State>

  init(defaults: [String: String] = [:], server: @escaping @Sendable ([String: CustomSignalValue]) -> [String: String])
  {
    state = Locked(State(server: server, defaults: defaults))
  }
}

enum RemoteConfigSource: Sendable { case remote, `default`, `static` }
enum RemoteConfigFetchStatus: Sendable { case noFetchYet, success, failure, throttled }
struct RemoteConfigUpdate: Sendable { let updatedKeys: Set<String> }
struct RemoteConfigValue: Sendable { let stringValue: String, source: RemoteConfigSource }
enum CustomSignalValue: Hashable, Sendable { case string(String), integer(Int), double(Double) }

struct ConfigUpdateListenerRegistration: Sendable { let remove: @Sendable () -> Void }

extension RemoteConfig {
  func setCustomSignals(_ signals: [String: CustomSignalValue?]) async throws {
    state.withLock { for (name, value) in signals { $0.signals[name] = value } }
  }

  func fetch(withExpirationDuration duration: Double) async throws -> RemoteConfigFetchStatus {
    try state.withLock {
      if let failure = $0.failure { throw failure }
      $0.fetched = $0.server($0.signals)
    }
    return .success
  }

  func activate() async throws -> Bool {
    state.withLock { state in
      defer { state.active = state.fetched }
      return state.active != state.fetched
    }
  }

  func allKeys(from source: RemoteConfigSource) -> [String] {
    state.withLock { source == .remote ? Array($0.active.keys) : source == .default ? Array($0.defaults.keys) : [] }
  }

  subscript(key: String) -> RemoteConfigValue {
    state.withLock {
      if let text = $0.active[key] { return RemoteConfigValue(stringValue: text, source: .remote) }
      let text = $0.defaults[key]
      return RemoteConfigValue(stringValue: text ?? "", source: text == nil ? .static : .default)
    }
  }

  func addOnConfigUpdateListener(
    _ listener: @escaping @Sendable (RemoteConfigUpdate?, (any Error)?) -> Void
  ) -> ConfigUpdateListenerRegistration {
    let number = state.withLock {
      $0.nextListener += 1
      $0.listeners[$0.nextListener] = listener
      return $0.nextListener
    }
    return ConfigUpdateListenerRegistration { self.state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
  }
}

extension RemoteConfig: VendorStandIn {
  func publish(_ server: @escaping @Sendable (_ userID: String?) -> [String: VendorAnswer]) {
    let listeners = state.withLock {
      $0.server = { Self.texts(server, $0) }
      $0.fetched = $0.server($0.signals)
      return $0.listeners.values
    }
    for listener in listeners { listener(RemoteConfigUpdate(updatedKeys: []), nil) }
  }

  func fail(_ failure: (any Error)?) { state.withLock { $0.failure = failure } }

  private static func texts(
    _ server: (String?) -> [String: VendorAnswer], _ signals: [String: CustomSignalValue]
  ) -> [String: String] {
    var user: String?
    if case .string(let id)? = signals["user_id"] { user = id }
    return server(user).mapValues { "\($0.isOn)" }
  }
}
