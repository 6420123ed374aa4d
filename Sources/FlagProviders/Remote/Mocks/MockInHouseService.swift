public import FlagDomain

/// A stand-in for the in-house service: it delivers definitions to be evaluated here, and says when they change.
public final class MockInHouseService: Sendable {
  /// The service's name.
  public let name: String
  /// The weather between the service and its client.
  public let network: MockNetwork
  private let definitions: Locked<any ProviderSnapshot>
  private let listeners = UpdateListeners()

  /// Creates a service that delivers what a provider knows, such as one of a definitions file.
  public init(
    name: String = "in-house service", serving definitions: any FlagProvider, network: MockNetwork = MockNetwork()
  ) {
    self.name = name
    self.network = network
    self.definitions = Locked(definitions.snapshot())
  }
}

extension MockInHouseService {
  /// Delivers other definitions from now on, and tells the client that its own are outdated.
  public func serve(_ definitions: any FlagProvider) {
    let snapshot = definitions.snapshot()
    self.definitions.withLock { $0 = snapshot }
    if network.failure == nil { listeners.push(.outdated) }
  }
}

extension MockInHouseService: RemoteFlagService {
  /// Returns the definitions; who the user is matters only to their evaluation.
  public func fetch(for user: User?) async throws(FlagError) -> RemoteAnswers {
    RemoteAnswers(try await network.request { self.definitions.withLock { $0 } })
  }

  /// Calls a closure when the definitions have changed.
  public func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    listeners.subscribe(onUpdate)
  }
}
