import FlagDomain

/// The answers of a source at one moment: the newest, and those that are served.
struct Served<Content: DiffableContent>: Sendable {
  /// An answer with its origin.
  struct Version: Sendable {
    enum Origin: Hashable, Sendable { case source, cache, bundle }

    var content: Content
    var origin: Origin
    /// The time when the source gave or confirmed it, in seconds since 1970-01-01 UTC.
    var fetchedAt: Int64?
    /// The source's version of the answer.
    var tag: String?
    /// The number of answers that were accepted before.
    fileprivate(set) var edition = 0
  }

  private let isLive: Bool
  private let isCacheFirst: Bool
  private let bundled: Version?

  /// The newest answer, from the source or the cache.
  private(set) var newest: Version?
  /// The answer that is served.
  private(set) var current: Version?
  /// The reason why the current answer may be out of date, or is missing.
  private(set) var failure: FlagError?
  /// Whether the source has answered or failed for the context.
  private(set) var isSettled = false
  /// The errors in answers that are not used.
  private(set) var findings: [FlagError] = []
  private var lastEdition = 0

  init(isLive: Bool = true, isCacheFirst: Bool = true, bundled: Content? = nil) {
    self.isLive = isLive
    self.isCacheFirst = isCacheFirst
    self.bundled = bundled.map { Version(content: $0, origin: .bundle) }
  }
}

extension Served {
  /// Begins with the answer that was cached for a context.
  ///
  /// - Parameters:
  ///   - cached: The cached answer, or the reason why it is unusable.
  ///   - keepsCurrent: Whether the current answer stays until there is one for the context, since the user is the same.
  mutating func begin(with cached: Result<Version?, FlagError>, keepsCurrent: Bool = false) {
    failure = nil
    isSettled = false
    findings = []
    newest = nil
    switch cached {
    case .success(let version): newest = version.map { numbered($0) }
    case .failure(let error): findings = [error]
    }
    let before = keepsCurrent ? current : nil
    current = isCacheFirst ? newest ?? before ?? bundled : before
  }

  /// Accepts an answer; during a session it is served later, unless no answer of the source is served yet.
  mutating func accept(_ version: Version) {
    let new = numbered(version)
    newest = new
    settle()
    if isLive || current == nil || current?.origin == .bundle { current = new }
  }

  /// Confirms the newest answer, and returns it; nil if there is no answer.
  mutating func confirm(at time: Int64?) -> Version? {
    guard var version = newest else { return nil }
    version.origin = .source
    version.fetchedAt = time
    newest = version
    settle()
    if isLive || current == nil || current?.edition == version.edition { current = version }
    return version
  }

  /// Records a failure, and serves a cached or bundled answer if there is no other.
  mutating func fail(_ error: FlagError) {
    failure = error
    isSettled = true
    current = current ?? newest ?? bundled
  }

  /// Serves the newest answer.
  mutating func activate() { current = newest ?? current }

  /// Changes the newest answer, if it is also the current one.
  mutating func edit(_ change: (inout Content) -> Void) {
    guard var version = newest, version.edition == current?.edition else { return }
    change(&version.content)
    newest = numbered(version)
    current = newest
  }

  /// Sets whether the source has answered or failed, the failure, and the errors in answers that are not used.
  mutating func settle(if isSettled: Bool, failure: FlagError?, findings: [FlagError]) {
    self.isSettled = isSettled
    self.failure = failure
    self.findings = findings
  }

  private mutating func settle() {
    failure = nil
    isSettled = true
  }

  private mutating func numbered(_ version: Version) -> Version {
    var version = version
    lastEdition += 1
    version.edition = lastEdition
    return version
  }

  var status: ProviderStatus {
    let values: ProviderStatus.Values =
      switch current?.origin {
      case nil: .defaults
      case .source: .fresh
      case .cache: .cached(fetchedAt: current?.fetchedAt ?? 0)
      case .bundle: .bundled
      }
    return ProviderStatus(values, error: failure, isSettled: isSettled)
  }
}

extension Served: DiffableContent {
  func changes(since old: Served) -> ChangedKeys? {
    // The answers' reasons change, so every answer differs.
    if status.state != old.status.state || current?.origin != old.current?.origin { return .all }
    // No value differs, but subscribers to the status are notified.
    let unsettled: ChangedKeys? = isSettled == old.isSettled && failure == old.failure ? nil : .some([])
    guard let current, let before = old.current, current.edition != before.edition else { return unsettled }
    return current.content.changes(since: before.content) ?? unsettled
  }
}

extension Served where Content: ProviderSnapshot {
  /// Returns the answers for reads.
  ///
  /// - Parameters:
  ///   - user: The user for whom they are; nil if they are for everyone.
  ///   - provider: The provider's name, for errors.
  /// - Returns: The answers, or a snapshot without any before the first.
  func snapshot(for user: FlagUser??, of provider: String) -> any ProviderSnapshot {
    guard let current else {
      return UnservedSnapshot(user: user, provider: provider, failure: failure, findings: findings)
    }
    let age: ServedSnapshot<Content>.Age? = failure != nil ? .stale : current.origin == .source ? nil : .cached
    return ServedSnapshot(
      provider: provider, user: user, content: current.content, age: age, fetchedAt: current.fetchedAt,
      ownFindings: findings)
  }
}
