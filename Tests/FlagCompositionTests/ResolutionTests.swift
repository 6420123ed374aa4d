import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Resolution")
struct ResolutionTests {
  private let flag = Flag("resolution", default: "default", "A flag.")

  @Test("The first provider that has a value decides")
  func asksInOrder() throws {
    let flags = try compose {
      InMemoryProvider(name: "empty")
      InMemoryProvider(name: "first", ["resolution": "first"])
      InMemoryProvider(name: "second", ["resolution": "second"])
    }
    #expect(flags.manager.variation(for: flag) == "first")
    #expect(flags.inspector.resolution(of: flag) == FlagResolution("first", reason: .static, provider: "first"))
  }

  @Test("Without a value the default stands")
  func fallsBack() throws {
    let flags = try compose { InMemoryProvider() }
    #expect(flags.manager.variation(for: flag) == "default")
    #expect(flags.inspector.resolution(of: flag) == FlagResolution("default", reason: .default))
  }

  @Test("A provider that fails is kept in the resolution, and the next is asked")
  func asksOnAfterFailure() throws {
    let flags = try compose {
      failing("broken", .parseError)
      InMemoryProvider(name: "second", ["resolution": "second"])
    }
    let error = FlagError(.parseError, "out of order", key: "resolution", provider: "broken")
    #expect(
      flags.inspector.resolution(of: flag)
        == FlagResolution("second", reason: .static, provider: "second", errors: [error]))
  }

  @Test("Where all fail, the default stands, with every failure")
  func keepsAllFailures() throws {
    let flags = try compose {
      failing("one", .providerNotReady)
      failing("two", .providerFatal)
    }
    let resolution = flags.inspector.resolution(of: flag)
    #expect(resolution.value == "default")
    #expect(resolution.reason == .error)
    #expect(resolution.errors.map(\.code) == [.providerNotReady, .providerFatal])
    #expect(resolution.errors.map(\.provider) == ["one", "two"])
  }

  @Test("A value of another type is a mismatch, and the next provider is asked")
  func asksOnAfterMismatch() throws {
    let flags = try compose {
      InMemoryProvider(name: "numbers", ["resolution": 1])
      InMemoryProvider(name: "texts", ["resolution": "text"])
    }
    let resolution = flags.inspector.resolution(of: flag)
    #expect(resolution.value == "text")
    #expect(
      resolution.errors
        == [FlagError(.typeMismatch, "expected String, found integer 1", key: "resolution", provider: "numbers")])
  }

  @Test("A provider may decide for the default")
  func honoursDisabled() throws {
    let flags = try compose {
      StubProvider(name: "service") { _, _ in FlagAnswer(nil, reason: .disabled) }
      InMemoryProvider(["resolution": "second"])
    }
    #expect(
      flags.inspector.resolution(of: flag) == FlagResolution("default", reason: .disabled, provider: "service"))
  }

  @Test("A failure with a cached resolution is reported once")
  func reportsOnce() throws {
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter) { failing("broken") }
    for _ in 0..<3 { _ = flags.manager.variation(for: flag) }
    #expect(reporter.errors == [FlagError(.general, "out of order", key: "resolution", provider: "broken")])
  }

  @Test("An unchanged flag is resolved once")
  func keepsValues() throws {
    let provider = PerUserProvider()
    let flags = try compose { provider }
    for _ in 0..<3 { #expect(flags.manager.variation(for: flag) == "visitor") }
    #expect(provider.questions == 1)
  }

  @Test("A transient answer is asked for at each read")
  func asksAgain() throws {
    let count = Counter()
    let flags = try compose { StubProvider { _, _ in FlagAnswer(.int(Int128(count.next())), isTransient: true) } }
    let flag = Flag("transient", default: 0, "")
    #expect((0..<3).map { _ in flags.manager.variation(for: flag) } == [1, 2, 3])
  }

  @Test("A provider that the flag excludes is not asked")
  func excludes() throws {
    let flag = Flag("resolution", default: "", FlagMetadata(excludedProviders: ["first"]))
    let flags = try compose {
      InMemoryProvider(name: "first", ["resolution": "first"])
      InMemoryProvider(name: "second", ["resolution": "second"])
    }
    #expect(flags.manager.variation(for: flag) == "second")
    #expect(flags.inspector.answers(for: flag).map(\.isExcluded) == [true, false])
  }

  @Test("A computed value comes before the providers, at each read; nil asks them")
  func computes() throws {
    let count = Counter()
    let flag = Flag("resolution", default: "", "") { _ in
      let round = count.next()
      return round % 2 == 0 ? nil : "computed \(round)"
    }
    let flags = try compose { InMemoryProvider(["resolution": "provided"]) }
    #expect((0..<3).map { _ in flags.manager.variation(for: flag) } == ["computed 1", "provided", "computed 3"])
  }

  @Test("A computed value sees the context")
  func computesInContext() throws {
    let flag = Flag("resolution", default: "", "") { $0.user?.id }
    let flags = try compose { InMemoryProvider(["resolution": "provided"]) }
    flags.authenticator.setUser(FlagUser(id: "42"))
    #expect(flags.manager.variation(for: flag) == "42")
  }

  @Test("A flag can be on on Tuesdays alone, by a clock and a calendar that are given to it")
  func computesTuesdays() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let days = Counter()
    let monday = Date(timeIntervalSince1970: 1_798_416_000)  // 2026-12-28
    let flag = Flag("tuesdays", default: false, "") { [calendar] _ in
      calendar.component(.weekday, from: monday.addingTimeInterval(Double(days.next() - 1) * 86_400)) == 3
    }
    let flags = try compose {}
    #expect((0..<9).map { _ in flags.manager.variation(for: flag) } == (0..<9).map { $0 % 7 == 1 })
  }

  @Test("Every provider can be asked alone, behind a computed value and a value before it")
  func asksAlone() throws {
    let flag = Flag("resolution", default: "default", "") { _ in "computed" }
    let flags = try compose {
      InMemoryProvider(name: "first", ["resolution": "first"])
      InMemoryProvider(name: "second", ["resolution": "second"])
      failing("broken")
      InMemoryProvider(name: "empty")
    }
    let inspector = flags.inspector
    #expect(inspector.resolution(of: flag, from: "second", fallback: false)?.value == "second")
    #expect(inspector.resolution(of: flag, from: "empty", fallback: false) == nil)
    #expect(inspector.resolution(of: flag, from: "empty", fallback: true)?.value == "computed")
    #expect(inspector.resolution(of: flag, from: "unknown", fallback: true)?.value == "computed")
    #expect(inspector.answers(for: flag).map(\.provider) == ["first", "second", "broken", "empty"])
  }

  @Test("Two flags that share a key and not a type each read their own")
  func separatesTypes() throws {
    let flags = try compose { InMemoryProvider(["shared": 1]) }
    for _ in 0..<2 {
      #expect(flags.manager.variation(for: Flag<Int>("shared", default: 0, "")) == 1)
      #expect(flags.manager.variation(for: Flag<Double>("shared", default: 0, "")) == 1.0)
      #expect(flags.manager.variation(for: Flag("shared", default: [""], "")) == [""])
    }
  }

  @Test("A style of keys is what providers see; a key of its own is kept")
  func restyles() throws {
    let styled = Flag("settings.new-profile", default: false, FlagMetadata("", path: ["settings", "newProfile"]))
    let own = Flag("own-key", default: false, "")
    let flags = try FeatureFlagClient(
      catalogs: [
        FlagCatalog("settings") {
          styled; own
        }
      ], configuration: .init { $0.keys = KeyStyle(prefix: "myapp", separator: "/", transform: .snakeCase) }
    ) {
      InMemoryProvider(["myapp/settings/new_profile": true, "own-key": true])
    }
    #expect(flags.manager.variation(for: styled))
    #expect(flags.manager.variation(for: own))
  }

  @Test("Catalogs that share a key make no composition")
  func refusesDuplicates() {
    let catalog = FlagCatalog("a") { Flag("shared", default: 1, "") }
    #expect(throws: DuplicateFlagKeys.self) { try FeatureFlagClient(catalogs: [catalog, catalog]) {} }
  }
}

private final class Counter: Sendable {
  private let count = Locked(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
