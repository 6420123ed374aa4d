import FlagDomain
import FlagProviders

/// What is known of a service's answers at one moment, and what comes next.
struct ServedContent<Format: AnswerFormat>: Sendable {
  /// An answer, and where it comes from.
  struct Version: Sendable {
    enum Origin: Hashable, Sendable { case service, cache, bundle }

    var content: Format.Content
    var origin: Origin
    /// When the service said so last, in seconds since the beginning of 1970.
    var fetchedAt: Int64?
    /// The tag that the service gave it.
    var tag: String?
    /// Counts the answers that were taken over.
    var edition = 0
  }

  let format: Format
  let provider: String
  /// Whether a new answer is served at once, or when the app says so.
  let isLive: Bool
  /// Whether what was kept is served before the service has answered or failed.
  let isCacheFirst: Bool
  let bundled: Version?
  var sync: SyncState

  /// The newest answer, from the service or kept.
  private(set) var newest: Version?
  /// What reads are given.
  private(set) var served: Version?
  /// Why what is served may be out of date, or is missing.
  private(set) var failure: FlagError?
  /// Whether the service has answered or failed for the context.
  private(set) var isSettled = false
  /// What was wrong with what was kept.
  private(set) var cacheError: FlagError?
  private var lastEdition = 0

  init(
    _ format: Format, provider: String, isLive: Bool, isCacheFirst: Bool, bundled: Version?, sync: SyncState
  ) {
    self.format = format
    self.provider = provider
    self.isLive = isLive
    self.isCacheFirst = isCacheFirst
    self.bundled = bundled
    self.sync = sync
  }
}

extension ServedContent {
  /// Begins with what was kept for the context, or with why that is of no use.
  ///
  /// - Parameters:
  ///   - kept: What was kept.
  ///   - keepsServed: Whether what is served stays until there is something for the context: it is the same user's.
  mutating func begin(with kept: Result<Version?, FlagError>, keepsServed: Bool = false) {
    failure = nil
    isSettled = false
    cacheError = nil
    newest = nil
    switch kept {
    case .success(let version): newest = version.map { numbered($0) }
    case .failure(let error): cacheError = error
    }
    let before = keepsServed ? served : nil
    served = isCacheFirst ? newest ?? before ?? bundled : before
  }

  /// Takes over an answer; in a session it waits, unless nothing of the service is served yet.
  mutating func accept(_ version: Version) {
    let new = numbered(version)
    newest = new
    failure = nil
    isSettled = true
    if isLive || served == nil || served?.origin == .bundle { served = new }
  }

  /// Takes note that the newest answer is still right, and returns it; nil where there is none.
  mutating func confirm(at time: Int64) -> Version? {
    guard var version = newest else { return nil }
    version.origin = .service
    version.fetchedAt = time
    newest = version
    failure = nil
    isSettled = true
    if isLive || served == nil || served?.edition == version.edition { served = version }
    return version
  }

  /// Takes note of a failure; what was kept is better than nothing.
  mutating func fail(_ error: FlagError) {
    failure = error
    isSettled = true
    served = served ?? newest ?? bundled
  }

  /// Serves the newest answer.
  mutating func activate() { served = newest ?? served }

  /// Changes what was answered, the newest and what is served alike.
  mutating func edit(_ change: (inout Format.Content) -> Void) {
    let isNewest = served?.edition == newest?.edition
    newest = newest.map { version in
      var version = numbered(version)
      change(&version.content)
      return version
    }
    guard !isNewest else { return served = newest }
    served = served.map { version in
      var version = numbered(version)
      change(&version.content)
      return version
    }
  }

  private mutating func numbered(_ version: Version) -> Version {
    var version = version
    lastEdition += 1
    version.edition = lastEdition
    return version
  }

  /// How far the provider has got.
  var status: ProviderStatus {
    let values: ProviderStatus.Values =
      switch (served?.origin, served?.fetchedAt) {
      case (nil, _): .defaults
      case (.service, _): .fresh
      case (.cache, let time): .cached(fetchedAt: time ?? 0)
      case (.bundle, _): .bundled
      }
    return ProviderStatus(values, error: failure, isSettled: isSettled)
  }
}

extension ServedContent: DiffableContent {
  func changes(since old: ServedContent) -> ChangedKeys? {
    if sync.context != old.sync.context { return .all }
    // With the reasons, every answer is another.
    if status.state != old.status.state || served?.origin != old.served?.origin { return .all }
    guard let served, let before = old.served else { return served == nil && old.served == nil ? nil : .all }
    let changes = served.edition == before.edition ? nil : format.changes(from: before.content, to: served.content)
    // No value is another, but whoever waits for the status hears of it.
    return changes ?? (isSettled == old.isSettled ? nil : .some([]))
  }

  /// What reads see of this moment.
  var snapshot: any ProviderSnapshot {
    guard let served else {
      return UnservedSnapshot(
        user: format.isPersonal ? .some(sync.context.user) : nil, provider: provider, failure: failure,
        cacheError: cacheError)
    }
    let age: ServedSnapshot<Format>.Age? = failure != nil ? .stale : served.origin == .service ? nil : .cached
    return ServedSnapshot(
      format: format, provider: provider, user: sync.context.user, content: served.content, age: age,
      fetchedAt: served.fetchedAt, cacheError: cacheError)
  }
}
