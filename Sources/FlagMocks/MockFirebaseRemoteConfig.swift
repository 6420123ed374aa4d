public import FlagDomain
import FlagJSON
public import FlagServices

/// A mock that behaves like Firebase Remote Config's client: strings only, which are fetched and then activated.
///
/// A fetch within the minimum interval after the last one for the same user sends no request, and returns the same
/// values. Values that the server does not have are in-app defaults, with the reason `DEFAULT`.
public final class MockFirebaseRemoteConfig: Sendable {
  /// The server's parameters for a user, with its conditions applied.
  public typealias Template = @Sendable (FlagUser?) -> [FlagKey: String]

  private struct Fetched {
    var parameters: [FlagKey: String]
    var user: FlagUser?
    var time: Duration
  }

  private struct State {
    var template: Template
    var fetched: Fetched?
    var active: Fetched?
  }

  /// The service's name.
  public let name = "Firebase"
  /// The network between the service and its client.
  public let network: MockNetwork
  /// The minimum interval between two fetches for the same user.
  public let minimumFetchInterval: Duration
  private let defaults: [FlagKey: String]
  private let state: Locked<State>
  private let listeners = UpdateListeners()

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - defaults: The in-app defaults.
  ///   - minimumFetchInterval: The minimum interval between two fetches for the same user.
  ///   - network: The network between the service and its client, and its clock.
  ///   - template: The server's parameters for a user, with its conditions applied.
  public init(
    defaults: [FlagKey: String] = [:], minimumFetchInterval: Duration = .seconds(12 * 60 * 60),
    network: MockNetwork = MockNetwork(), template: @escaping Template
  ) {
    self.defaults = defaults
    self.minimumFetchInterval = minimumFetchInterval
    self.network = network
    state = Locked(State(template: template))
  }

  /// Replaces the parameters on the server; the next fetch returns them.
  public func publish(_ template: @escaping Template) { state.withLock { $0.template = template } }

  /// Fetches parameters for a user without activating them, unless the last fetch was within the minimum interval.
  public func fetchOnly(for user: FlagUser?) async throws(FlagError) {
    let now = network.uptime()
    let isGood = state.withLock { state in
      state.fetched.map { $0.user == user && now - $0.time < minimumFetchInterval } ?? false
    }
    guard !isGood else { return }
    let template = try await network.request { self.state.withLock { $0.template } }
    let fetched = Fetched(parameters: template(user), user: user, time: network.uptime())
    state.withLock { $0.fetched = fetched }
  }

  /// Activates the parameters that were fetched last, and notifies subscribers.
  ///
  /// - Returns: Whether they differ from the active ones.
  @discardableResult
  public func activate() -> Bool {
    let activated = state.withLock { state -> Fetched? in
      guard let fetched = state.fetched, fetched.time != state.active?.time || fetched.user != state.active?.user else {
        return nil
      }
      state.active = fetched
      return fetched
    }
    guard let activated else { return false }
    listeners.push(.answers(answers(of: activated), for: activated.user))
    return true
  }

  private func answers(of fetched: Fetched?) -> RemoteAnswers {
    let fetched = fetched?.parameters.mapValues { FlagAnswer(.string($0), reason: .unknown) } ?? [:]
    let inApp = defaults.mapValues { FlagAnswer(.string($0), reason: .default) }
    return RemoteAnswers(inApp.merging(fetched) { _, fetched in fetched }, textReader: FlagValue.reading(json:))
  }
}

extension MockFirebaseRemoteConfig: RemoteFlagService {
  /// Fetches parameters for a user, activates them, and returns them over the in-app defaults.
  public func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    try await fetchOnly(for: user)
    let active = state.withLock { state in
      if state.fetched?.user == user { state.active = state.fetched }
      return state.active
    }
    guard active?.user == user else { throw FlagError(.general, "a fetch for another user overtook this one") }
    return answers(of: active)
  }

  /// Calls a closure when parameters that were fetched without activation are activated.
  public func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    listeners.subscribe(onUpdate)
  }
}
