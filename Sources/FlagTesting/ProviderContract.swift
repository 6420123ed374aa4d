public import FlagDomain
import Synchronization
public import Testing

/// What every provider must keep to, as checks that any provider's tests can run.
///
/// ```swift
/// @Test("Meets the contract of every provider")
/// func meetsContract() async throws {
///   let provider = InMemoryProvider(["present": true])
///   try await ProviderContract(provider, present: ["present": true], absent: "absent").check()
/// }
/// ```
///
/// Types are the flags' business: a provider answers with what it has.
public struct ProviderContract: Sendable {
  private let provider: any FlagProvider
  private let present: [FlagKey: FlagValue]
  private let absent: FlagKey
  /// For whom the provider resolves flags at the moment.
  public var user: User?
  /// A key for which the provider throws, and the error's code; nil for a provider that never throws.
  public var failing: (key: FlagKey, code: FlagError.Code)?
  /// Something that makes the answers differ; nil for a provider whose answers never change.
  public var change: Change?

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
}

extension ProviderContract {
  /// Checks all that the contract says; what does not hold is an issue at the caller's line.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    checkAnswers(at: sourceLocation)
    checkFailure(at: sourceLocation)
    await checkConcurrentReads(at: sourceLocation)
    if let change { try await check(change, at: sourceLocation) }
    checkUserChange(at: sourceLocation)
  }

  private var context: EvaluationContext { EvaluationContext(user: user) }

  private func checkAnswers(at location: SourceLocation) {
    #expect(!provider.name.isEmpty, "a provider has a name", sourceLocation: location)
    let snapshot = provider.snapshot()
    for _ in 1...2 {
      for (key, value) in present {
        expect(snapshot, answers: value, for: key, "present", at: location)
      }
      expect(snapshot, answers: nil, for: absent, "absent", at: location)
    }
  }

  private func checkFailure(at location: SourceLocation) {
    guard let failing else { return }
    do throws(FlagError) {
      let answer = try provider.snapshot().answer(for: failing.key, in: context)
      Issue.record(
        "\(failing.key) is unusable, but is answered by \(String(describing: answer))", sourceLocation: location)
    } catch {
      #expect(error.code == failing.code, sourceLocation: location)
      #expect(!error.message.isEmpty, "an error says what was expected", sourceLocation: location)
    }
  }

  private func checkConcurrentReads(at location: SourceLocation) async {
    let agree = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).allSatisfy { _ in answersAsPromised() } }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(agree, "reads on several threads give what one gives", sourceLocation: location)
  }

  private func answersAsPromised() -> Bool {
    let snapshot = provider.snapshot()
    return present.allSatisfy { answer(of: snapshot, for: $0.key)?.value == $0.value }
      && answer(of: snapshot, for: absent) == nil
  }

  private func check(_ change: Change, at location: SourceLocation) async throws {
    let provider = try #require(
      provider as? any ChangingFlagProvider, "a provider that changes says so", sourceLocation: location)
    let told = Mutex<Set<FlagKey>>([])
    let subscription = provider.subscribe { keys in
      for (key, value) in change.answers where keys.contains(key) {
        expect(provider.snapshot(), answers: value, for: key, "shown before subscribers know of it", at: location)
        told.withLock { _ = $0.insert(key) }
      }
    }
    let before = provider.snapshot()
    let old = change.answers.keys.map { ($0, answer(of: before, for: $0)) }
    try await change.make()
    let after = provider.snapshot()
    for (key, value) in change.answers { expect(after, answers: value, for: key, "changed", at: location) }
    for (key, value) in old {
      #expect(answer(of: before, for: key) == value, "a snapshot does not change: \(key)", sourceLocation: location)
    }
    #expect(told.withLock { $0 } == Set(change.answers.keys), "subscribers hear of each key", sourceLocation: location)
    subscription.cancel()
  }

  /// The present keys may have changed by now: what counts is that the old user's answers are not given to the new one.
  private func checkUserChange(at location: SourceLocation) {
    guard let authenticator = provider as? any UserAuthenticator else { return }
    let other = EvaluationContext(user: User(id: "another user"))
    let before = provider.snapshot()
    authenticator.setUser(other.user)
    for key in present.keys {
      let (old, new) = (answer(of: before, for: key, in: other), answer(of: provider.snapshot(), for: key))
      #expect(old == nil, "an earlier snapshot has nothing for another user: \(key)", sourceLocation: location)
      #expect(new == nil, "a later snapshot has nothing for an earlier user: \(key)", sourceLocation: location)
    }
    authenticator.setUser(user)
  }

  private func expect(
    _ snapshot: any ProviderSnapshot, answers value: FlagValue?, for key: FlagKey, _ comment: Comment,
    at location: SourceLocation
  ) {
    do throws(FlagError) {
      let answer = try snapshot.answer(for: key, in: context)
      #expect(answer?.value == value, comment, sourceLocation: location)
      // An answer without a value is a decision, too, and so not the same as none.
      if value == nil { #expect(answer == nil, comment, sourceLocation: location) }
    } catch {
      Issue.record(error, comment, sourceLocation: location)
    }
  }

  /// Returns what a snapshot says, a failure being no answer.
  private func answer(
    of snapshot: any ProviderSnapshot, for key: FlagKey, in context: EvaluationContext? = nil
  ) -> FlagAnswer? {
    do throws(FlagError) {
      return try snapshot.answer(for: key, in: context ?? self.context)
    } catch {
      return nil
    }
  }
}

extension ChangedKeys {
  fileprivate func contains(_ key: FlagKey) -> Bool {
    switch self {
    case .all: true
    case .some(let keys): keys.contains(key)
    }
  }
}
