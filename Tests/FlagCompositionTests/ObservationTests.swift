import FlagComposition
import FlagDomain
import FlagProviders
import Observation
import Testing

@Suite("Observation")
struct ObservationTests {
  private let one = Flag("observed-one", default: 0, "")
  private let two = Flag("observed-two", default: 0, "")
  private let provider = InMemoryProvider()

  @Test("An observer that read a flag is notified of its change, once, and of no other flag's")
  func tracksReads() throws {
    let flags = try compose { provider }
    let manager = flags.observedManager
    let notes = Locked<[String]>([])
    withObservationTracking {
      _ = manager.variation(for: one)
    } onChange: {
      notes.withLock { $0.append("one") }
    }
    provider.write(1, for: two.key)
    #expect(notes.withLock { $0 } == [])
    provider.write(1, for: one.key)
    provider.write(2, for: one.key)
    #expect(notes.withLock { $0 } == ["one"])
  }

  @Test("The new value is there when the change is announced", arguments: ["override", "user", "provider", "default"])
  func readsInside(cause: String) throws {
    let flags = try compose {
      provider
      StubProvider { key, context in key == "observed-one" ? context.user.map { _ in FlagAnswer(1) } : nil }
    }
    let manager = flags.observedManager
    let seen = Locked<Int?>(nil)
    withObservationTracking {
      _ = manager.variation(for: one)
    } onChange: {
      seen.withLock { $0 = manager.variation(for: one) }
    }
    switch cause {
    case "override": try flags.overrides.override(one, with: 1)
    case "user": flags.authenticator.setUser(FlagUser(id: "1"))
    case "provider": provider.write(1, for: one.key)
    default: flags.setDefault(1, for: one)
    }
    #expect(seen.withLock { $0 } == 1)
  }

  @Test("An observer of a change may override a flag")
  func overridesInside() throws {
    let flags = try compose { provider }
    withObservationTracking {
      _ = flags.observedManager.variation(for: one)
    } onChange: {
      do { try flags.overrides.override(two, with: 2) } catch { Issue.record(error) }
    }
    try flags.overrides.override(one, with: 1)
    #expect(flags.manager.variation(for: two) == 2)
  }

  @Test("An explanation is tracked as a read is")
  func tracksExplanations() throws {
    let flags = try compose { provider }
    let changed = Locked(false)
    withObservationTracking {
      _ = flags.observedManager.resolution(of: one)
    } onChange: {
      changed.withLock { $0 = true }
    }
    provider.write(1, for: one.key)
    #expect(changed.withLock { $0 })
  }
}
