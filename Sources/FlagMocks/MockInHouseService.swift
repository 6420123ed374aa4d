public import FlagDomain
public import FlagServices

/// A mock of the in-house service: it delivers definitions, which are evaluated locally, and announces changes.
public final class MockInHouseService: Sendable {
  /// The service's name.
  public let name: String
  /// The network between the service and its client.
  public let network: MockNetwork
  private let definitions: Locked<any ProviderSnapshot>
  private let listeners = UpdateListeners()

  /// Creates a service that delivers the values of a provider, such as one of a definitions file.
  public init(
    name: String = "in-house service", serving definitions: any FlagProvider, network: MockNetwork = MockNetwork()
  ) {
    self.name = name
    self.network = network
    self.definitions = Locked(definitions.snapshot())
  }

  /// Replaces the definitions, and notifies subscribers that theirs are out of date.
  public func serve(_ definitions: any FlagProvider) {
    let snapshot = definitions.snapshot()
    self.definitions.withLock { $0 = snapshot }
    if network.failure == nil { listeners.push(.outdated) }
  }
}

extension MockInHouseService: RemoteFlagService {
  /// Returns the definitions, which are the same for all users.
  public func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    RemoteAnswers(try await network.request { self.definitions.withLock { $0 } })
  }

  /// Calls a closure when the definitions have changed.
  public func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    listeners.subscribe(onUpdate)
  }
}
