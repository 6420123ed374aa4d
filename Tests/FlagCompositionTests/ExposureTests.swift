import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Exposures", .timeLimit(.minutes(15)))
struct ExposureTests {
  @Test("A read of an experiment records the user, the value and the reason")
  func tells() throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker)
    flags.authenticator.setUser(FlagUser(id: "ann", countryCode: "de"))
    #expect(flags.manager.variation(for: button) == "blue")
    let exposure = try #require(tracker.exposures.first)
    #expect(tracker.exposures.count == 1)
    #expect(exposure.flag == button.key && exposure.unit == "ann" && exposure.time == 1000)
    #expect(exposure.context["countryCode"] == "de")
    #expect(
      exposure.resolution
        == FlagResolution(
          "blue", variant: "b", reason: .targetingMatch, provider: "house",
          metadata: ["experiment": true, "version": "7"]))
  }

  @Test("Of the flags that are read, experiments count: by their definition, or by their declaration")
  func countsExperiments() throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker)
    flags.authenticator.setUser(FlagUser(id: "ann"))
    #expect(flags.manager.variation(for: plain) == "x")
    #expect(flags.manager.variation(for: Flag("plain", default: "", FlagMetadata(isExperiment: true))) == "x")
    #expect(flags.manager.variation(for: Flag("absent", default: 3, FlagMetadata(isExperiment: true))) == 3)
    #expect(tracker.lines == ["plain ann on", "absent ann 3"])
  }

  @Test("Every way in which a feature module reads counts", arguments: Way.allCases)
  func countsReads(way: Way) async throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker)
    flags.authenticator.setUser(FlagUser(id: "ann"))
    await way.read(button, in: flags)
    #expect(tracker.lines == ["button ann b"])
  }

  @Test("To look at a flag does not count, and costs no later read its exposure", arguments: Look.allCases)
  func countsNoLooks(look: Look) throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker, catalogs: [FlagCatalog("app", "", items: [.flag(button)])])
    flags.authenticator.setUser(FlagUser(id: "ann"))
    look.look(at: button, in: flags)
    #expect(tracker.lines.isEmpty)
    _ = flags.manager.variation(for: button)
    #expect(tracker.lines == ["button ann b"])
  }

  @Test("An overridden value does not count, nor one for a visitor without an id")
  func leavesOut() throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker)
    _ = flags.manager.variation(for: button)
    flags.authenticator.setUser(FlagUser(id: "ann"))
    try flags.overrides.override(button, with: "red")
    #expect(flags.manager.variation(for: button) == "red")
    #expect(tracker.lines.isEmpty)
    try flags.overrides.clearOverrides()
    #expect(flags.manager.variation(for: button) == "blue")
    #expect(tracker.lines == ["button ann b"])
  }

  @Test("A visitor with an id counts by it")
  func countsVisitors() throws {
    let tracker = RecordingTracker()
    let flags = try FeatureFlagClient(catalogs: [], attributes: ["targetingKey": "visitor"], exposures: tracker) {
      try house()
    }
    _ = flags.manager.variation(for: button)
    #expect(tracker.lines == ["button visitor b"])
  }

  @Test("A kept value is not exposed again until the tracker asks for it again")
  func tellsAgain() throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker)
    flags.authenticator.setUser(FlagUser(id: "ann"))
    for _ in 0..<3 { _ = flags.manager.variation(for: button) }
    #expect(tracker.lines.count == 1)
    tracker.expire()
    for _ in 0..<3 { _ = flags.manager.variation(for: button) }
    #expect(tracker.lines.count == 2)
  }

  @Test("Asking for exposures again is no change of flags")
  func changesNothing() async throws {
    let tracker = RecordingTracker()
    let memory = InMemoryProvider(name: "memory", ["size": 1])
    let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) { memory }
    var changes = flags.observer.changes().makeAsyncIterator()
    tracker.expire()
    memory.write(["size": 2])
    #expect(await changes.next()?.causes == [.provider("memory")])
  }

  @Test("A request's manager exposes each flag once, all together at its end, with the time of the read")
  func gathersRequests() throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker)
    var request: (any FlagSnapshot)? = flags.manager(for: FlagUser(id: "ben"))
    for _ in 0..<3 { _ = request?.variation(for: button) }
    tracker.set(now: 2000)
    _ = request?.variation(for: Flag("plain", default: "", FlagMetadata(isExperiment: true)))
    #expect(tracker.calls.isEmpty)
    tracker.set(now: 3000)
    request = nil
    #expect(tracker.calls.map { $0.map(\.unit) } == [["ben", "ben"]])
    #expect(tracker.exposures.map(\.time) == [1000, 2000])
  }

  @Test("A snapshot explains the value it gave, though the flag has another one by now")
  func tellsGivenValue() throws {
    let tracker = RecordingTracker()
    let next = Atomic(0)
    let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) {}
    let flag = Flag("computed", default: 0, FlagMetadata(isExperiment: true)) { _ in
      next.add(1, ordering: .relaxed).newValue
    }
    do {
      let snapshot = flags.snapshots.snapshot(for: FlagUser(id: "ann"))
      #expect(snapshot.resolution(of: flag).value == 1)
      #expect(snapshot.variation(for: flag) == 1)
    }
    #expect(tracker.lines == ["computed ann 1"])
  }

  @Test("The hook receives every resolution that a read makes, and none of an inspection")
  func hooks() throws {
    let seen = Locked<[String]>([])
    let flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.onResolution = { key, resolution in seen.withLock { $0.append("\(key) \(resolution.value)") } }
      }
    ) { try house() }
    for _ in 0..<3 { _ = flags.manager.variation(for: plain) }
    _ = flags.inspector.resolution(of: plain)
    _ = flags.manager(for: FlagUser(id: "ben")).variation(for: button)
    #expect(seen.withLock { $0 } == [#"plain "x""#, #"button "blue""#])
  }

  @Test("Conversions are those of the current user or of a request's; without a user none is tracked")
  func tracksConversions() throws {
    let tracker = RecordingTracker()
    let flags = try client(tracker)
    let conversions = flags.conversions(to: tracker)
    conversions.track("visit")
    flags.authenticator.setUser(FlagUser(id: "ann"))
    conversions.track("purchase", value: 12.5, attributes: ["currency": "EUR"])
    conversions.track("purchase", value: .nan)
    flags.conversions(of: FlagUser(id: "ben"), to: tracker).track("visit")
    #expect(
      tracker.conversions == [
        Conversion(name: "purchase", unit: "ann", value: 12.5, attributes: ["currency": "EUR"]),
        Conversion(name: "visit", unit: "ben"),
      ])
  }
}

extension ExposureTests {
  @Test("However users change while flags are read, an exposure has the value of its own user")
  func keepsUsersApart() async throws {
    let tracker = RecordingTracker()
    let provider = PerUserProvider()
    let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) { provider }
    let flag = Flag("who", default: "", FlagMetadata(isExperiment: true))
    let isDone = Locked(false)
    let rounds = Effort.rounds(2000, long: 1_000_000)
    try await TestSupport.onThreads(3) { number in
      if number == 0 {
        for round in 0..<rounds { flags.authenticator.setUser(FlagUser(id: "user \(round % 7)")) }
        isDone.withLock { $0 = true }
      } else {
        while !isDone.withLock({ $0 }) { _ = flags.manager.variation(for: flag) }
      }
    }
    #expect(!tracker.exposures.isEmpty)
    #expect(tracker.exposures.allSatisfy { .string($0.unit) == $0.resolution.value && $0.unit == $0.context.user?.id })
  }

  private var button: Flag<String> { Flag("button", default: "green", "") }
  private var plain: Flag<String> { Flag("plain", default: "", "") }

  private func house() throws -> InHouseProvider {
    InHouseProvider(
      try FlagDocument(
        parsing: Data(
          """
          {"flags": {
            "button": {"state": "ENABLED", "variants": {"a": "green", "b": "blue"}, "defaultVariant": "a",
              "targeting": {"if": [true, "b"]}, "metadata": {"experiment": true, "version": "7"}},
            "plain": {"state": "ENABLED", "variants": {"on": "x"}, "defaultVariant": "on"}}}
          """.utf8)), name: "house")
  }

  private func client(_ tracker: RecordingTracker, catalogs: [FlagCatalog] = []) throws -> FeatureFlagClient {
    try FeatureFlagClient(catalogs: catalogs, exposures: tracker) { try house() }
  }
}

/// What experiments count: whatever their definitions name.
@Suite("Units of experiments", .timeLimit(.minutes(15)))
struct UnitTests {
  private static let document = """
    {"flags": {
      "button": {"state": "ENABLED", "variants": {"a": "green"}, "defaultVariant": "a",
        "metadata": {"experiment": true, "unitAttribute": "company"}},
      "plan": {"state": "ENABLED", "variants": {"a": "x"}, "defaultVariant": "a",
        "metadata": {"experiment": true, "unitAttribute": "organization.key"}},
      "odd": {"state": "ENABLED", "variants": {"a": "x"}, "defaultVariant": "a",
        "metadata": {"experiment": true, "unitAttribute": 5}},
      "off": {"state": "DISABLED", "variants": {"a": "x"}, "metadata": {"unitAttribute": "household"}}}}
    """

  private let tracker = RecordingTracker()
  private let ann = FlagUser(
    id: "ann", attributes: ["company": "c-1", "household": "h-1", "email": "ann@example.com"],
    contexts: ["organization": ["key": "o-1", "plan": "pro"]])

  private func client(_ document: String = document) throws -> FeatureFlagClient {
    try FeatureFlagClient(catalogs: [], exposures: tracker) { try InHouseProvider(data: Data(document.utf8)) }
  }

  @Test("A conversion carries the ids that running experiments count by, and no other attribute")
  func namesUnits() throws {
    let flags = try client()
    let units = ["targetingKey": "ann", "company": "c-1", "organization.key": "o-1"]
    flags.conversions(of: ann, to: tracker).track("visit")
    flags.authenticator.setUser(ann)
    flags.conversions(to: tracker).track("visit")
    flags.authenticator.setUser(nil)
    flags.conversions(to: tracker).track("visit")
    flags.context.updateAttributes(["company": 7], removing: [])
    flags.conversions(to: tracker).track("visit")
    #expect(tracker.conversions.map(\.units) == [units, units, ["company": "7"]])
  }

  @Test("An exposure names the attribute that its experiment counts by, of nested ones by its path")
  func namesAttribute() throws {
    let flags = try client()
    for key in ["button", "plan", "odd"] as [FlagKey] {
      _ = flags.manager(for: ann).variation(for: Flag(key, default: "", "A text."))
    }
    #expect(
      tracker.exposures.map { [$0.flag.name, $0.unitAttribute, $0.unit] }
        == [["button", "company", "c-1"], ["plan", "organization.key", "o-1"]])
  }

  @Test("Exposures and conversions of a signed-in user carry the visitor's id, too, and the visitor may be counted")
  func carriesVisitor() throws {
    let text = """
      {"flags": {"page": {"state": "ENABLED", "variants": {"old": "old", "new": "new"}, "defaultVariant": "old",
        "targeting": {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "visitorID"}]}, ["old", 1], ["new", 1]]},
        "metadata": {"experiment": true, "unitAttribute": "visitorID"}}}}
      """
    let flags = try client(text)
    let page = Flag("page", default: "", "A page.")
    for number in 0..<20 {
      flags.authenticator.setUser(nil)
      flags.context.setAnonymousID("v\(number)")
      let before = flags.manager.variation(for: page)
      flags.authenticator.setUser(FlagUser(id: "u\(number)"))
      #expect(flags.manager.variation(for: page) == before)
      flags.conversions(to: tracker).track("signup")
    }
    #expect(Set(tracker.exposures.map(\.resolution.value)) == ["old", "new"])
    #expect(tracker.exposures.map(\.unit) == (0..<20).flatMap { ["v\($0)", "v\($0)"] })
    #expect(tracker.exposures.allSatisfy { $0.unitAttribute == "visitorID" })
    #expect(tracker.conversions.map(\.units) == (0..<20).map { ["targetingKey": "u\($0)", "visitorID": "v\($0)"] })
  }

  @Test("Conversions follow a change of the definitions")
  func follows() throws {
    let flags = try client("{\"flags\": {}}")
    flags.conversions(of: ann, to: tracker).track("visit")
    try flags.setProviders { try InHouseProvider(data: Data(Self.document.utf8)).prefixed(with: "x") }
    flags.conversions(of: ann, to: tracker).track("visit")
    #expect(tracker.conversions.map(\.units.count) == [1, 3])
  }
}

/// The ways in which a feature module reads a flag.
enum Way: CaseIterable {
  case manager, tracked, snapshot, request, following, bound, stream

  func read(_ flag: Flag<String>, in flags: FeatureFlagClient) async {
    switch self {
    case .manager: _ = flags.manager.variation(for: flag)
    case .tracked: _ = flags.observedManager.variation(for: flag)
    case .snapshot:
      let snapshot = flags.snapshots.snapshot()
      _ = (snapshot.variation(for: flag), snapshot.variation(for: flag))
    case .request: _ = flags.manager(for: FlagUser(id: "ann")).variation(for: flag)
    case .following: _ = flags.followingManager(for: FlagUser(id: "ann")).variation(for: flag)
    case .bound: _ = BoundFlag(flag, in: flags.manager).value
    case .stream: for await _ in flags.observer.values(of: flag) { break }
    }
  }
}

/// The ways in which a flag is looked at without being used.
enum Look: CaseIterable {
  case peek, peekInSnapshot, peekInRequest, peekFollowing, peekTracked, resolution, answers, overrideState, snapshot,
    bulk, description, report, changes, bound

  func look(at flag: Flag<String>, in flags: FeatureFlagClient) {
    switch self {
    case .peek: _ = flags.manager.peek(at: flag)
    case .peekInSnapshot: _ = flags.snapshots.snapshot().peek(at: flag)
    case .peekInRequest: _ = flags.manager(for: FlagUser(id: "ann")).peek(at: flag)
    case .peekFollowing: _ = flags.followingManager(for: FlagUser(id: "ann")).peek(at: flag)
    case .peekTracked: _ = flags.observedManager.peek(at: flag)
    case .resolution: _ = flags.inspector.resolution(of: flag)
    case .answers: _ = flags.inspector.answers(for: flag)
    case .overrideState: _ = flags.overrideState(forKey: flag.key)
    case .snapshot: _ = flags.snapshots.snapshot()
    case .bulk: _ = flags.catalogs[0].values(in: flags.snapshots.snapshot())
    case .description: _ = "\(flags)"
    case .report: _ = flags.bugReport
    case .changes: _ = flags.valueChanges()
    case .bound: _ = "\(BoundFlag(flag, in: flags.manager))"
    }
  }
}

/// Records the calls that it receives.
private final class RecordingTracker: ExposureTracker, ConversionCollector {
  private struct State: Sendable {
    var calls: [[Exposure]] = []
    var conversions: [Conversion] = []
    var now: Int64 = 1000
    var onExpiry: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  var now: Int64 { state.withLock { $0.now } }
  var calls: [[Exposure]] { state.withLock { $0.calls } }
  var exposures: [Exposure] { calls.flatMap { $0 } }
  var conversions: [Conversion] { state.withLock { $0.conversions } }
  var lines: [String] {
    exposures.map { "\($0.flag) \($0.unit) \($0.resolution.variant ?? "\($0.resolution.value)")" }
  }

  func set(now: Int64) { state.withLock { $0.now = now } }
  func expire() { state.withLock { $0.onExpiry }?() }
  func track(_ exposures: [Exposure]) { state.withLock { $0.calls.append(exposures) } }
  func collect(_ conversion: Conversion) { state.withLock { $0.conversions.append(conversion) } }

  func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription {
    state.withLock { $0.onExpiry = onExpiry }
    return FlagSubscription { [weak self] in self?.state.withLock { $0.onExpiry = nil } }
  }
}
