import FlagDomain
import Synchronization

/// The flags of a running program: the current state, and the subscribers to the next.
///
/// Only this type creates states. The ports that change something are separate types, which call `change(_:)`.
///
/// Locks, outermost first. None is held while a reader, a provider, a subscriber or a reporter runs.
/// - `changing` serializes changes; only writers take it.
/// - `current` has one that is held only while a reference is exchanged.
final class LiveManager: Sendable {
  let feeds = ChangeFeeds()
  let observed = ObservedLeaves()
  /// The changes of the context that the providers do not have yet.
  let waitingContexts = Locked(WaitingContexts())
  /// The anonymous id that could not be read yet; nil once there is one, or the app has set or removed it.
  let unreadVisitor = Locked<UnreadVisitor?>(nil)
  private let cached = CachedValues()
  private let current: CurrentState
  private let changing = Locked(())
  private let tickets = Atomic<UInt64>(0)
  private let lastNumber = Atomic(0)
  private let subscriptions = Locked<[FlagSubscription]>([])
  /// The attributes that experiments of a state count by, for the last state that was asked about.
  private let units = Locked<(revision: UInt64, attributes: Set<String>)>((0, []))
  /// The subscriptions to the override store and the exposure tracker.
  private let held = Locked<[FlagSubscription]>([])

  init(_ content: FlagState.Content, providers: [any FlagProvider], listeners: Listeners) {
    current = CurrentState(
      FlagState(revision: 1, content: content, cached: cached, running: RestartPins(), listeners: listeners))
    follow(providers)
    if let exposures = listeners.exposures { hold(exposures.subscribe { [weak self] in self?.exposeAgain() }) }
  }
}

// MARK: Reading

extension LiveManager: FeatureFlagManager {
  /// Returns the value; inlined into its protocol witness, which would otherwise call it at each read.
  @inline(__always)
  func variation<Value, F: FeatureFlag<Value>>(for flag: F) -> Value {
    let slot = flag.key.slot
    return cached.value(at: slot, of: F.self, revision: current.revision) { state.resolve(flag) }
  }

  func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value { state.defaultValue(of: flag) }

  var state: FlagState { current.own }

  /// The current state for writers, whose threads need no copy: their change makes it old.
  var sharedState: FlagState { current.shared }

  /// The providers, in the order in which they are queried.
  var providers: [any FlagProvider] { sharedState.content.sources.map(\.provider) }

  func peek<Value>(at flag: some FeatureFlag<Value>) -> Value {
    let state = state
    return state.cachedValue(of: flag) { state.peek(at: flag) }
  }

  func report(_ errors: [FlagError]) { state.report(errors) }

  /// Pins what providers have now for flags that need a restart.
  func pinForRestart() {
    let state = state
    state.running.pin(state.content.sources)
  }
}

// MARK: Other ports

extension LiveManager: FlagSnapshotting {
  func snapshot() -> any FlagSnapshot { SnapshotManager(state) }

  func snapshot(for user: FlagUser?) -> any FlagSnapshot { SnapshotManager(state, for: user) }

  var context: EvaluationContext { state.content.context }
}

extension LiveManager: FlagInspecting {
  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    let state = state
    return state.resolution(of: flag, in: state.content.context)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    let state = state
    return state.answers(for: flag, in: state.content.context)
  }
}

extension LiveManager: FlagObserving {
  func changes() -> FlagChanges { feeds.changes() }

  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable {
    // A flag that follows from others changes with flags that are not known.
    let changes = feeds.changes(of: flag.metadata.isDerived ? nil : flag.key)
    return FlagValues(of: flag, changes: changes) { [weak self] in self?.variation(for: flag) }
  }
}

// MARK: Changing

extension LiveManager {
  /// Publishes the next state and notifies all subscribers, unless nothing changed.
  ///
  /// - Parameter edit: Changes the content, and returns the change, or nil. It is called with a lock held, so it
  ///   must not call code outside this package.
  func change(_ edit: (inout FlagState.Content) -> FlagChange?) {
    if let change = publish(edit) { observed.notify(change.keys) }
  }

  /// Publishes the next state and notifies all subscribers but Observation, whose observers run app code synchronously.
  ///
  /// The caller passes the returned change to `observed` when it holds no lock.
  func publish(_ edit: (inout FlagState.Content) -> FlagChange?) -> FlagChange? {
    let (change, last) = changing.withLock { _ -> (FlagChange?, FlagState) in
      let last = current.shared
      var content = last.content
      guard var change = edit(&content) else { return (nil, last) }
      change.keys = last.content.requirements.dependents(of: change.keys)
      // Of both, since the flags that a removed one turned off change as well.
      if content.requirements !== last.content.requirements {
        change.keys = content.requirements.dependents(of: change.keys)
      }
      current.replace(by: last.changed(to: content))
      feeds.send(change)
      return (change, last)
    }
    _ = consume last  // released outside the lock, since that may release a provider's snapshot
    if change != nil { current.forget() }
    return change
  }

  // MARK: Exposures

  /// Makes the next read of each experiment an exposure again.
  ///
  /// The next state has the same content, so no value changes; cached values belong to the last state.
  private func exposeAgain() {
    let last = changing.withLock { _ in
      let last = current.shared
      current.replace(by: last.changed(to: last.content))
      return last
    }
    _ = consume last  // released outside the lock, since that may release a provider's snapshot
    current.forget()
  }

  // MARK: Conversions

  /// Returns the names of the attributes that experiments of a state's providers count by.
  func unitAttributes(in state: FlagState) -> Set<String> {
    let known = units.withLock { $0 }
    if known.revision == state.revision { return known.attributes }
    let attributes = state.content.sources.reduce(into: Set()) { $0.formUnion($1.snapshot.unitAttributes) }
    units.withLock { $0 = (state.revision, attributes) }
    return attributes
  }

  // MARK: Following providers

  /// Replaces the providers that are followed.
  func follow(_ providers: [any FlagProvider]) {
    let sources = providers.map { provider in
      FlagState.Source(provider, number: lastNumber.add(1, ordering: .relaxed).newValue, ticket: nextTicket())
    }
    // A change that is reported before the sources are in use is not lost: see below.
    let subscriptions = sources.map { source in
      source.provider.subscribe { [weak self, number = source.number] keys in
        self?.providerChanged(number, keys)
      }
    }
    change { content in
      content.sources = sources
      return FlagChange(keys: .all, causes: [.providers])
    }
    let last = self.subscriptions.withLock { last in
      defer { last = subscriptions }
      return last
    }
    _ = consume last  // released outside the lock: ending them runs the providers' code
    // Changes after the first snapshots were taken, and before the sources came into use.
    for source in sources { providerChanged(source.number, .all) }
  }

  /// Retains a subscription until the flags are released.
  func hold(_ subscription: FlagSubscription) { held.withLock { $0.append(subscription) } }

  private func nextTicket() -> UInt64 { tickets.add(1, ordering: .sequentiallyConsistent).newValue }

  /// Publishes the new snapshot of a provider, if it is still one of the providers.
  ///
  /// The ticket is drawn before the snapshot is taken, so a snapshot with a later ticket is at least as new as one with
  /// an earlier ticket. Of two that race, the later ticket wins, whichever takes the lock first.
  private func providerChanged(_ number: Int, _ keys: ChangedKeys) {
    let ticket = nextTicket()
    guard let last = sharedState.content.sources.first(where: { $0.number == number }) else { return }
    let source = FlagState.Source(last, ticket: ticket)
    change { content in
      guard let index = content.sources.firstIndex(where: { $0.number == number }) else { return nil }
      if ticket > content.sources[index].ticket { content.sources[index] = source }
      return FlagChange(keys: content.keys.flagKeys(for: keys), causes: [.provider(source.name)])
    }
    reportFindings(of: source)
    reportStatus(of: source)
  }

  /// Takes the newest snapshots of the providers, whose notices of them may be under way.
  ///
  /// A provider has its answers a moment before it notifies anyone of them. The notices still publish the keys.
  func catchUp() {
    for source in sharedState.content.sources {
      let newest = FlagState.Source(source, ticket: nextTicket())
      let last = changing.withLock { _ -> FlagState? in
        let last = current.shared
        var content = last.content
        guard let index = content.sources.firstIndex(where: { $0.number == newest.number }),
          newest.ticket > content.sources[index].ticket
        else { return nil }
        content.sources[index] = newest
        current.replace(by: last.changed(to: content))
        return last
      }
      _ = consume last  // released outside the lock, since that may release a provider's snapshot
      current.forget()
    }
  }

  /// Reports a new cause of a provider's outage, or its end.
  private func reportStatus(of source: FlagState.Source) {
    report(source.outage.record(source.provider.providerStatus, ticket: source.ticket))
  }

  private func reportFindings(of source: FlagState.Source) {
    let findings = source.snapshot.findings.map { finding in
      var finding = finding
      finding.provider = finding.provider ?? source.name
      return finding
    }
    report(source.outage.record(findings: findings, ticket: source.ticket))
  }
}
