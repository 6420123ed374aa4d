internal import FlagDomain
internal import Synchronization

/// The flags of a running program: the current state, and the values already resolved in it.
///
/// Locks, outermost first. None is held while anything outside this package runs.
/// - `changing` puts changes in order; only writers take it.
/// - `state` is held for the exchange of a reference, and to keep one resolved value.
final class LiveFlags: Sendable {
  let providers: [any FlagProvider]
  private let reporter: (any FlagErrorReporter)?
  private let kept = KeptValues()
  /// The current state's revision, ahead of the mutex for readers.
  private let revision: Atomic<UInt64>
  private let state: Mutex<FlagState>
  private let changing = Mutex(Changing())
  private let subscriptions = Mutex<[FlagSubscription]>([])

  /// What writers share.
  private struct Changing {
    /// For each provider, the number of the newest snapshot that was published.
    var published: [Int: UInt64] = [:]
    /// Users that providers have yet to be told of, and whether a thread is telling them.
    var users: [User?] = []
    var isTelling = false
  }

  private let tickets = Atomic<UInt64>(0)

  init(providers: [any FlagProvider], content: FlagState.Content, reporter: (any FlagErrorReporter)?) {
    self.providers = providers
    self.reporter = reporter
    revision = Atomic(1)
    state = Mutex(FlagState(revision: 1, content: content))
    follow()
  }
}

extension LiveFlags: FeatureFlagManager {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    kept.value(at: flag.key.index, revision: revision.load(ordering: .sequentiallyConsistent), as: F.Value.self)
      ?? resolve(flag)
  }

  /// Resolves a flag anew, and keeps the value where it lasts.
  @inline(never)
  private func resolve<F: FeatureFlag>(_ flag: F) -> F.Value {
    let state = current
    let resolved = state.resolve(flag, in: state.content.context)
    let value = resolved.resolution.value
    if resolved.isLasting { keep(value, of: flag.key, in: state) }
    report(resolved.resolution.errors)
    return value
  }

  private func keep(_ value: some Sendable, of key: FlagKey, in state: FlagState) {
    self.state.withLock { current in
      guard current === state else { return }
      kept.keep(value, at: key.index, revision: state.revision)
    }
  }

  /// The value kept for a flag in a revision, for snapshots.
  func kept<F: FeatureFlag>(_ flag: F, revision: UInt64) -> F.Value? {
    kept.value(at: flag.key.index, revision: revision, as: F.Value.self)
  }
}

extension LiveFlags {
  /// The current state.
  var current: FlagState { state.withLock { $0 } }

  func report(_ errors: [FlagError]) {
    guard let reporter else { return }
    for error in errors { reporter.report(error) }
  }

  /// Makes the next state. `change` runs nothing but this package's own code.
  private func publish(_ change: (inout FlagState.Content) -> Void) {
    let next = current.changed(change)
    let last = state.withLock { state in
      defer { state = next }
      return state
    }
    revision.store(next.revision, ordering: .sequentiallyConsistent)
    _ = consume last  // let go of outside the lock
  }
}

extension LiveFlags: UserAuthenticator {
  func setUser(_ user: User?) {
    let isFirst = changing.withLock { changing in
      guard current.content.context.user != user else { return false }
      publish { $0.context.user = user }
      changing.users.append(user)
      defer { changing.isTelling = true }
      return !changing.isTelling
    }
    if isFirst { tellProviders() }
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
      (provider as? any ChangingFlagProvider)?.subscribe { [weak self] keys in
        self?.providerChanged(index, keys)
      }
    }
    self.subscriptions.withLock { $0 = subscriptions }
    // What changed before the subscription began.
    for index in providers.indices where providers[index] is any ChangingFlagProvider { providerChanged(index, .all) }
  }

  /// Publishes what a provider now knows.
  ///
  /// The ticket is drawn before the snapshot is taken: a snapshot with a later ticket has all that one with an earlier
  /// ticket has, so of two that race the later ticket wins, whichever comes first to the lock.
  private func providerChanged(_ index: Int, _ keys: ChangedKeys) {
    let ticket = tickets.add(1, ordering: .sequentiallyConsistent).newValue
    let snapshot = providers[index].snapshot()
    changing.withLock { changing in
      let isNewest = ticket > changing.published[index, default: 0]
      if isNewest { changing.published[index] = ticket }
      publish { if isNewest { $0.sources[index].snapshot = snapshot } }
    }
  }
}
