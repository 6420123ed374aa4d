import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import FlagCounters
import TestSupport
import Testing

/// The cost of a lock shows if more threads than cores wait for it, and only on a machine that does nothing
/// else; the absence of a lock can be tested anywhere.
@Suite("Locks that reads take", .needs(.lockCounter))
struct LockTests {
  @Test("A value that is cached is read without a lock, whatever its type")
  func readsCachedValues() throws {
    let manager = try Self.flags().manager
    let (plain, text) = (Flag("plain", default: false, ""), Flag("text", default: "", ""))
    let (array, codable) = (Flag("array", default: [0], ""), Flag("codable", default: Page(), ""))
    let locks = locks {
      _ = manager.variation(for: plain)
      _ = manager.variation(for: text)
      _ = manager.variation(for: array)
      _ = manager.variation(for: codable)
    }
    #expect(locks == 0)
    #expect(manager.variation(for: array) == [1, 2] && manager.variation(for: codable) == Page(size: 20))
  }

  @Test("A request and a snapshot are read without a lock")
  func readsRequests() throws {
    let flags = try Self.flags()
    let targeted = Flag("targeted", default: "", "")
    let user = FlagUser(id: "42", countryCode: "es")
    let locks = locks {
      let manager = flags.manager(for: user)
      for _ in 0..<5 { _ = manager.variation(for: targeted) }
      _ = flags.snapshots.snapshot().variation(for: targeted)
    }
    #expect(locks == 0)
    #expect(flags.manager(for: user).variation(for: targeted) == "in Spain")
  }

  @Test("A lock that is taken is counted")
  func counts() {
    let locked = Locked(0)
    #expect(locks { locked.withLock { $0 += 1 } } == 1)
  }

  /// Returns how many locks this thread takes for what it has done before.
  private func locks(_ work: () -> Void) -> Int {
    // The first time, types are looked up, and values are resolved and cached.
    for _ in 0..<3 { work() }
    let before = lock_counter_count()
    work()
    return lock_counter_count() - before
  }

  private struct Page: Codable, Equatable, Sendable { var size = 0 }

  private static func flags() throws -> FeatureFlagClient {
    let document = """
      {"flags": {"targeted": {"state": "ENABLED", "variants": {"es": "in Spain", "other": "elsewhere"},
        "targeting": {"if": [{"==": [{"var": "countryCode"}, "es"]}, "es", "other"]}}}}
      """
    return try FeatureFlagClient(catalogs: []) {
      try InHouseProvider(FlagDocument(parsing: Data(document.utf8)))
      InMemoryProvider([
        "plain": true, "text": "a text of more than fifteen bytes", "array": [1, 2], "codable": ["size": 20],
      ])
    }
  }
}

extension Requirement {
  fileprivate static let lockCounter = Requirement(
    "lock-counter", "locks cannot be counted here: on this platform, or under the thread sanitizer"
  ) { lock_counter_is_available() }
}
