import FlagComposition
import FlagDomain
import FlagProviders
import Observation
import Testing

@Suite("Flags that follow from others", .timeLimit(.minutes(15)))
struct DependentFlagTests {
  private let player = Flag("depends.player", default: false, "The new player.")
  private let provider = InMemoryProvider(name: "service")

  private let captions = Flag(
    "depends.captions", default: true, FlagMetadata("Captions.", requires: "depends.player"))
  private let speed = Flag("depends.speed", default: 1, FlagMetadata("The speed.", requires: "depends.captions"))

  private func compose() throws -> FeatureFlagClient {
    try FeatureFlagClient(
      catalogs: [
        FlagCatalog("depends") {
          player; captions; speed
        }
      ], configuration: .init()
    ) { provider }
  }

  @Test("A flag that requires another one is off while that one is off, whatever its provider says")
  func requires() throws {
    let flags = try compose()
    provider.write([captions.key: true, speed.key: 3])
    #expect(!flags.manager.variation(for: captions) && flags.manager.variation(for: speed) == 1)
    let resolution = flags.inspector.resolution(of: captions)
    #expect(resolution == FlagResolution(false, reason: .prerequisiteFailed))
    provider.write(true, for: player.key)
    #expect(flags.manager.variation(for: captions) && flags.manager.variation(for: speed) == 3)
    #expect(flags.inspector.resolution(of: speed).provider == "service")
    provider.write(false, for: player.key)
    #expect(!flags.manager.variation(for: captions) && flags.manager.variation(for: speed) == 1)
  }

  @Test("An override wins over what a flag requires, and overriding the required flag turns the other on")
  func overrides() throws {
    let flags = try compose()
    try flags.overrides.override(speed, with: 5)
    #expect(flags.manager.variation(for: speed) == 5)
    try flags.overrides.clearOverride(of: speed)
    try flags.overrides.override(player, with: true)
    #expect(flags.manager.variation(for: captions))
  }

  @Test("Streams and observers of a flag hear of a change of the flags that it requires, however far")
  func notifies() async throws {
    let flags = try compose()
    provider.write([captions.key: true, speed.key: 3])
    var values = flags.observer.values(of: speed).makeAsyncIterator()
    #expect(await values.next() == 1)
    let notes = Locked(0)
    withObservationTracking {
      _ = flags.observedManager.variation(for: captions)
    } onChange: {
      notes.withLock { $0 += 1 }
    }
    provider.write(true, for: player.key)
    #expect(await values.next() == 3)
    #expect(notes.withLock { $0 } == 1)
  }

  @Test("Streams of a flag hear when the catalog of a flag that it requires is removed")
  func notifiesOfRemoval() async throws {
    let provider = InMemoryProvider(["depends.player": true, "depends.captions": true])
    let flags = try FeatureFlagClient(catalogs: []) { provider }
    try flags.registry.add(FlagCatalog("player") { player })
    try flags.registry.add(FlagCatalog("captions") { captions })
    var values = flags.observer.values(of: captions).makeAsyncIterator()
    #expect(await values.next() == true)
    flags.registry.removeCatalog(named: "player")
    #expect(await values.next() == false)
  }

  @Test("A read of a flag that is off for what it requires exposes nobody, and the required flag is not read")
  func exposesNobody() throws {
    let tracker = GatheringTracker()
    let player = Flag("depends.player", default: false, FlagMetadata("The new player.", isExperiment: true))
    let flag = Flag(
      "depends.color", default: "red", FlagMetadata("The color.", isExperiment: true, requires: player.key))
    let flags = try FeatureFlagClient(
      catalogs: [
        FlagCatalog("depends") {
          player; flag
        }
      ], configuration: .init { $0.exposures = tracker }
    ) { provider }
    flags.authenticator.setUser(FlagUser(id: "ann"))
    provider.write("blue", for: flag.key)
    #expect(flags.manager.variation(for: flag) == "red" && tracker.take().isEmpty)
    provider.write(true, for: player.key)
    #expect(flags.manager.variation(for: flag) == "blue")
    #expect(tracker.take().map(\.flag) == [flag.key])
  }

  @Test("Declarations of one key with and without a required flag have values of their own")
  func separatesDeclarations() throws {
    let flags = try compose()
    let plain = Flag("depends.captions", default: true, "Captions.")
    for _ in 0..<2 {
      #expect(!flags.manager.variation(for: captions) && flags.manager.variation(for: plain))
    }
  }

  @Test(
    "A required flag that is not there, is not boolean or requires the flag in turn is an error of the start",
    arguments: [
      ("depends.nope", "depends.other: expected to require a flag of the catalogs, found depends.nope"),
      ("depends.speed", "depends.other: expected to require a boolean flag, found depends.speed"),
      ("depends.other", "depends.other: expected to require one that does not require it, found depends.other"),
      ("depends.restart", "depends.restart: expected to require one that needs a restart, too, found depends.player"),
      ("depends.loop", "depends.other: expected to require one that does not require it, found depends.other"),
    ] as [(FlagKey, String)])
  func refuses(required: FlagKey, message: String) throws {
    let other = Flag("depends.other", default: false, FlagMetadata("Another.", requires: required))
    let loop = Flag("depends.loop", default: false, FlagMetadata("A loop.", requires: "depends.other"))
    let restart = Flag(
      "depends.restart", default: false, FlagMetadata("Restarts.", requiresRestart: true, requires: "depends.player"))
    let error = #expect(throws: FeatureFlagClientError.self) {
      try FeatureFlagClient(catalogs: [
        FlagCatalog("depends") {
          if required == restart.key { restart }
          other
          loop
          speed
          captions
          player
        }
      ]) {}
    }
    #expect(error.map { "\($0)" } == message)
  }

  @Test("A flag requires at most 16 flags, one through another", arguments: [16, 17, 2_000])
  func limitsChains(length: Int) {
    let flags = (0...length).map { number -> Flag<Bool> in
      let required = number == 0 ? nil : FlagKey(stringLiteral: "chain.flag\(number - 1)")
      return Flag(FlagKey(stringLiteral: "chain.flag\(number)"), default: true, FlagMetadata("A.", requires: required))
    }
    let catalog = FlagCatalog("chain") { for flag in flags { flag } }
    guard length > 16 else {
      #expect(throws: Never.self) { try FeatureFlagClient(catalogs: [catalog]) {} }
      return
    }
    let error = #expect(throws: FeatureFlagClientError.self) { try FeatureFlagClient(catalogs: [catalog]) {} }
    let message = "chain.flag17: expected to require at most 16 flags, one through another, found chain.flag0"
    #expect(error.map { "\($0)" } == message)
  }

  @Test("A flag of no catalog that requires another one is off, with an error; one that is registered follows it")
  func registers() throws {
    let reporter = RecordingReporter()
    let flags = try FeatureFlagClient(
      catalogs: [FlagCatalog("depends") { player }], configuration: .init { $0.reporter = reporter }
    ) { InMemoryProvider(["depends.player": true, "depends.captions": true]) }
    #expect(!flags.manager.variation(for: captions))
    #expect(reporter.errors.first?.message == "requires depends.player, and is in no catalog")
    try flags.registry.add(FlagCatalog("captions") { captions })
    #expect(flags.manager.variation(for: captions))
  }

  @Test("A registered catalog with a mistake is reported, and the requirements of others stay, also of later ones")
  func registersMistakes() throws {
    let reporter = RecordingReporter()
    let flags = try FeatureFlagClient(
      catalogs: [FlagCatalog("depends") { player }], configuration: .init { $0.reporter = reporter }
    ) { InMemoryProvider(name: "memory", ["depends.player": true, "depends.captions": true, "depends.bad": true]) }
    let bad = Flag("depends.bad", default: true, FlagMetadata("Bad.", requires: "depends.nope"))
    let unread = Flag("depends.unread", default: true, FlagMetadata("Bad.", providers: ["nope"]))
    try flags.registry.add(
      FlagCatalog("bad") {
        bad; unread
      })
    #expect(
      reporter.errors.map(\.message) == [
        "depends.bad: expected to require a flag of the catalogs, found depends.nope",
        "depends.unread: expected the name of a provider (\"memory\"), found \"nope\"",
      ])
    try flags.registry.add(FlagCatalog("captions") { captions })
    #expect(flags.manager.variation(for: captions) && !flags.manager.variation(for: bad))
  }

  @Test("A fallback gives the value that no provider has, and is asked at every read")
  func fallsBack() throws {
    let flag = Flag(
      "falls-back", default: 1, "A number.", fallback: { context in context["isInternalUser"] == true ? 2 : nil })
    let flags = try FlagCompositionTests.compose { provider }
    #expect(flags.inspector.resolution(of: flag) == FlagResolution(1, reason: .default))
    flags.context.setAttribute(true, for: "isInternalUser")
    #expect(flags.inspector.resolution(of: flag) == FlagResolution(2, reason: .fallback))
    #expect(flags.manager.variation(for: flag) == 2)
    provider.write(3, for: flag.key)
    #expect(flags.manager.variation(for: flag) == 3)
    try flags.overrides.override(flag, with: 4)
    #expect(flags.overrides.overrideState(of: flag) == .overridden(4, original: 3))
    let count = Locked(0)
    let counting = Flag(
      "falls-back.counting", default: 1, "A number.",
      fallback: { _ in
        count.withLock { count in
          count += 1
          return count
        }
      })
    #expect([0, 1].map { _ in flags.manager.variation(for: counting) } == [1, 2])
  }
}

@Suite("Which providers a flag is read from")
struct NamedProviderTests {
  private let statsig = InMemoryProvider(name: "Statsig", ["named": 1])
  private let firebase = InMemoryProvider(name: "Firebase", ["named": 2])

  private func value(_ metadata: FlagMetadata) throws -> Int {
    let flag = Flag("named", default: 0, metadata)
    let (statsig, firebase) = (statsig, firebase)
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("named") { flag }]) {
      statsig
      firebase
    }
    return flags.manager.variation(for: flag)
  }

  @Test("It is read from those that it names, without those that it excludes")
  func reads() throws {
    #expect(try value("") == 1)
    #expect(try value(FlagMetadata(providers: ["Firebase"])) == 2)
    #expect(try value(FlagMetadata(excludedProviders: ["Statsig"])) == 2)
    #expect(try value(FlagMetadata(providers: ["Firebase"], excludedProviders: ["Firebase"])) == 0)
    #expect(try value(FlagMetadata(providers: [])) == 0)
  }

  @Test(
    "A name that no provider has is an error of the start and of replacing providers, with the names that there are",
    arguments: [FlagMetadata(providers: ["Statsg"]), FlagMetadata(excludedProviders: ["Statsg", "Firebase"])])
  func refuses(metadata: FlagMetadata) throws {
    let error = #expect(throws: FeatureFlagClientError.self) { try value(metadata) }
    #expect(
      error.map { "\($0)" }
        == #"named: expected the name of a provider ("Statsig", "Firebase"), found "Statsg": did you mean "Statsig"?"#)
    let flag = Flag("named", default: 0, FlagMetadata(providers: ["Statsig"]))
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("named") { flag }]) { statsig }
    #expect(throws: FeatureFlagClientError.unknownProvider("Statsig", flag: "named", known: ["Firebase"])) {
      try flags.setProviders { firebase }
    }
    #expect(flags.manager.variation(for: flag) == 1)
    _ = try FeatureFlagClient(catalogs: [FlagCatalog("named") { flag }]) {}  // as previews and tests do
  }
}

@Suite("Who may override what")
struct OverridingTests {
  private let locked = Flag("guarded", default: 1, FlagMetadata("A number.", isOverridable: false))
  private let free = Flag("free", default: 1, "A number.")

  private func client(
    _ stored: [FlagKey: FlagValue] = [:], _ configure: (inout FeatureFlagClient.Configuration) -> Void = { _ in }
  ) throws -> FeatureFlagClient {
    try FeatureFlagClient(
      catalogs: [
        FlagCatalog("guarded") {
          locked; free
        }
      ],
      configuration: .init {
        $0.overrides = RecordingStore(stored)
        configure(&$0)
      }
    ) {}
  }

  @Test("A flag that is not overridable refuses an override, and a stored one and a launch argument have no effect")
  func refuses() throws {
    let reporter = RecordingReporter()
    let flags = try client(["guarded": 5, "free": 6]) {
      $0.reporter = reporter
      $0.launch = [LaunchArgumentsProvider(["app", "--flag", "guarded=7"])]
    }
    #expect(flags.manager.variation(for: locked) == 1 && flags.manager.variation(for: free) == 6)
    #expect(reporter.errors.map(\.provider) == ["launch arguments", "overrides"])
    #expect(reporter.errors.allSatisfy { $0.key == "guarded" && $0.message.contains("is not overridable") })
    #expect(throws: FlagError.self) { try flags.overrides.override(locked, with: 2) }
    #expect(throws: FlagError.self) { try flags.overrides.setOverrides(["guarded": 2, "free": 2]) }
    #expect(flags.manager.variation(for: free) == 6)
    try flags.overrides.clearOverride(of: locked)
    #expect(flags.overrides.overrides == ["free": 6])
  }

  @Test("What a debug build has stored does not reach a build that never overrides")
  func isNever() throws {
    let flags = try client(["free": 6]) {
      $0.overriding = .never
      $0.launch = [LaunchArgumentsProvider(["app", "--flag", "free=7"])]
    }
    #expect(flags.manager.variation(for: free) == 1)
    #expect(flags.overrides.overrideState(of: free) == .original(1))
    let error = #expect(throws: FlagError.self) { try flags.overrides.override(free, with: 2) }
    #expect(error?.message == "overrides are not allowed here")
    try flags.overrides.clearOverrides()
    #expect(flags.overrides.overrides.isEmpty)
    let unlisted = try FeatureFlagClient(catalogs: [], configuration: .init { $0.overriding = .never }) {}
    #expect(throws: FlagError.self) { try unlisted.overrides.setOverrides(["free": 2]) }
    #expect(throws: FlagError.self) { try unlisted.overrides.override(free, with: 2) }
    #expect(unlisted.overrides.overrides.isEmpty)
  }

  @Test("Who may override is asked again when the user or an attribute changes")
  func asksAgain() throws {
    let flags = try client(["free": 6]) { $0.overriding = .when { $0["isInternalUser"] == true } }
    #expect(flags.manager.variation(for: free) == 1)
    flags.context.setAttribute(true, for: "isInternalUser")
    #expect(flags.manager.variation(for: free) == 6)
    try flags.overrides.override(free, with: 7)
    flags.context.removeAttribute("isInternalUser")
    #expect(flags.manager.variation(for: free) == 1)
    flags.authenticator.setUser(FlagUser(id: "ann", attributes: ["isInternalUser": true]))
    #expect(flags.manager.variation(for: free) == 7)
    #expect(flags.manager(for: nil).variation(for: free) == 1)
  }

  @Test("An override that changes nothing is stored, unless the app says otherwise", arguments: [true, false])
  func storesRedundant(isStored: Bool) throws {
    let flags = try client { $0.storesRedundantOverrides = isStored }
    try flags.overrides.override(free, with: 1)
    #expect(flags.overrides.overrides == (isStored ? ["free": 1] : [:]))
    try flags.overrides.override(free, with: 2)
    try flags.overrides.setOverrides(["free": 1])
    #expect(flags.overrides.overrides == (isStored ? ["free": 1] : [:]))
    // Without the override, the next start may read another value than the running one.
    let restart = Flag("restarts", default: 1, FlagMetadata("A number.", requiresRestart: true))
    try flags.overrides.override(restart, with: 1)
    #expect(flags.overrides.overrides[restart.key] == 1)
  }
}
