import FlagDomain
import FlagTesting
import Testing

private let size = Flag("doubled-size", default: 1, "A number.")
private let isWeekend = Flag("doubled-weekend", default: false, "A computed switch.") { context in
  context["weekday"].map { $0 == "sunday" }
}

@Suite("Flags for tests, as doubles of the other ports")
struct TestDoubleTests {
  private let flags = TestFlags()

  @Test("One who follows a flag gets its value, and then each that the test makes another")
  func follows() async {
    var values = flags.values(of: size).makeAsyncIterator()
    #expect(await values.next() == 1)
    flags.set(size, to: 2)
    #expect(await values.next() == 2)
    flags.set(isWeekend, to: true)
    flags.set(size, to: 3)
    #expect(await values.next() == 3)
    flags.unset(size)
    #expect(await values.next() == 1)
  }

  @Test("An actor can keep the iterator of values, and ask it for one after the other")
  func followsInActor() async {
    let watcher = Watcher(flags)
    #expect(await watcher.next() == 1)
    flags.set(size, to: 2)
    #expect(await watcher.next() == 2)
    #expect(await watcher.nextChange()?.keys.contains(size.key) == true)
  }

  private actor Watcher {
    private let values: FlagValues<Int>.Iterator
    private let changes: FlagChanges.Iterator

    init(_ flags: TestFlags) {
      values = flags.values(of: size).makeAsyncIterator()
      changes = flags.changes().makeAsyncIterator()
    }

    func next() async -> Int? { await values.next() }
    func nextChange() async -> FlagChange? { await changes.next() }
  }

  @Test("One who follows a set's flag does, too")
  func followsBound() async {
    var values = BoundFlag(size, in: flags).values(following: flags).makeAsyncIterator()
    #expect(await values.next() == 1)
    flags.set(size, to: 2)
    #expect(await values.next() == 2)
  }

  @Test("The changes end with the manager")
  func ends() async {
    var flags: TestFlags? = TestFlags()
    let changes = flags?.changes()
    flags?.set(size, to: 2)
    flags = nil
    var iterator = changes?.makeAsyncIterator()
    #expect(await iterator?.next()?.keys.contains(size.key) == true)
    #expect(await iterator?.next() == nil)
  }

  @Test("A resolution says whether the test set the value")
  func explains() {
    #expect(flags.resolution(of: size) == FlagResolution(1, reason: .default))
    flags.set(size, to: 2)
    #expect(flags.resolution(of: size) == FlagResolution(2, reason: .static, provider: "TestFlags"))
    #expect(flags.answers(for: size).map(\.provider) == ["TestFlags"])
    #expect(flags.reads == [size.key, size.key])
  }

  @Test(
    "A closure computes from the context of the test",
    arguments: [(nil, false, .default), ("sunday", true, .computed), ("monday", false, .computed)]
      as [(FlagValue?, Bool, ResolutionReason)])
  func computes(weekday: FlagValue?, value: Bool, reason: ResolutionReason) {
    if let weekday { flags.context.attributes["weekday"] = weekday }
    #expect(flags.resolution(of: isWeekend) == FlagResolution(value, reason: reason))
    flags.set(isWeekend, to: !value)
    #expect(flags.variation(for: isWeekend) == !value, "What the test sets counts first.")
  }

  @Test("A fallback counts where the test sets nothing, in the context of the test")
  func fallsBack() {
    let flag = Flag("falls-back", default: 1, "A number.", fallback: { $0["weekday"] == nil ? 2 : nil })
    #expect(flags.resolution(of: flag) == FlagResolution(2, reason: .fallback))
    flags.context.attributes["weekday"] = "sunday"
    #expect(flags.resolution(of: flag) == FlagResolution(1, reason: .default))
    flags.set(flag, to: 3)
    #expect(flags.variation(for: flag) == 3)
  }

  @Test("A scope's context counts for computed values, too", .flags { $0.context.attributes["weekday"] = "sunday" })
  func computesInScope() {
    #expect(ScopedFlags().variation(for: isWeekend))
  }

  @Test("Signing in and out is noted, and changes the context")
  func signsIn() {
    let authenticator: any UserAuthenticator = flags
    authenticator.setUser(FlagUser(id: "42"))
    #expect(flags.context.user?.id == "42")
    authenticator.setUser(nil)
    #expect(flags.users == [FlagUser(id: "42"), nil])
    #expect(flags.context.user == nil)
  }

  @Test("Changing the context resolves flags again, and notifies their observers")
  func changesContext() async {
    let context: any FlagContextUpdating = flags
    var values = flags.values(of: isWeekend).makeAsyncIterator()
    var changes = flags.changes().makeAsyncIterator()
    #expect(await values.next() == false)
    context.updateAttributes(["weekday": "sunday", "plan": "pro"], removing: [])
    #expect(await values.next() == true)
    #expect(await changes.next()?.causes == [.context])
    context.removeAttribute("weekday")
    #expect(await values.next() == false)
    context.setAnonymousID("device")
    #expect((context.attributes, flags.context.anonymousID) == (["plan": "pro"], "device"))
  }

  @Test("A snapshot does not change, for the signed-in user or another one")
  func takesSnapshots() {
    let isFirst = Flag("doubled-first", default: false, "A switch for one user.") { $0.user.map { $0.id == "1" } }
    let snapshots: any FlagSnapshotting = flags
    flags.set(size, to: 2)
    flags.setUser(FlagUser(id: "1"))
    let (own, others) = (snapshots.snapshot(), snapshots.snapshot(for: FlagUser(id: "2")))
    flags.set(size, to: 3)
    flags.setUser(nil)
    #expect((own.variation(for: size), others.variation(for: size)) == (2, 2))
    #expect((own.variation(for: isFirst), others.variation(for: isFirst)) == (true, false))
    #expect(own.resolution(of: isFirst).reason == .computed)
    #expect(flags.users == [FlagUser(id: "1"), nil])
  }

  @Test("An override counts before what the test set, until it is cleared")
  func overrides() throws {
    flags.set(size, to: 2)
    try flags.override(size, with: 3)
    #expect(flags.overrides == [size.key: 3])
    #expect(flags.resolution(of: size) == FlagResolution(3, reason: .override))
    #expect(flags.overrideState(of: size) == .overridden(3, original: 2))
    try flags.clearOverride(of: size)
    #expect(flags.overrideState(of: size) == .original(2))
    try flags.setOverrides([size.key: "three"])
    #expect(flags.variation(for: size) == 2, "An override that the flag cannot have does not count.")
    try flags.clearOverrides()
    #expect(flags.overrides == [:])
  }

  @Test("Overriding fails where the test says so, and changes nothing")
  func failsToOverride() throws {
    try flags.override(size, with: 3)
    let error = FlagError(.general, "The disk is full.")
    flags.overrideError = error
    #expect(throws: error) { try flags.override(size, with: 4) }
    #expect(throws: error) { try flags.clearOverrides() }
    #expect(flags.variation(for: size) == 3)
  }
}
