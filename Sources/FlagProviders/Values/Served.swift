package import FlagDomain

/// The answers of a source at one moment: the newest, and those that are served.
package struct Served<Content: DiffableContent>: Sendable {
  /// An answer with its origin.
  package struct Version: Sendable {
    package enum Origin: Hashable, Sendable { case source, cache, bundle }

    package var content: Content
    package var origin: Origin
    /// The time when the source gave or confirmed it, in seconds since 1970-01-01 UTC.
    package var fetchedAt: Int64?
    /// The source's version of the answer.
    package var tag: String?
    /// The number of answers that were accepted before.
    fileprivate(set) var edition = 0

    package init(content: Content, origin: Origin, fetchedAt: Int64? = nil, tag: String? = nil) {
      (self.content, self.origin, self.fetchedAt, self.tag) = (content, origin, fetchedAt, tag)
    }
  }

  private let isLive: Bool
  private let isCacheFirst: Bool
  private let bundled: Version?

  /// The answer that is served if there is no other: a cached one for other attributes of the user, or the bundled one.
  private var reserve: Version?
  /// Whether the current answer is for other attributes of the user.
  private var isOutdated = false
  /// The newest answer, from the source or the cache.
  package private(set) var newest: Version?
  /// The answer that is served.
  package private(set) var current: Version?
  /// The reason why the current answer may be out of date, or is missing.
  package private(set) var failure: FlagError?
  /// Whether the source has answered or failed for the context.
  package private(set) var isSettled = false
  /// The errors in answers that are not used.
  package private(set) var findings: [FlagError] = []
  /// The way in which a store learns of changes; nil without one.
  private var updates: ProviderStatus.Updates?
  private var lastEdition = 0

  package init(isLive: Bool = true, isCacheFirst: Bool = true, bundled: Content? = nil) {
    self.isLive = isLive
    self.isCacheFirst = isCacheFirst
    self.bundled = bundled.map { Version(content: $0, origin: .bundle) }
    reserve = self.bundled
  }

  /// Begins with the answer that was cached for a context, or the reason why it is unusable.
  package mutating func begin(with cached: Result<Version?, FlagError>) {
    begin()
    restore(cached)
  }

  /// Begins without an answer for a context; the current one may stay until there is one, since the user is the same.
  package mutating func begin(keepsCurrent: Bool = false) {
    failure = nil
    isSettled = false
    newest = nil
    reserve = bundled
    isOutdated = keepsCurrent && current != nil
    if !isOutdated { current = isCacheFirst ? bundled : nil }
  }

  /// Serves what was cached, unless the source has answered meanwhile.
  ///
  /// - Parameters:
  ///   - cached: The answer that was cached for the context, or the reason why it is unusable.
  ///   - other: The newest one that was cached for the same user; used if there is no other.
  /// - Returns: Whether the answer for the context is the newest.
  @discardableResult
  package mutating func restore(_ cached: Result<Version?, FlagError>, or other: Version? = nil) -> Bool {
    findings = []
    if case .failure(let error) = cached { findings = [error] }
    guard newest == nil else { return false }
    if case .success(let version) = cached { newest = version.map { numbered($0) } }
    reserve = other.map { numbered($0) } ?? bundled
    guard isCacheFirst || failure != nil else { return newest != nil }
    if newest != nil || !isOutdated { current = newest ?? reserve }
    if newest != nil { isOutdated = false }
    return newest != nil
  }

  /// Accepts an answer; during a session it is served later, unless no answer of the source is served yet.
  package mutating func accept(_ version: Version) {
    let new = numbered(version)
    newest = new
    settle()
    if isLive || current == nil || current?.origin == .bundle { current = new }
  }

  /// Confirms the newest answer, and returns it; nil if there is no answer.
  package mutating func confirm(at time: Int64?) -> Version? {
    guard var version = newest else { return nil }
    version.origin = .source
    version.fetchedAt = time
    newest = version
    settle()
    if isLive || current == nil || current?.edition == version.edition { current = version }
    return version
  }

  /// Records a failure, and serves a cached or bundled answer if there is no other.
  package mutating func fail(_ error: FlagError) {
    failure = error
    isSettled = true
    current = current ?? newest ?? reserve
  }

  /// Serves the newest answer.
  package mutating func activate() { current = newest ?? current }

  /// Changes the newest answer, if it is also the current one.
  package mutating func edit(_ change: (inout Content) -> Void) {
    guard var version = newest, version.edition == current?.edition else { return }
    change(&version.content)
    newest = numbered(version)
    current = newest
  }

  /// Sets whether the source has answered or failed, the failure, the errors in answers that are not used, and the way
  /// in which the source learns of changes.
  package mutating func settle(
    if isSettled: Bool, failure: FlagError?, findings: [FlagError] = [], updates: ProviderStatus.Updates? = nil
  ) {
    self.updates = updates
    self.isSettled = isSettled
    self.failure = failure
    self.findings = findings
  }

  private mutating func settle() {
    failure = nil
    isSettled = true
    isOutdated = false
  }

  private mutating func numbered(_ version: Version) -> Version {
    var version = version
    lastEdition += 1
    version.edition = lastEdition
    return version
  }

  package var status: ProviderStatus {
    let values: ProviderStatus.Values =
      switch current?.origin {
      case nil: .defaults
      case .source: .fresh
      case .cache: .cached(fetchedAt: current?.fetchedAt ?? 0)
      case .bundle: .bundled
      }
    var status = ProviderStatus(values, error: failure, isSettled: isSettled)
    status.updates = updates
    return status
  }
}

/// The reason why answers may be out of date.
enum AnswerAge { case cached, stale }

extension Served {
  /// The age of the current answers; nil if they are the source's newest.
  var age: AnswerAge? {
    if failure != nil { return .stale }
    return current?.origin == .source ? isOutdated ? .stale : nil : .cached
  }
}

extension Served: DiffableContent {
  package func changes(since old: Served) -> ChangedKeys? {
    // The answers' reasons change, so every answer differs.
    if status.state != old.status.state || current?.origin != old.current?.origin || age != old.age { return .all }
    // No value differs, but subscribers to the status are notified.
    let unsettled: ChangedKeys? = status == old.status ? nil : .some([])
    guard let current, let before = old.current, current.edition != before.edition else { return unsettled }
    return current.content.changes(since: before.content) ?? unsettled
  }
}

extension Served where Content: ProviderSnapshot {
  /// Returns the answers for reads.
  ///
  /// - Parameters:
  ///   - context: The context for which they are; nil if they are for everyone.
  ///   - provider: The provider's name, for errors.
  /// - Returns: The answers, or a snapshot without any before the first.
  package func snapshot(for context: EvaluationContext?, of provider: String) -> any ProviderSnapshot {
    let asker = context.map { Asker(user: $0.user, visitor: $0.anonymousID) }
    guard let current else {
      return UnservedSnapshot(asker: asker, provider: provider, failure: failure, findings: findings)
    }
    return ServedSnapshot(
      provider: provider, asker: asker, content: current.content, age: age, fetchedAt: current.fetchedAt,
      ownFindings: findings)
  }
}
