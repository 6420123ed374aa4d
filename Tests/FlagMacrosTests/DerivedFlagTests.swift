import FlagComposition
import FlagDomain
import FlagMacros
import FlagProviders
import FlagTesting
import TestSupport
import Testing

@FlagSet("answers", "Answers beside the search field.")
struct AnswerFlags {
  @Flag("The team's own choice.") var own: Bool?
  @Flag("The vendor's experiment.", isExperiment: true) var experiment = false
  @FlagGroup("Limits.") var limits: AnswerLimits

  var quickAnswers: Bool {
    @Derived("Quick answers.", owner: "search") get { own ?? experiment }
  }

  fileprivate var label: String? {
    @Derived("What stands over them.")
    get {
      guard quickAnswers else { return nil }
      return limits.doubled > 10 ? "many" : "few"
    }
  }

  #if DEBUG
    var isLoud: Bool { @Derived("Logs everything.", isOverridable: false) get { quickAnswers } }
  #endif

  var unrelated: Int { limits.count }
}

@FlagSet("limits", "Limits.")
struct AnswerLimits {
  @Flag("Answers.") var count = 3
  var doubled: Int { @Derived("Twice as many.", default: 6) get { count * 2 } }
}

@FlagSet("circle", "Flags that follow from each other.")
struct CircleFlags {
  @Flag("Ends the circle.") var isOpen = false
  var first: Bool { @Derived("The first.") get { isOpen || second } }
  var second: Bool { @Derived("The second.") get { first } }
}

@Suite("Flags that follow from others", .timeLimit(.minutes(5)))
struct DerivedFlagTests {
  let provider = InMemoryProvider(["answers.experiment": true])

  @Test("The value follows from other flags, of the group, too, and has the reason and metadata of its flag")
  func derives() throws {
    let flags = try FeatureFlagClient(catalogs: [AnswerFlags.catalog]) { provider }
    let answers = AnswerFlags(flags.manager)
    #expect(answers.quickAnswers && answers.label == "few" && answers.limits.doubled == 6 && answers.unrelated == 3)
    provider.write(7, for: "answers.limits.count")
    #expect(answers.label == "many" && answers.limits.doubled == 14)
    provider.write(false, for: "answers.own")
    #expect(!answers.quickAnswers && answers.label == nil)
    let resolution = flags.inspector.resolution(of: answers.$label)
    #expect(resolution.value == nil && resolution.reason == .computed && resolution.errors.isEmpty)
    #expect(answers.$quickAnswers.metadata.owner == "search" && answers.$quickAnswers.key == "answers.quick-answers")
    #expect(
      AnswerFlags.allFlags.map(\.key.name).filter { $0.hasSuffix("quick-answers") || $0.hasSuffix("doubled") } == [
        "answers.limits.doubled", "answers.quick-answers",
      ])
  }

  @Test("An override replaces it, and that of a flag that it reads counts")
  func isOverridden() throws {
    let flags = try FeatureFlagClient(catalogs: [AnswerFlags.catalog]) { provider }
    let answers = AnswerFlags(flags.manager)
    try flags.overrides.override(AnswerFlags.flags.own, with: false)
    #expect(!answers.quickAnswers)
    try flags.overrides.override(AnswerFlags.flags.quickAnswers, with: true)
    #expect(answers.quickAnswers && answers.label == "few")
    #expect(flags.overrides.overrideState(of: AnswerFlags.flags.quickAnswers) == .overridden(true, original: false))
  }

  @Test("Streams and snapshots follow what it reads, and a snapshot stays")
  func isFollowed() async throws {
    let flags = try FeatureFlagClient(catalogs: [AnswerFlags.catalog]) { provider }
    var values = flags.observer.values(of: AnswerFlags.flags.label).makeAsyncIterator()
    #expect(await values.next() == .some("few"))
    let before = AnswerFlags(flags.snapshots.snapshot())
    provider.write(7, for: "answers.limits.count")
    #expect(await values.next() == .some("many"))
    provider.write(false, for: "answers.own")
    #expect(await values.next() == .some(nil))
    #expect(before.label == "few" && before.quickAnswers)
  }

  @Test("A stream follows what it reads without a catalog, too, by a manager for tests as by a client")
  func isFollowedAnywhere() async throws {
    let test = TestFlags()
    let flags = try FeatureFlagClient(catalogs: []) { provider }
    var values = [test as any FlagObserving, flags.observer].map {
      $0.values(of: AnswerFlags.flags.quickAnswers).makeAsyncIterator()
    }
    let first = [await values[0].next(), await values[1].next()]
    #expect(first == [false, true])
    test.set(AnswerFlags.flags.own, to: true)
    provider.write(false, for: "answers.own")
    let second = [await values[0].next(), await values[1].next()]
    #expect(second == [true, false])
  }

  @Test("Reading it is no exposure to an experiment that it reads")
  func exposesNothing() throws {
    let exposures = Exposures()
    let flags = try FeatureFlagClient(catalogs: [AnswerFlags.catalog], exposures: exposures) { provider }
    flags.authenticator.setUser(FlagUser(id: "ann"))
    #expect(AnswerFlags(flags.manager).quickAnswers && exposures.all.isEmpty)
    #expect(AnswerFlags(flags.manager).experiment && exposures.all.count == 1)
  }

  @Test("Fixed flags and a test's flags derive it, and set it")
  func isTested() {
    #expect(!AnswerFlags(FlagDomain.FixedFlags()).quickAnswers)
    #expect(AnswerFlags(FlagDomain.FixedFlags { $0.set(AnswerFlags.flags.experiment, to: true) }).label == "few")
    let test = TestFlags { $0.set(AnswerFlags.flags.own, to: true) }
    #expect(AnswerFlags(test).quickAnswers && AnswerFlags(test).label == "few")
    test.set(AnswerFlags.flags.quickAnswers, to: false)
    #expect(!AnswerFlags(test).quickAnswers && AnswerFlags(test).label == nil)
    #expect(!CircleFlags(FlagDomain.FixedFlags()).first && !CircleFlags(TestFlags()).second)
  }

  @Test("Flags that follow from each other have their defaults, and are an error of the start")
  func refusesCircles() throws {
    let reporter = Reporter()
    let provider = InMemoryProvider()
    let flags = try FeatureFlagClient(
      catalogs: [CircleFlags.catalog], configuration: .init { $0.reporter = reporter }, providers: { provider })
    #expect(
      reporter.errors.map(\.message).sorted() == [
        "expected a flag that follows from others, found circle.first from circle.second from circle.first",
        "expected a flag that follows from others, found circle.second from circle.first from circle.second",
      ])
    #expect(!CircleFlags(flags.manager).first && !CircleFlags(flags.manager).second)
    provider.write(true, for: "circle.is-open")
    #expect(CircleFlags(flags.manager).first && CircleFlags(flags.manager).second)
  }
}

private final class Reporter: FlagErrorReporter {
  private let state = Locked<[FlagError]>([])

  var errors: [FlagError] { state.withLock { $0 } }
  func report(_ error: FlagError) { state.withLock { $0.append(error) } }
}

private final class Exposures: ExposureTracker {
  private let state = Locked<[Exposure]>([])
  let now: Int64 = 0

  var all: [Exposure] { state.withLock { $0 } }
  func track(_ exposures: [Exposure]) { state.withLock { $0 += exposures } }
  func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }
}
