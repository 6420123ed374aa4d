import FlagComposition
import FlagDomain
import FlagGrowthBook
import FlagProviders
import Testing

@Suite("Experiments of GrowthBook in an app")
struct ExposureTests {
  @Test("Reads of experiments are exposures of the unit that was assigned, with key and variation")
  func exposures() throws {
    let text = #"""
      {"features": {"by-user": {"defaultValue": 0, "rules": [{"key": "users", "variations": [1, 2]}]},
        "by-company": {"defaultValue": 0, "rules": [
          {"key": "companies", "hashAttribute": "company", "variations": [1, 2], "weights": [0, 1]}]},
        "plain": {"defaultValue": 3}}}
      """#
    let tracker = Tracker()
    let client = try FeatureFlagClient(catalogs: [], exposures: tracker) {
      DefinitionStoreProvider(try GrowthBookDocument(Array(text.utf8)), name: "GrowthBook")
    }
    client.authenticator.setUser(FlagUser(id: "ann", attributes: ["company": 7]))
    for key in ["by-user", "by-company", "plain"] as [FlagKey] {
      _ = client.manager.variation(for: Flag(key, default: 0, "A number."))
    }
    let found = tracker.exposures.withLock { $0 }.map { exposure in
      [exposure.unit, exposure.resolution.variant ?? "", "\(exposure.resolution.metadata["experimentKey"] ?? .null)"]
    }
    #expect(found == [["ann", "1", "\"users\""], ["7", "1", "\"companies\""]])
  }

  @Test("Exposures and conversions have the attribute that users were assigned by, under the name of the context")
  func units() throws {
    let text = #"""
      {"features": {
        "by-organization": {"defaultValue": 0, "rules": [
          {"key": "organizations", "hashAttribute": "organization", "variations": [1, 2]}]},
        "by-device": {"defaultValue": 0, "rules": [{"key": "devices", "hashAttribute": "deviceId", "variations": [1, 2]}]},
        "by-account": {"defaultValue": 0, "rules": [
          {"key": "accounts", "hashAttribute": "account", "fallbackAttribute": "cookie", "variations": [1, 2]}]}}}
      """#
    let tracker = Tracker()
    var settings = GrowthBookSettings()
    settings.attributeNames["deviceId"] = "device"
    let format = GrowthBookFormat(settings: settings, stickyBuckets: Buckets())
    let document = try GrowthBookDocument(Array(text.utf8), format: format)
    let client = try FeatureFlagClient(catalogs: [], exposures: tracker) {
      DefinitionStoreProvider(document, name: "GrowthBook")
    }
    let user = FlagUser(
      id: "ann", attributes: ["organization": "o-1", "device": "d-1", "cookie": "k-1", "plan": "pro"])
    for key in ["by-organization", "by-device", "by-account"] as [FlagKey] {
      _ = client.manager(for: user).variation(for: Flag(key, default: 0, "A number."))
    }
    client.conversions(of: user, to: tracker).track("visit")
    let units = ["organization": "o-1", "device": "d-1", "cookie": "k-1"]
    #expect(
      tracker.exposures.withLock { $0 }.map { [$0.unitAttribute: $0.unit] } == [
        ["organization": "o-1"], ["device": "d-1"], ["cookie": "k-1"],
      ])
    #expect(tracker.units.withLock { $0 } == units.merging(["targetingKey": "ann"]) { $1 })
  }

  private final class Buckets: StickyBucketStore {
    func assignments(of unit: StickyBucketUnit) -> [String: String] { [:] }
    func save(_ assignments: [String: String], of unit: StickyBucketUnit) {}
    func remove(_ experiments: Set<String>, of unit: StickyBucketUnit) {}
  }

  private final class Tracker: ExposureTracker, ConversionCollector {
    let exposures = Locked<[Exposure]>([])
    let units = Locked<[String: String]>([:])
    var now: Int64 { 0 }

    func collect(_ conversion: Conversion) { units.withLock { $0 = conversion.units } }

    func track(_ exposures: [Exposure]) { self.exposures.withLock { $0 += exposures } }
    func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }
  }
}
