import FlagComposition
import FlagDomain
import FlagProviders
import FlagTesting
import FlagUserDefaults
import Foundation
import Observation
import TestSupport
import Testing

/// User defaults that post a notification before a call that sets one returns, as Apple's do.
@Suite("User defaults that post as they are set", .timeLimit(.minutes(15)))
struct PostedDefaultsTests {
  @Test(
    "Each operation ends within the notices of each other one, on the same and on another thread",
    arguments: Operation.allCases)
  fileprivate func ends(outer: Operation) async throws {
    try await onThread {
      let program = try Program()
      var inners: Set<Operation> = []
      for inner in Operation.allCases {
        for isElsewhere in [false, true] where try program.run(inner, within: outer, isElsewhere: isElsewhere) > 0 {
          inners.insert(inner)
        }
      }
      #expect(inners.count == (Operation.noticed.contains(outer) ? Operation.allCases.count : inners.count))
      program.end()
    }
  }

  @Test("Writes of several threads into one dictionary, and into one value, all stay")
  func losesNoWrite() async throws {
    let suite = "posted-\(UUID().uuidString)"
    defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
    let provider = try UserDefaultsProvider(
      suiteName: suite, dictionary: "all", protectedData: nil, clock: ManualClock())
    try await onThreads(4) { thread in
      for number in 0..<10 {
        let key = try #require(FlagKey(validating: "posted.n\(thread).k\(number)"))
        try provider.write([key: .int(Int128(number))])
        #expect(try value(of: key, in: provider) == .int(Int128(number)))
      }
    }
    let stored = try UserDefaultsProvider(suiteName: suite, dictionary: "all")
    for thread in 0..<4 {
      for number in 0..<10 {
        let key = try #require(FlagKey(validating: "posted.n\(thread).k\(number)"))
        #expect(try value(of: key, in: stored) == .int(Int128(number)), "\(key)")
      }
    }
  }
}

private func value(of key: FlagKey, in provider: any FlagProvider) throws -> FlagValue? {
  try provider.snapshot().answer(for: key, in: EvaluationContext())?.value
}

private enum Operation: CaseIterable {
  case override, clear, clearAll, reload, id, newID, visitor, read, inspect, subscribe, cancel, setUser, attribute
  case write, register, providers, status

  /// The operations whose changes others are told of before they end.
  static let noticed: Set<Operation> = [
    .override, .clear, .clearAll, .reload, .newID, .visitor, .setUser, .attribute, .write, .register, .providers, .read,
  ]
}

/// A client over user defaults in every role, whose listeners do something once at a moment of choice.
private final class Program: Sendable {
  private let suite = "posted-\(UUID().uuidString)"
  private let store: UserDefaultsOverrideStore
  private let provider: UserDefaultsProvider
  private let ids: AnonymousIDs
  private let flags: FeatureFlagClient
  private let interruption: CountedInterruption
  private let subscriptions = Locked<[FlagSubscription]>([])
  private let number = Locked(0)
  private let flag = Flag("posted.flag", default: 0, FlagMetadata(isExperiment: true))
  private let overridden = Flag("posted.overridden", default: 0, "")
  private let broken = Flag("posted.broken", default: 0, "")

  init() throws {
    let interruption = CountedInterruption()
    let notice: @Sendable () -> Void = { interruption.run() }
    let clock = ManualClock()
    self.interruption = interruption
    store = UserDefaultsOverrideStore(suite: suite, prefix: "o.", protectedData: nil, clock: clock, onSet: notice)
    let provider = try UserDefaultsProvider(
      suiteName: suite, dictionary: "values", protectedData: nil, clock: clock, onSet: notice)
    self.provider = provider
    ids = AnonymousIDs(in: UserDefaultsAnonymousIDStore(suite: suite, onSet: notice))
    let (tracker, reporter) = (NoticingTracker(notice: notice), NoticingReporter(notice: notice))
    let (stored, visitors) = (store, ids)
    flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.anonymousIDs = visitors
        $0.overrides = stored
        $0.reporter = reporter
        $0.exposures = tracker
        $0.onResolution = { _, _ in notice() }
      }
    ) {
      provider
      NoticedProvider(notice: notice)
    }
    let observed = provider.subscribe { _ in notice() }
    subscriptions.withLock { $0 = [observed, flags.registry.subscribe(notice)] }
  }

  func end() {
    subscriptions.withLock { $0 = [] }
    UserDefaults.standard.removePersistentDomain(forName: suite)
    UserDefaults.standard.synchronize()
  }

  /// Does an operation within another one, at each notice of that, and returns at how many.
  func run(_ inner: Operation, within outer: Operation, isElsewhere: Bool) throws -> Int {
    var notices = 0
    repeat {
      track()
      interruption.set(after: notices, isElsewhere) { try self.perform(inner) }
      let isDone = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) { try self.perform(outer) }
        isDone.signal()
      }.start()
      try #require(isDone.wait(timeout: .now() + 60) == .success, "\(inner) within \(outer), \(isElsewhere)")
      if interruption.isArmed { return notices }
      notices += 1
      #expect(flags.overrides.overrides == (try store.load()), "\(inner) within \(outer), \(isElsewhere)")
      let now = try value(of: flag.key, in: UserDefaultsProvider(suiteName: suite, dictionary: "values"))
      #expect(try value(of: flag.key, in: provider) == now, "\(inner) within \(outer), \(isElsewhere)")
    } while notices < 20
    return notices
  }

  /// Lets Observation notice the next change.
  private func track() {
    withObservationTracking {
      _ = flags.observedManager.variation(for: overridden)
    } onChange: { [interruption] in
      interruption.run()
    }
  }

  private func perform(_ operation: Operation) throws {
    let next = number.withLock { number in
      number += 1
      return number
    }
    switch operation {
    case .override: try flags.overrides.override(overridden, with: next)
    case .clear: try flags.overrides.clearOverride(of: overridden)
    case .clearAll:
      try flags.overrides.override(overridden, with: next)
      try flags.overrides.clearOverrides()
    case .reload:
      let defaults = UserDefaults(suiteName: suite)
      defaults?.set(["posted.other": next], forKey: "values")
      defaults?.synchronize()
      try provider.reload()
    case .id: #expect(!(try ids.id()).isEmpty)
    case .newID: #expect(!(try ids.renew()).isEmpty)
    case .visitor: flags.context.setAnonymousID("visitor \(next)")
    case .read:
      for flag in [flag, overridden, broken] { _ = flags.manager.variation(for: flag) }
      _ = flags.manager(for: FlagUser(id: "ann")).variation(for: flag)
      _ = provider.snapshot()
    case .inspect:
      _ = flags.inspector.resolution(of: flag)
      _ = flags.overrides.overrideState(of: overridden)
      _ = flags.overrides.keysAwaitingRestart
    case .subscribe: _ = provider.subscribe { _ in }
    case .cancel:
      let subscription = store.subscribe { _ in }
      subscription.cancel()
    case .setUser: flags.authenticator.setUser(FlagUser(id: "user \(next)"))
    case .attribute: flags.context.updateAttributes(["number": .int(Int128(next))], removing: [])
    case .write: try provider.write([flag.key: .int(Int128(next))])
    case .register:
      try flags.registry.replaceAll(with: [FlagCatalog("app \(next)") { flag }])
      try flags.registry.replaceAll(with: [])
    case .providers: try flags.setProviders { [provider] in provider }
    case .status: _ = flags.providerStatuses
    }
  }
}

/// Work that is done once, after a number of notices.
private final class CountedInterruption: Sendable {
  private let state = Locked<(left: Int, interruption: Interruption?)>((0, nil))

  var isArmed: Bool { state.withLock { $0.interruption != nil } }

  func set(after notices: Int, _ isElsewhere: Bool, _ work: @escaping @Sendable () throws -> Void) {
    let interruption = Interruption(isElsewhere, work)
    state.withLock { $0 = (notices, interruption) }
  }

  func run() {
    let due = state.withLock { state -> Interruption? in
      state.left -= 1
      guard state.left < 0 else { return nil }
      defer { state.interruption = nil }
      return state.interruption
    }
    due?.run()
  }
}

/// A provider of a service that tells of contexts, and of one value that no flag reads.
private struct NoticedProvider: FlagProvider, ProviderSnapshot {
  let name = "noticed"
  let notice: @Sendable () -> Void

  func snapshot() -> any ProviderSnapshot { self }
  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    key.name == "posted.broken" ? FlagAnswer("text") : nil
  }

  func setContext(_ context: EvaluationContext) { notice() }
}

private struct NoticingTracker: ExposureTracker {
  let notice: @Sendable () -> Void
  var now: Int64 { 0 }
  func track(_ exposures: [Exposure]) { notice() }
  func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }
}

private struct NoticingReporter: FlagErrorReporter {
  let notice: @Sendable () -> Void
  func report(_ error: FlagError) { notice() }
}
