import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Observation
import TestSupport
import Testing

@Suite("Flags that a document switches at a time", .timeLimit(.minutes(15)))
struct ScheduledFlagTests {
  private static let sale = Flag("sale", default: false, "Shows the sale.")
  private static let other = Flag("other", default: "", "Something else.")

  private func client(
    _ time: ManualWallClock, onResolution: (@Sendable (FlagKey, FlagResolution<FlagValue>) -> Void)? = nil
  ) throws -> FeatureFlagClient {
    let provider = InHouseProvider(try document(), clock: WallClock(now: time.now, wake: time.wake))
    return try FeatureFlagClient(catalogs: [], configuration: .init { $0.onResolution = onResolution }) { provider }
  }

  /// A document whose sale lasts from 100 to 200.
  private func document(other: String = "a") throws -> FlagDocument {
    try FlagDocument(
      parsing: Data(
        """
        {"flags": {
          "sale": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
            "targeting": {"if": [{"<=": [100, {"var": "$flagd.timestamp"}, 199]}, "on", "off"]}},
          "other": {"state": "ENABLED", "variants": {"v": "\(other)"}, "defaultVariant": "v"}}}
        """.utf8))
  }

  @Test("A stream gets the value of each instant, without a read in between")
  func stream() async throws {
    let time = ManualWallClock(0)
    let client = try client(time)
    var values = client.observer.values(of: Self.sale).makeAsyncIterator()
    #expect(await values.next() == false)
    #expect(time.alarms == [100])
    time.set(to: 100)
    #expect(await values.next() == true)
    #expect(time.alarms == [200])
    time.set(to: 260)
    #expect(await values.next() == false)
    #expect(time.alarms == [])
    #expect(!client.manager.variation(for: Self.sale))
  }

  @Test("Changes name the flags whose comparisons were passed alone")
  func changes() async throws {
    let time = ManualWallClock(0)
    let client = try client(time)
    var changes = client.observer.changes().makeAsyncIterator()
    time.set(to: 99)
    time.set(to: 150)
    #expect(await changes.next()?.keys == .some(["sale"]))
  }

  @Test("Observation is notified at the instant at which a tracked flag changes")
  func observation() throws {
    let time = ManualWallClock(0)
    let client = try client(time)
    let received = Locked<[String]>([])
    func track<F: FeatureFlag>(_ flag: F) {
      _ = withObservationTracking {
        client.observedManager.variation(for: flag)
      } onChange: {
        received.withLock { $0.append(flag.key.name) }
      }
    }
    track(Self.sale)
    track(Self.other)
    time.set(to: 100)
    #expect(received.withLock { $0 } == ["sale"])
    #expect(client.manager.variation(for: Self.sale))
  }

  @Test("Between instants the value is kept like any other: nothing is evaluated twice")
  func kept() throws {
    let time = ManualWallClock(0)
    let resolutions = Locked(0)
    let client = try client(time) { _, _ in resolutions.withLock { $0 += 1 } }
    for _ in 0..<10 { _ = client.manager.variation(for: Self.sale) }
    #expect(resolutions.withLock { $0 } == 1)
    time.set(to: 100)
    for _ in 0..<10 { _ = client.manager.variation(for: Self.sale) }
    #expect(resolutions.withLock { $0 } == 2)
  }

  @Test("A snapshot and a request see one moment, whatever time it becomes")
  func oneMoment() throws {
    let time = ManualWallClock(0)
    let client = try client(time)
    let (snapshot, request) = (client.snapshots.snapshot(), client.manager(for: FlagUser(id: "ann")))
    time.set(to: 100)
    #expect(!snapshot.variation(for: Self.sale))
    #expect(!request.variation(for: Self.sale))
    #expect(client.manager(for: FlagUser(id: "ann")).variation(for: Self.sale))
  }

  @Test("A new document sets the next instant, and one without any sets none; who lets go is woken no more")
  func updates() throws {
    let time = ManualWallClock(0)
    var provider: InHouseProvider? = InHouseProvider(try document(), clock: WallClock(now: time.now, wake: time.wake))
    time.set(to: 120)
    #expect(time.alarms == [200])
    provider?.update(with: try FlagDocument(parsing: Data(#"{"flags": {}}"#.utf8)))
    #expect(time.alarms == [])
    provider?.update(with: try document(other: "b"))
    #expect(time.alarms == [200])
    provider = nil
    #expect(time.alarms == [])
  }

  @Test("An instant that is far away is looked at each hour, so a clock that is set back is noticed")
  func setBack() throws {
    let time = ManualWallClock(-100_000)
    let provider = InHouseProvider(try document(), clock: WallClock(now: time.now, wake: time.wake))
    #expect(time.alarms == [-96_400])
    time.set(to: -96_400)
    #expect(time.alarms == [-92_800])
    time.set(to: 150)
    #expect(try provider.snapshot().answer(for: "sale", in: EvaluationContext())?.value == true)
    #expect(time.alarms == [200])
  }

  @Test("The system's clock rings at once for what is past")
  func systemClock() async {
    let now = WallClock.system.now()
    #expect(abs(now - Int64(Date.now.timeIntervalSince1970)) < 600)
    let instants = Locked<[Int64]>([now - 5])
    let (rings, continuation) = AsyncStream<Void>.makeStream()
    let alarm = InstantAlarm(.system, next: { instants.withLock { $0.first } }) {
      instants.withLock { $0 = [] }
      continuation.yield()
      continuation.finish()
    }
    alarm.reset()
    var count = 0
    for await _ in rings { count += 1 }
    #expect(count == 1)
    withExtendedLifetime(alarm) {}
  }
}
