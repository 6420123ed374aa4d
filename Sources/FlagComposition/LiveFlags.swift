internal import FlagDomain
internal import Synchronization

/// The flags of a running program: the current state, and the values already resolved in it.
///
/// Locks, outermost first. None is held while a reader, a provider, a subscriber or a reporter runs.
/// - `storing` puts writes of overrides in order, the store's own work included; only those who override take it.
/// - `changing` puts changes in order; only writers take it.
/// - `state` is held for the exchange of a reference, and to keep one resolved value.
final class LiveFlags: Sendable {
  let providers: [any FlagProvider]
  let store: any FlagOverrideStore
  let storing = Locked(())
  let observed = ObservedFlags()
  private let reporter: (any FlagErrorReporter)?
  private let kept = KeptValues()
  /// The current state's revision, for readers, who take no lock.
  private let revision: Atomic<UInt64>
  private let state: Locked<FlagState>
  private let changing = Locked(Changing())
  private let tickets = Atomic<UInt64>(0)
  private let subscriptions = Locked<[FlagSubscription]>([])

  /// What writers share.
  private struct Changing {
    /// For each provider, the ticket of the snapshot that was published last.
    var published: [Int: UInt64] = [:]
    /// Users that providers have yet to be told of, and whether a thread is telling them.
    var users: [User?] = []
    var isTelling = false
    var feeds: [Int: FlagChanges.Feed] = [:]
    var nextFeed = 0
  }

  init(
    providers: [any FlagProvider], store: any FlagOverrideStore, content: FlagState.Content,
    reporter: (any FlagErrorReporter)?
  ) {
    self.providers = providers
    self.store = store
    self.reporter = reporter
    revision = Atomic(1)
    state = Locked(FlagState(revision: 1, content: content))
    follow()
  }

  deinit {
    changing.withLock { changing in
      for feed in changing.feeds.values { feed.finish() }
    }
  }
}

extension LiveFlags: FeatureFlagManager {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    kept.value(at: flag.key.index, revision: revision.load(ordering: .sequentiallyConsistent)) { resolve(flag) }
  }

  /// Resolves a flag anew, and keeps the value where it lasts.
  @inline(never)
  private func resolve<F: FeatureFlag>(_ flag: F) -> F.Value {
    let state = current
    var trace = Trace()
    let value = state.value(of: flag, in: state.content.context, &trace)
    if trace.isLasting { keep(value, of: flag.key, in: state) }
    report(trace.errors)
    return value
  }

  private func keep(_ value: some Sendable, of key: FlagKey, in state: FlagState) {
    let replaced = self.state.withLock { current in
      current === state ? kept.keep(value, at: key.index, revision: state.revision) : nil
    }
    _ = consume replaced  // let go of outside the lock, since a value's own deinit may read flags
  }

  /// Returns the value kept for a flag in a revision, or what `missing` returns.
  func kept<F: FeatureFlag>(_ flag: F, revision: UInt64, else missing: () -> F.Value) -> F.Value {
    kept.value(at: flag.key.index, revision: revision, else: missing)
  }
}

extension LiveFlags {
  /// The current state.
  var current: FlagState { state.withLock { $0 } }

  func report(_ errors: [FlagError]) {
    guard !errors.isEmpty, let reporter else { return }
    for error in errors { reporter.report(error) }
  }

  /// Makes the next state, and tells of it.
  func change(_ change: FlagChange, _ edit: (inout FlagState.Content) -> Void) {
    publish(change, edit)
    observed.notify(change.keys)
  }

  /// Makes the next state, and tells everyone of it but Observation, whose observers run code of others at once.
  func publish(_ change: FlagChange, _ edit: (inout FlagState.Content) -> Void) {
    let last = changing.withLock { publish(change, in: $0, edit) }
    _ = consume last  // let go of outside the lock, since it may be the end of a provider's snapshot
  }

  /// Makes the next state, and returns the last one, which the caller lets go of outside the lock.
  ///
  /// `edit` runs nothing but code of this package, and a feed none of its consumer's.
  private func publish(
    _ change: FlagChange, in changing: Changing, _ edit: (inout FlagState.Content) -> Void
  ) -> FlagState {
    let next = current.changed(edit)
    let last = state.withLock { state in
      defer { state = next }
      return state
    }
    revision.store(next.revision, ordering: .sequentiallyConsistent)
    for feed in changing.feeds.values { feed.send(change) }
    return last
  }
}

extension LiveFlags: UserAuthenticator {
  func setUser(_ user: User?) {
    let (last, isTeller) = changing.withLock { changing -> (FlagState?, Bool) in
      guard current.content.context.user != user else { return (nil, false) }
      let last = publish(FlagChange(keys: .all, causes: [.user]), in: changing) { $0.context.user = user }
      changing.users.append(user)
      defer { changing.isTelling = true }
      return (last, !changing.isTelling)
    }
    if last != nil { observed.notify(.all) }
    if isTeller { tellProviders() }
  }

  /// Tells the providers of each new user, in order, from one thread at a time.
  private func tellProviders() {
    while let user = nextUser() {
      for case let provider as any UserAuthenticator in providers { provider.setUser(user) }
    }
  }

  private func nextUser() -> User?? {
    changing.withLock { changing in
      guard changing.users.isEmpty else { return changing.users.removeFirst() }
      changing.isTelling = false
      return nil
    }
  }
}

extension LiveFlags {
  private func follow() {
    let subscriptions = providers.enumerated().compactMap { index, provider in
      (provider as? any ChangingFlagProvider)?.subscribe { [weak self] in self?.providerChanged(index, $0) }
    }
    self.subscriptions.withLock { $0 = subscriptions }
    // What changed after the first snapshots were taken, and before the subscriptions began.
    for index in providers.indices where providers[index] is any ChangingFlagProvider { providerChanged(index, .all) }
  }

  /// Publishes what a provider now knows.
  ///
  /// The ticket is drawn before the snapshot is taken: a snapshot with a later ticket has all that one with an earlier
  /// ticket has, so of two that race the later ticket wins, whichever comes first to the lock.
  private func providerChanged(_ index: Int, _ keys: ChangedKeys) {
    let ticket = tickets.add(1, ordering: .sequentiallyConsistent).newValue
    let provider = providers[index]
    let snapshot = provider.snapshot()
    let keys = current.flagKeys(for: keys)
    let last = changing.withLock { changing in
      let isNewest = ticket > changing.published[index, default: 0]
      if isNewest { changing.published[index] = ticket }
      return publish(FlagChange(keys: keys, causes: [.provider(provider.name)]), in: changing) { content in
        if isNewest { content.sources[index] = content.sources[index].showing(snapshot) }
      }
    }
    _ = consume last  // let go of outside the lock, as above
    observed.notify(keys)
  }
}

extension LiveFlags: FlagObserving {
  func changes() -> FlagChanges {
    let (changes, feed) = FlagChanges.makeSequence()
    let id = changing.withLock { changing in
      defer { changing.nextFeed += 1 }
      changing.feeds[changing.nextFeed] = feed
      return changing.nextFeed
    }
    feed.onTermination { [weak self] in self?.removeFeed(id) }
    return changes
  }

  /// How many sequences of changes are being consumed.
  var subscriberCount: Int { changing.withLock { $0.feeds.count } }

  private func removeFeed(_ id: Int) {
    let removed = changing.withLock { $0.feeds.removeValue(forKey: id) }
    _ = consume removed  // let go of outside the lock, since that may end the sequence, and so come back here
  }

  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable {
    FlagValues(key: flag.key, changes: changes()) { [weak self] in self?.variation(for: flag) }
  }
}
