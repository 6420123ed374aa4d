import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Flags that need a restart")
struct RestartTests {
  private let flag = Flag("restart", default: 1, FlagMetadata(requiresRestart: true))
  private let provider = InMemoryProvider()
  private let store = RecordingStore()

  private func start() throws -> FeatureFlagClient {
    let provider = provider
    return try compose(overrides: store) { provider }
  }

  @Test("The running value stays, whatever a provider or an override says, and the flag is on the list")
  func latches() throws {
    let flags = try start()
    #expect(readings(of: flag, in: flags) == [1])
    provider.write(2, for: flag.key)
    #expect(readings(of: flag, in: flags) == [1])
    #expect(flags.overrides.keysAwaitingRestart == [flag.key])
    #expect(try readings(of: flag, in: start()) == [2])
  }

  @Test("A flag outside the catalogs is on the list, read or not")
  func listsOthers() throws {
    let flags = try start()
    try flags.overrides.override(flag, with: 3)
    #expect(flags.overrides.keysAwaitingRestart == [flag.key])
    #expect(readings(of: flag, in: flags) == [1])
    #expect(flags.overrides.keysAwaitingRestart == [flag.key])
    #expect(try readings(of: flag, in: start()) == [3])
  }

  @Test("An override of the value that runs anyway waits for nothing")
  func waitsForOtherValues() throws {
    let flags = try start()
    try flags.overrides.override(flag, with: 1)
    #expect(flags.overrides.keysAwaitingRestart == [])
  }

  @Test("An equal set waits for nothing, and is no new value of a stream, whatever its order")
  func waitsForOtherSets() async throws {
    let words = (0..<20).map { "w\($0)" }
    let flag = Flag("restart", default: Set(words), FlagMetadata(requiresRestart: true))
    let live = Flag("live", default: Set<String>(), "")
    let flags = try start()
    #expect(flags.manager.variation(for: flag) == Set(words))
    var values = flags.observer.values(of: live).makeAsyncIterator()
    #expect(await values.next() == [])
    for _ in 0..<10 {
      let list = FlagValue.array(words.shuffled().map(FlagValue.string))
      provider.write(list, for: flag.key)
      provider.write(list, for: live.key)
      #expect(flags.overrides.keysAwaitingRestart == [])
    }
    #expect(await values.next() == Set(words))
    for _ in 0..<10 { provider.write(.array(words.shuffled().map(FlagValue.string)), for: live.key) }
    provider.write(["end"], for: live.key)
    #expect(await values.next() == ["end"])
  }

  @Test("Before the first read of a flag of no catalog, what providers say counts")
  func latchesAtFirstRead() throws {
    let flags = try start()
    provider.write(2, for: flag.key)
    #expect(flags.overrides.keysAwaitingRestart == [])
    #expect(readings(of: flag, in: flags) == [2])
  }

  @Test("All flags of the catalogs are of one start, whenever each is first read")
  func pinsAtStart() throws {
    let other = Flag("restart-too", default: 1, FlagMetadata(requiresRestart: true))
    let provider = provider
    let flags = try FeatureFlagClient(
      catalogs: [
        FlagCatalog("app") {
          flag; other
        }
      ]
    ) { provider }
    for value in 2..<5 { provider.write([flag.key: .int(Int128(value)), other.key: .int(Int128(value))]) }
    #expect(readings(of: flag, in: flags) == [1])
    provider.write(5, for: other.key)
    #expect(readings(of: other, in: flags) == [1])
    #expect(flags.overrides.keysAwaitingRestart == [flag.key, other.key])
  }

  @Test("The flags of a plug-in are of one moment, that of the first that is read")
  func pinsPlugIns() throws {
    let other = Flag("restart-too", default: 1, FlagMetadata(requiresRestart: true))
    let provider = provider
    let flags = try FeatureFlagClient(
      catalogs: [FlagCatalog("app") { Flag("unrelated", default: 0, "Needs no restart.") }]
    ) { provider }
    try flags.registry.add(
      FlagCatalog("plug-in") {
        flag; other
      })
    provider.write([flag.key: 2, other.key: 2])
    #expect(readings(of: flag, in: flags) == [2])
    provider.write([flag.key: 3, other.key: 3])
    #expect(readings(of: other, in: flags) == [2])
  }

  @Test("A hundred documents, each with the first read of such a flag, leave the first and the last alive")
  func keepsOneDocument() throws {
    let provider = DocumentProvider()
    let flags = try compose { provider }
    for number in 0..<100 {
      let key = try #require(FlagKey(validating: "restart-\(number)"))
      #expect(flags.manager.variation(for: Flag(key, default: -1, FlagMetadata(requiresRestart: true))) == 0)
      provider.publish(number + 1)
    }
    #expect(provider.numbersAlive == [0, 100])
  }

  @Test("A provider that was replaced is released, although flags still have its values")
  func releasesProviders() throws {
    let flags: FeatureFlagClient
    weak var former: InMemoryProvider?
    do {
      let provider = InMemoryProvider([flag.key: 7])
      former = provider
      flags = try compose { provider }
    }
    #expect(readings(of: flag, in: flags) == [7])
    try flags.setProviders { InMemoryProvider([flag.key: 8]) }
    #expect(former == nil)
    #expect(readings(of: flag, in: flags) == [7])
  }

  @Test("A default that the app sets after it has made the client counts")
  func takesDefaults() throws {
    let flags = try start()
    flags.setDefault(9, for: flag)
    #expect(readings(of: flag, in: flags) == [9])
  }

  @Test("A service's answers for who signs in are those of the moment, and stay until somebody else does")
  func pinsForUsers() throws {
    let provider = PersonalProvider()
    let flag = Flag("restart", default: "", FlagMetadata(requiresRestart: true))
    let flags = try compose { provider }
    #expect(readings(of: flag, in: flags) == ["visitor 1"])
    let ann = FlagUser(id: "ann")
    flags.authenticator.setUser(ann)
    #expect(readings(of: flag, in: flags, user: ann) == ["ann 1"])
    provider.publish()
    flags.authenticator.setUser(FlagUser(id: "ann", attributes: ["plan": "pro"]))
    provider.publish()
    #expect(flags.manager.variation(for: flag) == "ann 1")
    flags.authenticator.setUser(FlagUser(id: "ben"))
    #expect(flags.manager.variation(for: flag) == "ben 3")
  }

  @Test("The narrower form holds overrides back, and no provider")
  func holdsOverridesBack() throws {
    let flag = Flag("restart", default: 1, FlagMetadata(overridesRequireRestart: true))
    let flags = try start()
    provider.write(2, for: flag.key)
    try flags.overrides.override(flag, with: 3)
    #expect(readings(of: flag, in: flags) == [2])
    #expect(flags.overrides.keysAwaitingRestart == [flag.key])
    #expect(try readings(of: flag, in: start()) == [3])
  }

  @Test("What one user's flag was latched on gives another user that user's value")
  func followsUsers() throws {
    let flag = Flag("restart", default: "", FlagMetadata(requiresRestart: true))
    let flags = try compose { PerUserProvider() }
    #expect(readings(of: flag, in: flags) == ["visitor"])
    let ann = FlagUser(id: "ann")
    flags.authenticator.setUser(ann)
    #expect(readings(of: flag, in: flags, user: ann) == ["ann"])
  }
}

/// A provider of numbered documents, which says which of them are in use.
private final class DocumentProvider: FlagProvider {
  private final class Document: ProviderSnapshot {
    let number: Int
    init(_ number: Int) { self.number = number }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { FlagAnswer(.int(Int128(number))) }
  }

  private struct Weak: Sendable {
    weak var document: Document?
  }

  let name = "documents"
  private let state = Locked((current: Document(0), all: [Weak]()))
  private let subscribers = FlagSubscribers<ChangedKeys>()

  init() { state.withLock { $0.all = [Weak(document: $0.current)] } }

  var numbersAlive: [Int] { state.withLock { $0.all.compactMap { $0.document?.number } } }

  func snapshot() -> any ProviderSnapshot { state.withLock { $0.current } }

  func publish(_ number: Int) {
    state.withLock { state in
      state.current = Document(number)
      state.all.append(Weak(document: state.current))
    }
    subscribers.notify(.all)
  }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}

/// A provider that has answers for the current user alone, with the number of the update that they are of.
private final class PersonalProvider: FlagProvider {
  private struct Answers: ProviderSnapshot {
    var id: String?
    var update = 1

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      guard context.user?.id == id else { throw FlagError(.userMismatch, "for the current user alone") }
      return FlagAnswer(.string("\(id ?? "visitor") \(update)"))
    }
  }

  let name = "personal"
  private let answers = Locked(Answers())
  private let subscribers = FlagSubscribers<ChangedKeys>()

  func snapshot() -> any ProviderSnapshot { answers.withLock { $0 } }
  func publish() { change { $0.update += 1 } }
  let isPersonal = true
  func setContext(_ context: EvaluationContext) { change { $0.id = context.user?.id } }

  private func change(_ edit: (inout Answers) -> Void) {
    answers.withLock { edit(&$0) }
    subscribers.notify(.all)
  }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}
