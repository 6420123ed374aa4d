import FlagDomain
import FlagMocks
import FlagProviders
import FlagServices
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("Vendors whose SDK stays")
struct VendorTests {
  private static let everyone: @Sendable (String?) -> [String: VendorAnswer] = { _ in ["beta": VendorAnswer(true)] }
  private let ann = FlagUser(id: "ann", countryCode: "es")

  @Test("Meets the contract of every provider", arguments: Vendor.all)
  func contract(vendor: Vendor) async throws {
    let (standIn, service) = vendor.make()
    standIn.publish(Self.everyone)
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    let (on, off): (FlagValue, FlagValue) = vendor.hasOnlyStrings ? ("true", "false") : (true, false)
    var contract = ProviderContract(provider, present: ["beta": on], absent: "absent")
    contract.change = ProviderContract.Change(to: ["beta": off]) {
      standIn.publish { _ in ["beta": VendorAnswer(false)] }
      try await provider.refresh()
    }
    try await contract.check()
  }

  @Test("What the vendor's client announces is fetched", arguments: Vendor.all)
  func followsEvents(vendor: Vendor) async throws {
    let (standIn, service) = vendor.make()
    standIn.publish(Self.everyone)
    // A machine that is busy with other tests may let it wait.
    let provider = RemoteProvider(service, policy: RemotePolicy(timeout: .seconds(300)))
    try await provider.waitUntilReady()
    let (changes, continuation) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { continuation.yield($0) }
    standIn.publish { _ in ["beta": VendorAnswer(false)] }
    for await _ in changes { break }
    #expect(try value(in: provider) == false)
    subscription.cancel()
  }

  @Test("Signing in gives the user's values, and an outage keeps them, as stale", arguments: Vendor.all)
  func followsUsers(vendor: Vendor) async throws {
    let (standIn, service) = vendor.make()
    standIn.publish { user in ["beta": VendorAnswer(user == "ann", isTargeted: user == "ann", variant: "v1")] }
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    #expect(try value(in: provider) == false)
    provider.setUser(ann)
    try await provider.waitUntilReady()
    #expect(try value(in: provider, for: ann) == true)
    let answer = try provider.snapshot().answer(for: "beta", in: EvaluationContext(user: ann))
    #expect(answer?.variant == (vendor.hasVariants ? "v1" : nil))
    #expect(answer?.reason == vendor.reason)
    guard vendor.canFail else { return }
    standIn.fail(FlagError.outage)
    await #expect(throws: FlagError.self) { try await provider.refresh() }
    #expect(try provider.snapshot().answer(for: "beta", in: EvaluationContext(user: ann))?.reason == .stale)
    #expect(try value(in: provider, for: ann) == true)
  }

  @Test("A vendor that has nothing yet is not ready, and is asked again", arguments: Vendor.all.filter(\.canFail))
  func waits(vendor: Vendor) async throws {
    let (standIn, service) = vendor.make()
    standIn.fail(FlagError.outage)
    let clock = ManualClock()
    let provider = RemoteProvider(service, clock: clock)
    await #expect(throws: FlagError.self) { try await provider.waitUntilReady() }
    standIn.fail(nil)
    standIn.publish(Self.everyone)
    try await provider.refresh()
    #expect(try value(in: provider) == true)
  }

  @Test("LaunchDarkly's client identifies a user once, and values that it pushes need no other request")
  func identifiesOnce() async throws {
    let client = LDClient()
    client.publish(Self.everyone)
    let service = LaunchDarklySDKService(client: client)
    _ = try await service.fetch(for: ann)
    client.publish { _ in ["beta": VendorAnswer(false)] }
    #expect(try await service.fetch(for: ann).answer(for: "beta", in: EvaluationContext())?.value == false)
    #expect(client.identifications == 1)
    _ = try await service.fetch(for: nil)
    #expect(client.identifications == 2)
    await #expect(throws: FlagError(.invalidContext, "a user without an id")) {
      try await service.fetch(for: FlagUser(id: ""))
    }
  }

  @Test("Firebase's strings are read as a flag's type, JSON among them, and in-app defaults say that they are")
  func readsStrings() async throws {
    let config = RemoteConfig(defaults: ["sizes": "[1, 2]", "bad": "[1"]) { _ in ["limit": "10"] }
    let provider = RemoteProvider(FirebaseService(config: config), clock: ManualClock())
    try await provider.waitUntilReady()
    let answers = provider.snapshot()
    let sizes = try #require(try answers.answer(for: "sizes", in: EvaluationContext()))
    #expect(sizes.reason == .default)
    #expect(try sizes.value?.decode(as: [Int].self, textReader: answers.textReader) == [1, 2])
    let bad = FlagValue.string("[1")
    #expect(throws: FlagError.self) { try bad.decode(as: [Int].self, textReader: answers.textReader) }
    #expect(try FlagValue.string("10").decode(as: Int.self, textReader: answers.textReader) == 10)
  }

  @Test("An OpenFeature provider is asked for each flag by its type; the caller's default is no answer")
  func asksByType() async throws {
    let api = OpenFeatureAPI()
    let flags: [any FeatureFlag] = [
      Flag("integer", default: 7, ""), Flag("number", default: 0.1, ""), Flag("text", default: "", ""),
      Flag("list", default: [1], ""), Flag("missing", default: true, ""),
    ]
    let answers = try await OpenFeatureService(name: "flags", api: api, flags: flags).fetch(for: nil)
    let values = try flags.map { try answers.answer(for: $0.key, in: EvaluationContext())?.value }
    #expect(values == [nil, 0.5, "text", nil, nil])
  }

  @Test("ConfigCat's values have their types, and those with an error are left out")
  func readsTypes() {
    let service = ConfigCatService(client: ConfigCatClient())
    #expect([true, 1, 1.5, "a"].map { service.value($0) } == [.bool(true), .int(1), .double(1.5), .string("a")])
    #expect(service.value(Date()) == nil)
  }

  @Test("A flag has another key at its vendor")
  func renames() async throws {
    let config = RemoteConfig { _ in ["feed_page_size": "5"] }
    let firebase = RemoteProvider(FirebaseService(config: config), clock: ManualClock())
    let provider = firebase.renamed(["feed.page-size": "feed_page_size"])
    try await firebase.waitUntilReady()
    #expect(try provider.snapshot().answer(for: "feed.page-size", in: EvaluationContext())?.value == "5")
  }

  @Test("Mocks give the answers that the vendors' adapters give")
  func mocks() async throws {
    let config = RemoteConfig(defaults: ["in-app": "1"]) { _ in ["on": "true"] }
    let client = LDClient()
    client.publish { _ in ["on": VendorAnswer(true)] }
    let pairs: [(any RemoteFlagService, any RemoteFlagService)] = [
      (FirebaseService(config: config), MockFirebaseRemoteConfig(defaults: ["in-app": "1"]) { _ in ["on": "true"] }),
      (LaunchDarklySDKService(client: client), MockLaunchDarkly(["on": true])),
    ]
    for (service, mock) in pairs {
      let (answers, mocked) = (try await service.fetch(for: nil), try await mock.fetch(for: nil))
      #expect(service.name == mock.name)
      #expect((answers.textReader == nil) == (mocked.textReader == nil))
      for key in ["on", "in-app", "absent"] as [FlagKey] {
        let context = EvaluationContext()
        #expect(try answers.answer(for: key, in: context) == mocked.answer(for: key, in: context), "\(service.name)")
      }
    }
  }

  @Test("An adapter has at most 30 lines", arguments: ["Firebase", "ConfigCat", "LaunchDarklySDK", "OpenFeature"])
  func isShort(name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "\(name)Adapter.swift"), encoding: .utf8)
    #expect(text.split(separator: "\n").count { !$0.hasPrefix("import ") } <= 30)
  }

  private func value(in provider: RemoteProvider, for user: FlagUser? = nil) throws -> Bool? {
    let snapshot = provider.snapshot()
    return try snapshot.answer(for: "beta", in: EvaluationContext(user: user))?.value?
      .decode(as: Bool.self, textReader: snapshot.textReader)
  }
}

/// An answer of a stand-in's server.
struct VendorAnswer: Sendable {
  let isOn: Bool
  let isTargeted: Bool
  let variant: String?

  init(_ isOn: Bool, isTargeted: Bool = false, variant: String? = nil) {
    (self.isOn, self.isTargeted, self.variant) = (isOn, isTargeted, variant)
  }
}

/// A vendor's client, as tests drive it.
protocol VendorStandIn: Sendable {
  /// Replaces the server's answers for the user with an id, and pushes what the vendor pushes.
  func publish(_ server: @escaping @Sendable (_ userID: String?) -> [String: VendorAnswer])
  /// Makes requests fail; nil ends that.
  func fail(_ failure: (any Error)?)
}

/// A vendor, and what its answers have.
struct Vendor: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var hasOnlyStrings = false
  var hasVariants = false
  /// The reason of a targeted value.
  var reason = ResolutionReason.targetingMatch
  /// Whether a request for the same user can fail: LaunchDarkly's and ConfigCat's clients answer from memory.
  var canFail = true
  let make: @Sendable () -> (any VendorStandIn, any RemoteFlagService)

  static let all = [
    Vendor(testDescription: "Firebase", hasOnlyStrings: true, reason: .unknown) {
      let config = RemoteConfig { _ in [:] }
      return (config, FirebaseService(config: config))
    },
    Vendor(testDescription: "ConfigCat", hasVariants: true) {
      let client = ConfigCatClient()
      return (client, ConfigCatService(client: client))
    },
    Vendor(testDescription: "LaunchDarkly's SDK", reason: .static, canFail: false) {
      let client = LDClient()
      return (client, LaunchDarklySDKService(client: client))
    },
    Vendor(testDescription: "OpenFeature", hasVariants: true) {
      let api = OpenFeatureAPI()
      let beta = Flag("beta", default: false, "A new list.")
      return (api, OpenFeatureService(name: "OpenFeature", api: api, flags: [beta]))
    },
  ]
}
