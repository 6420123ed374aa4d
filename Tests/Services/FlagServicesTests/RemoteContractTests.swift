import FlagDomain
import FlagMocks
import FlagProviders
import FlagServices
import FlagTesting
import TestSupport
import Testing

@Suite("Remote services")
struct RemoteContractTests {
  @Test("Meets the contract of every provider: LaunchDarkly's stand-in")
  func launchDarkly() async throws {
    let service = MockLaunchDarkly(["on": true, "rank": 1]) { user in user?.id == "ann" ? ["rank": 2] : [:] }
    let provider = RemoteProvider(service, clock: ManualClock())
    provider.setUser(FlagUser(id: "ann"))
    try await provider.waitUntilReady()
    var contract = ProviderContract(provider, present: ["on": true, "rank": 2], absent: "off")
    contract.user = FlagUser(id: "ann")
    contract.change = .init(to: ["on": false, "rank": 3]) {
      service.update(["on": false])
      service.target { _ in ["rank": 3] }
    }
    try await contract.check()
  }

  @Test("Meets the contract of every provider: Firebase's stand-in")
  func firebase() async throws {
    let service = MockFirebaseRemoteConfig(defaults: ["in-app": "1"], minimumFetchInterval: .zero) { _ in ["on": "true"]
    }
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    var contract = ProviderContract(provider, present: ["on": "true", "in-app": "1"], absent: "off")
    contract.change = .init(to: ["on": "false", "in-app": "2"]) {
      service.publish { _ in ["on": "false", "in-app": "2"] }
      try await provider.refresh()
    }
    try await contract.check()
  }

  @Test("Meets the contract of every provider: the in-house service's stand-in")
  func inHouse() async throws {
    let service = MockInHouseService(serving: InMemoryProvider(["on": true]))
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    var contract = ProviderContract(provider, present: ["on": true], absent: "off")
    contract.change = .init(to: ["on": false]) {
      service.serve(InMemoryProvider(["on": false]))
      try await provider.refresh()
    }
    try await contract.check()
  }
}
