public import FlagDomain
public import Testing

/// The contract of every provider, as checks that the tests of any provider can run.
///
/// ```swift
/// @Test("Meets the contract of every provider")
/// func meetsContract() async throws {
///   let provider = InMemoryProvider(["present": true])
///   try await ProviderContract(provider, present: ["present": true], absent: "absent").check()
/// }
/// ```
///
/// The contract does not include whether a value is of a flag's type.
public struct ProviderContract: Sendable {
  private let provider: any FlagProvider
  private let present: [FlagKey: FlagValue]
  private let absent: FlagKey
  /// The user that the provider currently resolves flags for.
  public var user: FlagUser?
  /// A key for which the provider throws, and the error's code; nil for a provider that never throws.
  public var failing: (key: FlagKey, code: FlagError.Code)?
  /// A change of the provider's answers; nil for a provider whose answers never change.
  public var change: Change?
  /// The maximum time from a change in a snapshot to the notification of subscribers: ten seconds.
  public var timeout = Duration.seconds(10)

  /// Creates the contract of a provider.
  ///
  /// - Parameters:
  ///   - provider: The provider, ready to answer.
  ///   - present: Keys that it has, with their values.
  ///   - absent: A key that it does not have.
  public init(_ provider: any FlagProvider, present: [FlagKey: FlagValue], absent: FlagKey) {
    self.provider = provider
    self.present = present
    self.absent = absent
  }

  /// Checks the whole contract.
  ///
  /// In a test of Swift Testing, each breach is an issue at the caller's line. Elsewhere, such as under XCTest, all
  /// breaches are thrown as one error.
  ///
  /// - Throws: ``ProviderContract/Breaches`` outside Swift Testing, and any error of the change.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let breaches = try await breaches()
    guard Test.current != nil || breaches.isEmpty else { throw Breaches(descriptions: breaches) }
    for breach in breaches { Issue.record(Comment(rawValue: breach), sourceLocation: sourceLocation) }
  }

  /// An error with the breaches of the contract by a provider.
  public struct Breaches: Error, Equatable, CustomStringConvertible {
    /// A sentence for each breach.
    public let descriptions: [String]

    /// The breaches, one per line.
    public var description: String { descriptions.joined(separator: "\n") }
  }

  private func breaches() async throws -> [String] {
    var breaches: [String] = []
    checkAnswers(&breaches)
    checkFailure(&breaches)
    await checkConcurrentReads(&breaches)
    if let change { try await check(change, &breaches) }
    checkUserChange(&breaches)
    return breaches
  }

  private var context: EvaluationContext { EvaluationContext(user: user) }

  // MARK: Answers

  private func checkAnswers(_ breaches: inout [String]) {
    if provider.name.isEmpty { breaches.append("expected a provider with a name, found an empty one") }
    let snapshot = provider.snapshot()
    for _ in 1...2 {
      for (key, value) in present { check(snapshot, answers: value, for: key, "present", &breaches) }
      check(snapshot, answers: nil, for: absent, "absent", &breaches)
    }
  }

  private func checkFailure(_ breaches: inout [String]) {
    guard let failing else { return }
    do throws(FlagError) {
      let answer = try provider.snapshot().answer(for: failing.key, in: context)
      breaches.append("\(failing.key), failing: expected \(failing.code), found \(text(answer))")
    } catch {
      if error.code != failing.code {
        breaches.append("\(failing.key), failing: expected \(failing.code), found \(error.code)")
      }
      if error.message.isEmpty {
        breaches.append("\(failing.key), failing: expected an error that says what is wrong, found an empty message")
      }
    }
  }

  private func checkConcurrentReads(_ breaches: inout [String]) async {
    let agree = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).allSatisfy { _ in answersAsPromised() } }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    if !agree { breaches.append("expected reads on several threads to give what one gives, found others") }
  }

  private func answersAsPromised() -> Bool {
    let snapshot = provider.snapshot()
    return present.allSatisfy { answer(of: snapshot, for: $0.key)?.value == $0.value }
      && answer(of: snapshot, for: absent) == nil
  }

  /// Checks an answer; one without a value differs from no answer.
  private func check(
    _ snapshot: any ProviderSnapshot, answers value: FlagValue?, for key: FlagKey, _ subject: String,
    _ breaches: inout [String]
  ) {
    do throws(FlagError) {
      let answer = try snapshot.answer(for: key, in: context)
      guard answer?.value != value || value == nil && answer != nil else { return }
      breaches.append("\(key), \(subject): expected \(value.map { "\($0)" } ?? "no answer"), found \(text(answer))")
    } catch {
      breaches.append("\(key), \(subject): expected \(value.map { "\($0)" } ?? "no answer"), found \(error)")
    }
  }

  private func text(_ answer: FlagAnswer?) -> String {
    answer.map { $0.value.map { "\($0)" } ?? "an answer without a value" } ?? "no answer"
  }

  /// Returns a snapshot's answer; a failure counts as no answer.
  private func answer(
    of snapshot: any ProviderSnapshot, for key: FlagKey, in context: EvaluationContext? = nil
  ) -> FlagAnswer? {
    do throws(FlagError) {
      return try snapshot.answer(for: key, in: context ?? self.context)
    } catch {
      return nil
    }
  }

  // MARK: Changes

  private func check(_ change: Change, _ breaches: inout [String]) async throws {
    let received = Locked<[FlagKey: [String]]>([:])
    let (notices, notice) = AsyncStream.makeStream(of: Void.self)
    let afterEnd = Locked(false)
    provider.subscribe { _ in afterEnd.withLock { $0 = true } }.cancel()
    _ = provider.subscribe { _ in afterEnd.withLock { $0 = true } }
    let subscription = provider.subscribe { keys in
      for (key, value) in change.answers where keys.contains(key) {
        var early: [String] = []
        check(provider.snapshot(), answers: value, for: key, "shown before subscribers know of it", &early)
        received.withLock { $0[key, default: []] += early }
      }
      if received.withLock({ $0.count }) == change.answers.count { notice.finish() }
    }
    try await checkSnapshots(around: change, &breaches)
    if !change.answers.isEmpty { await Self.wait(forEndOf: notices, atMost: timeout) }
    breaches += Self.breaches(of: change, received: received.withLock { $0 })
    if afterEnd.withLock({ $0 }) {
      breaches.append("expected no notification after a subscription was cancelled or released, found one")
    }
    subscription.cancel()
  }

  /// Makes a change, and checks that an earlier snapshot has the old answers, and a later one the new ones.
  private func checkSnapshots(around change: Change, _ breaches: inout [String]) async throws {
    let before = provider.snapshot()
    let old = change.answers.keys.map { ($0, answer(of: before, for: $0)) }
    try await change.make()
    let after = provider.snapshot()
    for (key, value) in change.answers { check(after, answers: value, for: key, "changed", &breaches) }
    breaches += old.filter { answer(of: before, for: $0) != $1 }.map { key, _ in
      "\(key): expected a snapshot that does not change, found \(text(answer(of: before, for: key)))"
    }
  }

  private static func breaches(of change: Change, received: [FlagKey: [String]]) -> [String] {
    received.values.joined()
      + change.answers.keys.filter { received[$0] == nil }.map {
        "\($0): expected a notification of the change, found none"
      }
  }

  private static func wait(forEndOf notices: AsyncStream<Void>, atMost time: Duration) async {
    await withTaskGroup { group in
      group.addTask { for await _ in notices {} }
      group.addTask { do { try await Task.sleep(for: time) } catch {} }  // ends early if the other was first
      await group.next()
      group.cancelAll()
    }
  }

  /// Checks that the old user's answers are not given to the new user; the present keys may have changed by now.
  private func checkUserChange(_ breaches: inout [String]) {
    guard provider.isPersonal else { return }
    let other = EvaluationContext(user: FlagUser(id: "another user"))
    let before = provider.snapshot()
    provider.setContext(other)
    for key in present.keys {
      let (old, new) = (answer(of: before, for: key, in: other), answer(of: provider.snapshot(), for: key))
      if old != nil { breaches.append("\(key): expected an earlier snapshot without answers for another user") }
      if new != nil { breaches.append("\(key): expected a later snapshot without answers for an earlier user") }
    }
    provider.setContext(EvaluationContext(user: user))
  }
}
