public import FlagDomain

/// A provider that maps keys to those of another provider.
public struct KeyMappingProvider<Upstream: FlagProvider>: FlagProvider {
  /// The name that was given to this provider, else the other provider's.
  public let name: String
  private let upstream: Upstream
  private let keys: KeyMapping

  init(upstream: Upstream, keys: KeyMapping, name: String? = nil) {
    self.name = name ?? upstream.name
    self.upstream = upstream
    self.keys = keys
  }

  /// Returns a snapshot of the other provider.
  public func snapshot() -> any ProviderSnapshot { Snapshot(upstream: upstream.snapshot(), keys: keys) }

  /// Calls a closure after every change that affects this provider's keys, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    upstream.subscribe { [keys] changes in keys.downstream(changes).map(onChange) }
  }

  /// Refreshes the other provider.
  public func refresh() async throws(FlagError) { try await upstream.refresh() }
  /// The other provider's status.
  public var providerStatus: ProviderStatus { upstream.providerStatus }
  /// Whether the other provider's values are personal.
  public var isPersonal: Bool { upstream.isPersonal }
  /// Sets the other provider's context.
  public func setContext(_ context: EvaluationContext) { upstream.setContext(context) }

  private struct Snapshot: ProviderSnapshot {
    let upstream: any ProviderSnapshot
    let keys: KeyMapping

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      guard let key = keys.upstream(key) else { return nil }
      return try upstream.answer(for: key, in: context)
    }

    var textReader: TextReader? { upstream.textReader }
    var findings: [FlagError] { upstream.findings }
    var unitAttributes: Set<String> { upstream.unitAttributes }
  }
}

/// A mapping of keys to those of the wrapped provider, and back.
struct KeyMapping: Sendable {
  /// A function that returns the key of the wrapped provider, or nil to exclude the key.
  let upstream: @Sendable (FlagKey) -> FlagKey?
  /// A function that returns the names of the keys that map to a name of the wrapped provider.
  let downstream: @Sendable (String) -> Set<String>

  func downstream(_ changes: ChangedKeys) -> ChangedKeys? {
    guard case .some(let names) = changes else { return .all }
    let own = names.reduce(into: Set()) { $0.formUnion(downstream($1)) }
    return own.isEmpty ? nil : .some(own)
  }
}

extension KeyMappingProvider: WritableFlagProvider where Upstream: WritableFlagProvider {
  /// Sets and removes values of the other provider.
  ///
  /// A key that is excluded here has no value to remove.
  ///
  /// - Throws: A `FlagError` of code `FLAG_NOT_FOUND` when setting a value for an excluded key, and the other
  ///   provider's error.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    var renamed: [FlagKey: FlagValue?] = [:]
    for (key, value) in values {
      guard let other = keys.upstream(key) else {
        if value == nil { continue }
        throw FlagError(.flagNotFound, "expected a key that is not left out", key: key, provider: name)
      }
      renamed[other] = .some(value)
    }
    try upstream.write(renamed)
  }
}

/// The prefixed keys for flags' keys; each is created once.
final class PrefixedKeys: Sendable {
  private let prefix: String
  private let made = GrowingMap<FlagKey, FlagKey>(listCount: 256)

  init(_ prefix: String) { self.prefix = prefix }

  func key(of key: FlagKey) -> FlagKey {
    if let known = made.value(of: key, hash: key.index) { return known }
    let new = FlagKey(providerName: prefix + key.name)
    _ = made.add(new, for: key, hash: key.index)
    return new
  }
}
