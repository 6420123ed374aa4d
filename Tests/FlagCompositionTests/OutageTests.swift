import FlagComposition
import FlagDomain
import Testing

@Suite("Outages of providers")
struct OutageTests {
  private let cut = FlagError(.unreachable, "flags.example: connection refused")
  private let refused = FlagError(.unauthorized, "flags.example: expected status 200, found 401 Unauthorized")

  @Test("The reporter receives an outage once for each cause, and its end, however many flags are read")
  func reportsOutage() throws {
    let (reporter, provider) = (RecordingReporter(), StatusProvider())
    let flags = try compose(reporter: reporter) { provider }
    func read() {
      for key in (0..<50).compactMap({ FlagKey(validating: "flag-\($0)") }) {
        _ = flags.manager.variation(for: Flag(key, default: 0, ""))
      }
    }
    read()
    #expect(reporter.errors == [FlagError(.providerNotReady, "no values yet", provider: "remote")])
    for error in [cut, cut, refused, cut, refused] {
      provider.change(to: ProviderStatus(.defaults, error: error, isSettled: true))
      read()
    }
    provider.change(to: ProviderStatus(.fresh, isSettled: true))
    read()
    #expect(reporter.errors.map(\.code) == [.providerNotReady, .unreachable, .unauthorized, .providerReady])
    #expect(reporter.errors.allSatisfy { $0.key == nil && $0.provider == "remote" })
    provider.change(to: ProviderStatus(.fresh, error: cut, isSettled: true))
    provider.change(to: ProviderStatus(.cached(fetchedAt: 1), isSettled: false))
    #expect(reporter.errors.map(\.code).suffix(2) == [.providerReady, .unreachable])
    provider.change(to: ProviderStatus(.fresh, isSettled: true))
    #expect(reporter.errors.map(\.code).suffix(2) == [.unreachable, .providerReady])
  }

  @Test("A stream that cannot be opened is reported once for each cause, and so is its end; values stay ready")
  func reportsStreams() throws {
    let (reporter, provider) = (RecordingReporter(), StatusProvider(ProviderStatus(.fresh, isSettled: true)))
    let flags = try compose(reporter: reporter) { provider }
    func change(_ updates: ProviderStatus.Updates?) {
      var status = ProviderStatus(.fresh, isSettled: true)
      status.updates = updates
      #expect(status.state == .ready)
      provider.change(to: status)
    }
    for error in [cut, cut, refused, cut] { change(.polling(error)) }
    change(.polling(nil))
    change(nil)
    #expect(reporter.errors.map(\.code) == [.unreachable, .unauthorized])
    change(.streaming)
    change(.streaming)
    #expect(reporter.errors.map(\.code) == [.unreachable, .unauthorized, .providerReady])
    #expect(reporter.errors.allSatisfy { $0.provider == "remote" })
    change(.polling(cut))
    #expect(reporter.errors.map(\.code).last == .unreachable)
    withExtendedLifetime(flags) {}
  }

  @Test("Each resolution still has the flag's own error")
  func keepsErrors() throws {
    let flags = try compose { StatusProvider() }
    let flag = Flag("flag", default: 0, "")
    let error = FlagError(.providerNotReady, "no values yet", key: "flag", provider: "remote")
    #expect(flags.inspector.resolution(of: flag).errors == [error])
    #expect(flags.inspector.resolution(of: flag).reason == .error)
  }

  @Test("An outage that began before the client did is reported, and an end without a beginning is not")
  func reportsAtStart() throws {
    let reporter = RecordingReporter()
    let provider = StatusProvider(ProviderStatus(.defaults, error: cut, isSettled: true))
    let other = StatusProvider(ProviderStatus(.fresh, isSettled: true), name: "other")
    _ = try compose(reporter: reporter) {
      provider; other
    }
    other.change(to: ProviderStatus(.bundled, isSettled: true))
    #expect(reporter.errors.map(\.code) == [.unreachable])
  }

  @Test(
    "A provider that fails as a whole at every read is reported once, and each resolution says why",
    arguments: [
      .providerNotReady, .providerFatal, .unauthorized, .notFound, .timeout, .unreachable,
    ] as [FlagError.Code])
  func reportsWholeOnce(code: FlagError.Code) throws {
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter) { failing("remote", code) }
    for key in (0..<18).compactMap({ FlagKey(validating: "flag-\($0)") }) {
      let flag = Flag(key, default: 0, "")
      _ = flags.manager.variation(for: flag)
      #expect(flags.inspector.resolution(of: flag).error?.key == key)
    }
    #expect(reporter.errors == [FlagError(code, "out of order", provider: "remote")])
  }

  @Test("A provider that is asked about thousands of other users is reported once, and each resolution says why")
  func reportsMismatch() throws {
    let reporter = RecordingReporter()
    let flag = Flag("flag", default: 0, "")
    let flags = try compose(reporter: reporter) {
      StubProvider { _, context throws(FlagError) in
        guard context.user == nil else { throw FlagError(.userMismatch, "for the current user alone") }
        return FlagAnswer(1)
      }
    }
    for number in 0..<1000 { _ = flags.manager(for: FlagUser(id: "\(number)")).variation(for: flag) }
    #expect(reporter.errors == [FlagError(.userMismatch, "for the current user alone", provider: "stub")])
    let resolution = flags.manager(for: FlagUser(id: "ann")).resolution(of: flag)
    #expect(resolution.reason == .error && resolution.error?.code == .userMismatch)
    #expect(flags.inspector.resolution(of: flag).errors == [])
  }

  @Test("Answers that lag behind a user who signs in are not reported as a mismatch")
  func waitsForUsers() throws {
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter) { failing("behind", .userMismatch) }
    flags.authenticator.setUser(FlagUser(id: "ann"))
    #expect(flags.inspector.resolution(of: Flag("flag", default: 0, "")).error?.code == .userMismatch)
    #expect(reporter.errors == [])
  }
}

/// A provider with one value for every flag, or none, whose status a test sets.
private final class StatusProvider: FlagProvider {
  private struct Snapshot: ProviderSnapshot {
    let values: ProviderStatus.Values

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      guard values != .defaults else { throw FlagError(.providerNotReady, "no values yet") }
      return FlagAnswer(1)
    }
  }

  let name: String
  private let state: Locked<ProviderStatus>
  private let subscribers = FlagSubscribers<ChangedKeys>()

  init(_ status: ProviderStatus = ProviderStatus(.defaults, isSettled: false), name: String = "remote") {
    self.name = name
    state = Locked(status)
  }

  var providerStatus: ProviderStatus { state.withLock { $0 } }

  func snapshot() -> any ProviderSnapshot { Snapshot(values: providerStatus.values) }

  func change(to new: ProviderStatus) {
    state.withLock { $0 = new }
    subscribers.notify(.all)
  }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}
