public import FlagDomain

/// A provider that asks another one under other keys.
public struct RekeyedProvider<Upstream: FlagProvider>: FlagProvider {
  /// The other provider's name.
  public var name: String { upstream.name }
  let upstream: Upstream
  let keys: KeyMapping

  /// Returns what the other provider knows at this moment.
  public func snapshot() -> any ProviderSnapshot { Snapshot(upstream: upstream.snapshot(), keys: keys) }

  private struct Snapshot: ProviderSnapshot {
    let upstream: any ProviderSnapshot
    let keys: KeyMapping

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      guard let key = keys.upstream(key) else { return nil }
      return try upstream.answer(for: key, in: context)
    }

    var textReader: (@Sendable (String) throws(FlagError) -> FlagValue)? { upstream.textReader }
  }
}

/// How keys become those of the provider behind a wrapper, and back.
struct KeyMapping: Sendable {
  /// Returns the key to ask for; nil where nobody is asked.
  let upstream: @Sendable (FlagKey) -> FlagKey?
  /// Returns the keys whose answers are those of a key behind the wrapper.
  let downstream: @Sendable (FlagKey) -> Set<FlagKey>

  func downstream(_ changes: ChangedKeys) -> ChangedKeys? {
    guard case .some(let keys) = changes else { return .all }
    let own = keys.reduce(into: Set()) { $0.formUnion(downstream($1)) }
    return own.isEmpty ? nil : .some(own)
  }
}

extension RekeyedProvider: ChangingFlagProvider where Upstream: ChangingFlagProvider {
  /// Calls a closure after every change that concerns this provider's keys, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    upstream.subscribe { [keys] changes in keys.downstream(changes).map(onChange) }
  }
}

extension RekeyedProvider: WritableFlagProvider where Upstream: WritableFlagProvider {
  /// Sets and removes values of the other provider.
  ///
  /// - Throws: A `FlagError` of code `FLAG_NOT_FOUND` for a key that is left out here, and what the other throws.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    var renamed: [FlagKey: FlagValue?] = [:]
    for (key, value) in values {
      guard let other = keys.upstream(key) else {
        throw FlagError(.flagNotFound, "expected a key that is not left out", key: key, provider: name)
      }
      renamed[other] = .some(value)
    }
    try upstream.write(renamed)
  }
}

extension RekeyedProvider: UserAuthenticator where Upstream: UserAuthenticator {
  /// Tells the other provider who is signed in.
  public func setUser(_ user: User?) { upstream.setUser(user) }
}
