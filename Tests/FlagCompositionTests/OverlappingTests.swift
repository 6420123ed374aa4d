import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import TestSupport
import Testing

@Suite("Overrides, writes and reads within each other", .timeLimit(.minutes(15)))
struct OverlappingTests {
  private let flag = Flag("overlapping.a", default: 0, "")
  private let other = Flag("overlapping.b", default: 0, "")

  @Test(
    "An override that is set during another one's write, on any thread, ends, and both are kept",
    arguments: [false, true])
  func nestsOverrides(isElsewhere: Bool) async throws {
    let store = InterruptedStore()
    let flags = try compose(overrides: store) {}
    store.interruption.set { try flags.overrides.override(other, with: 2) }
    try await onThread { try store.interruption.during(isElsewhere) { try flags.overrides.override(flag, with: 1) } }
    #expect(flags.overrides.overrides == [flag.key: 1, other.key: 2])
    #expect(store.load() == flags.overrides.overrides)
  }

  @Test(
    "Of two writes of one key that overlap, memory has what the store has", arguments: [false, true], [false, true])
  func agreesWithStore(isElsewhere: Bool, isFirst: Bool) async throws {
    let store = InterruptedStore(isInterruptedFirst: isFirst)
    let flags = try compose(overrides: store) {}
    let values = Locked<[Int]>([])
    let observation = flags.observer.changes()
    store.interruption.set {
      try flags.overrides.override(flag, with: 2)
      values.withLock { $0.append(flags.manager.variation(for: flag)) }
    }
    try await onThread { try store.interruption.during(isElsewhere) { try flags.overrides.override(flag, with: 1) } }
    #expect(store.load() == [flag.key: isFirst ? 1 : 2])
    #expect(flags.overrides.overrides == store.load())
    #expect(values.withLock { $0 } == [2])
    withExtendedLifetime(observation) {}
  }

  @Test("A write that fails leaves memory as it was, whatever others write meanwhile")
  func keepsAfterFailure() async throws {
    let store = InterruptedStore()
    let flags = try compose(overrides: store) {}
    try flags.overrides.override(flag, with: 5)
    store.refused.withLock { $0 = flag.key }
    store.interruption.set { try flags.overrides.override(other, with: 2) }
    await #expect(throws: FlagError.self) {
      try await onThread { try store.interruption.during(true) { try flags.overrides.override(flag, with: 1) } }
    }
    #expect(flags.overrides.overrides == [flag.key: 5, other.key: 2])
    #expect(store.load() == flags.overrides.overrides)
  }

  @Test("Threads that override the same and other keys at once lose nothing, and memory ends as the store")
  func losesNothing() async throws {
    let store = RecordingStore()
    let flags = try compose(overrides: store) {}
    try await onThreads(8) { thread in
      for number in 0..<100 {
        let own = try #require(FlagKey(validating: "overlapping.\(thread)-\(number)"))
        try flags.overrides.setOverrides([own: 1, "overlapping.shared": .int(Int128(thread))])
        #expect(flags.overrides.overrides[own] == 1)
      }
    }
    #expect(flags.overrides.overrides.count == 801)
    #expect(flags.overrides.overrides == store.stored)
  }

  @Test("A delegate that lets another thread write during its own write ends, with both values")
  func nestsDelegateWrites() async throws {
    let delegate = InterruptedDelegate()
    let provider = DelegateProvider(delegate)
    delegate.interruption.set { try provider.write([other.key: 2]) }
    try await onThread { try delegate.interruption.during(true) { try provider.write([flag.key: 1]) } }
    let snapshot = provider.snapshot()
    let values = try [flag.key, other.key].map { try snapshot.answer(for: $0, in: EvaluationContext())?.value }
    #expect(values == [1, 2])
  }

  @Test(
    "A flag whose key asks for the catalogs that it is added to, on any thread, is added", arguments: [false, true])
  func nestsCatalogs(isElsewhere: Bool) async throws {
    let interruption = Interruption()
    let flags = try FeatureFlagClient(catalogs: []) {}
    interruption.set { _ = flags.catalogs }
    try await onThread {
      try interruption.during(isElsewhere) {
        try flags.registry.add(FlagCatalog("late") { InterruptedFlag(interruption: interruption) })
      }
    }
    #expect(flags.catalogs.map(\.name) == ["late"])
  }

  @Test("A status that is read while another thread asks for it ends")
  func nestsStatuses() async throws {
    let provider = InterruptedProvider()
    let statuses = provider.statuses()
    provider.interruption.set { provider.subscribers.notify(.all) }
    try await onThread { try provider.interruption.during(true) { provider.subscribers.notify(.all) } }
    var iterator = statuses.makeAsyncIterator()
    #expect(await iterator.next() == ProviderStatus(.fresh, isSettled: true))
  }
}

@Suite("Listeners that read flags")
struct ReadingListenerTests {
  private static let experiment = Flag("listener.experiment", default: false, FlagMetadata(isExperiment: true))
  private static let plain = Flag("listener.plain", default: false, "")

  @Test("A flag that is read where resolutions are received is none of them, and is one when it is read next")
  func readsOnResolution() async throws {
    let noticed = Locked<[FlagKey]>([])
    let client = Locked<FeatureFlagClient?>(nil)
    let flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.onResolution = { key, _ in
          noticed.withLock { $0.append(key) }
          let flags = client.withLock { $0 }
          _ = flags?.manager.variation(for: Self.plain)
          _ = flags?.manager.variation(for: Self.experiment)
          _ = flags?.snapshots.snapshot().variation(for: Self.plain)
          _ = flags?.manager(for: nil).variation(for: Self.plain)
          _ = flags?.followingManager(for: nil).variation(for: Self.plain)
        }
      }
    ) {}
    client.withLock { $0 = flags }
    _ = flags.manager.variation(for: Self.experiment)
    _ = flags.manager.variation(for: Self.plain)
    _ = flags.manager.variation(for: Self.plain)
    #expect(noticed.withLock { $0 } == [Self.experiment.key, Self.plain.key])
    client.withLock { $0 = nil }
  }

  @Test("An experiment that is read where exposures are received is no exposure, until someone else reads it")
  func readsInTracker() throws {
    let tracker = ReadingTracker()
    let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) {}
    flags.authenticator.setUser(FlagUser(id: "ann"))
    let second = Flag("listener.second", default: false, FlagMetadata(isExperiment: true))
    tracker.onTrack.withLock { $0 = { _ = flags.manager.variation(for: second) } }
    _ = flags.manager.variation(for: Self.experiment)
    #expect(tracker.tracked.withLock { $0 } == [Self.experiment.key])
    _ = flags.manager.variation(for: second)
    #expect(tracker.tracked.withLock { $0 } == [Self.experiment.key, second.key])
    _ = flags.snapshots.snapshot(for: FlagUser(id: "ben")).variation(for: Self.experiment)
    #expect(tracker.tracked.withLock { $0.count } == 3)
    tracker.onTrack.withLock { $0 = nil }
  }

  @Test("An experiment of a snapshot is one exposure, also if another thread reads it while it is tracked")
  func tracksOnce() async throws {
    let tracker = ReadingTracker()
    let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) {}
    flags.authenticator.setUser(FlagUser(id: "ann"))
    let snapshot = flags.snapshots.snapshot()
    let isRead = DispatchSemaphore(value: 0)
    tracker.onTrack.withLock { onTrack in
      onTrack = {
        tracker.onTrack.withLock { $0 = nil }
        Thread {
          _ = snapshot.variation(for: Self.experiment)
          isRead.signal()
        }.start()
        #expect(isRead.wait(timeout: .now() + 60) == .success)
      }
    }
    try await onThread { _ = snapshot.variation(for: Self.experiment) }
    #expect(tracker.tracked.withLock { $0 } == [Self.experiment.key])
  }

  @Test("The errors of flags that an error reporter reads are reported after its call, none is lost")
  func readsInReporter() throws {
    let reporter = ReadingReporter()
    let keys = (0..<5).compactMap { FlagKey(validating: "listener.bad-\($0)") }.map { Flag($0, default: 0, "") }
    let flags = try compose(reporter: reporter) {
      InMemoryProvider(Dictionary(uniqueKeysWithValues: keys.map { ($0.key, FlagValue.string("text")) }))
    }
    reporter.onReport.withLock { $0 = { for flag in keys { _ = flags.manager.variation(for: flag) } } }
    _ = flags.manager.variation(for: keys[0])
    #expect(reporter.state.withLock { $0.keys } == keys.map(\.key))
    #expect(reporter.state.withLock { $0.deepest } == 1)
    reporter.onReport.withLock { $0 = nil }
  }
}

// MARK: Code of others that runs at the wrong moment

/// Work that is done once during other work, on the same or another thread.
final class Interruption: Sendable {
  private struct State {
    var work: (@Sendable () throws -> Void)?
    var isElsewhere = false
    var isArmed = false
  }

  private let state: Locked<State>

  init() { state = Locked(State()) }

  /// Creates an interruption by work that is to be done at once.
  init(_ isElsewhere: Bool, _ work: @escaping @Sendable () throws -> Void) {
    state = Locked(State(work: work, isElsewhere: isElsewhere, isArmed: true))
  }

  func set(_ work: @escaping @Sendable () throws -> Void) { state.withLock { $0.work = work } }

  /// Runs outer work, within which the other one is to be done.
  func during(_ isElsewhere: Bool, _ outer: () throws -> Void) throws {
    state.withLock { ($0.isElsewhere, $0.isArmed) = (isElsewhere, true) }
    try outer()
    #expect(!state.withLock { $0.isArmed }, "nothing was interrupted")
  }

  /// Does the work, if it is to be done now; another thread has a minute for it.
  func run() {
    let (work, isElsewhere) = state.withLock { state in
      defer { state.isArmed = false }
      return (state.isArmed ? state.work : nil, state.isElsewhere)
    }
    guard let work else { return }
    guard isElsewhere else {
      #expect(throws: Never.self) { try work() }
      return
    }
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      #expect(throws: Never.self) { try work() }
      isDone.signal()
    }.start()
    #expect(isDone.wait(timeout: .now() + 60) == .success, "work within other work has not ended")
  }
}

/// A store that is interrupted before or after it has stored.
private final class InterruptedStore: FlagOverrideStore {
  let interruption = Interruption()
  let refused = Locked<FlagKey?>(nil)
  private let isInterruptedFirst: Bool
  private let stored = Locked<[FlagKey: FlagValue]>([:])

  init(isInterruptedFirst: Bool = false) { self.isInterruptedFirst = isInterruptedFirst }

  func load() -> [FlagKey: FlagValue] { stored.withLock { $0 } }

  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    if isInterruptedFirst { interruption.run() }
    if let refused = refused.withLock({ $0 }), values.keys.contains(refused) {
      interruption.run()
      throw FlagError(.general, "refused")
    }
    stored.withLock { stored in for (key, value) in values { stored[key] = value } }
    interruption.run()
  }
}

private struct InterruptedFlag: FeatureFlag {
  let defaultValue = false
  let interruption: Interruption

  var key: FlagKey {
    interruption.run()
    return "overlapping.flag"
  }
}

private final class InterruptedDelegate: WritableFlagProviderDelegate {
  let interruption = Interruption()
  private let values = Locked<[FlagKey: FlagValue]>([:])

  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    values.withLock { $0[key] }.map { FlagAnswer($0) }
  }

  func write(_ changes: [FlagKey: FlagValue?]) {
    values.withLock { values in for (key, value) in changes { values[key] = value } }
    interruption.run()
  }
}

private final class InterruptedProvider: FlagProvider {
  let name = "interrupted"
  let interruption = Interruption()
  let subscribers = FlagSubscribers<ChangedKeys>()

  var providerStatus: ProviderStatus {
    interruption.run()
    return ProviderStatus(.fresh, isSettled: true)
  }

  func snapshot() -> any ProviderSnapshot { InMemoryProvider().snapshot() }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}

private final class ReadingTracker: ExposureTracker {
  let tracked = Locked<[FlagKey]>([])
  let onTrack = Locked<(@Sendable () -> Void)?>(nil)

  var now: Int64 { 0 }

  func track(_ exposures: [Exposure]) {
    tracked.withLock { $0 += exposures.map(\.flag) }
    let onTrack = onTrack.withLock { $0 }
    onTrack?()
  }

  func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }
}

private final class ReadingReporter: FlagErrorReporter {
  let onReport = Locked<(@Sendable () -> Void)?>(nil)
  let state = Locked<(keys: [FlagKey?], depth: Int, deepest: Int)>(([], 0, 0))

  func report(_ error: FlagError) {
    state.withLock { state in
      state.keys.append(error.key)
      state.depth += 1
      state.deepest = max(state.deepest, state.depth)
    }
    let onReport = onReport.withLock { $0 }
    onReport?()
    state.withLock { $0.depth -= 1 }
  }
}
