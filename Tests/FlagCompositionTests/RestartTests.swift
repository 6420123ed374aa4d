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

  @Test("Before the first read, what providers say counts")
  func latchesAtFirstRead() throws {
    let flags = try start()
    provider.write(2, for: flag.key)
    #expect(flags.overrides.keysAwaitingRestart == [])
    #expect(readings(of: flag, in: flags) == [2])
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
