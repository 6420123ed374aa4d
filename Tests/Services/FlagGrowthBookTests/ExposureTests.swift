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
      DefinitionsProvider(try GrowthBookDocument(Array(text.utf8)), name: "GrowthBook")
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

  private final class Tracker: ExposureTracker {
    let exposures = Locked<[Exposure]>([])
    var now: Int64 { 0 }

    func track(_ exposures: [Exposure]) { self.exposures.withLock { $0 += exposures } }
    func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }
  }
}
