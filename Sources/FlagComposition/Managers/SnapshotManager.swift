import FlagDomain
import Synchronization

/// A snapshot of all flags: in one state, for one user.
///
/// The state is read once, at the beginning. Reads then take no lock, except for flags that other managers evaluate at
/// each read: those with a closure, or with rules that depend on time.
final class SnapshotManager: Sendable {
  private let state: FlagState
  private let context: EvaluationContext
  /// Whether the user is the state's current user, whose values are cached.
  private let hasCachedValues: Bool
  /// The values of flags that are evaluated only once in a snapshot; created for the first of them.
  private let given = AtomicLazyReference<GivenValues>()
  /// The exposures to experiments; created for the first of them.
  private let exposed = AtomicLazyReference<ExposureLog>()

  /// Creates a snapshot for the current user.
  init(_ state: FlagState) {
    self.state = state
    context = state.content.context
    hasCachedValues = true
  }

  init(_ state: FlagState, for user: FlagUser?) {
    self.state = state
    context = state.context(of: user)
    hasCachedValues = false
  }

  /// The value of a flag, with the decision for it.
  private struct Given<Value: Sendable>: Sendable {
    let value: Value
    let decision: Decision
  }

  private final class GivenValues: Sendable {
    let byDeclaration = Locked<[Declaration: any Sendable]>([:])
  }
}

extension SnapshotManager: FeatureFlagManager, FlagInspecting {
  func variation<Value>(for flag: some FeatureFlag<Value>) -> Value {
    guard hasCachedValues else { return read(flag) }
    return state.cachedValue(of: flag) { read(flag) }
  }

  func peek<Value>(at flag: some FeatureFlag<Value>) -> Value {
    var decision = Decision()
    guard hasCachedValues else { return resolve(flag, &decision) }
    return state.cachedValue(of: flag) { resolve(flag, &decision) }
  }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    var decision = Decision()
    let value = resolve(flag, &decision)
    return FlagResolution(value, decision)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    state.answers(for: flag, in: context)
  }

  func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value { state.defaultValue(of: flag) }

  private func read<Value>(_ flag: some FeatureFlag<Value>) -> Value {
    var decision = Decision(isCached: hasCachedValues)
    let value = resolve(flag, &decision)
    // First, since a read of a cached value reports nothing.
    let isNoticed = !state.isFollowed(decision) || notify(value, of: flag, decision)
    if hasCachedValues {
      if decision.isLasting, isNoticed { state.store(value, of: flag) }
      state.checkListing(of: flag)
    }
    return value
  }

  @inline(never)
  private func notify<Value>(_ value: Value, of flag: some FeatureFlag<Value>, _ decision: Decision) -> Bool {
    // Checked here, too, since all threads contend for the listeners' reference counts.
    if !state.followsResolutions, let log = exposed.load(), log.contains(flag) { return true }
    return state.listeners.notify(value, of: flag, in: context, decision) { tracker in
      exposed.load() ?? exposed.storeIfNil(ExposureLog(tracker, state.listeners, isGathering: !hasCachedValues))
    }
  }

  /// Returns a value without creating its resolution, unless the value must be remembered.
  private func resolve<Value>(_ flag: some FeatureFlag<Value>, _ decision: inout Decision) -> Value {
    if flag.computed != nil { return givenValue(of: flag, &decision) }
    let value = state.value(of: flag, in: context, &decision)
    state.report(decision.newErrors)
    return decision.isLasting ? value : give(value, for: flag, &decision)
  }
}

extension SnapshotManager {
  /// Returns the remembered value of a flag that would be evaluated again, or else evaluates it.
  @inline(never)
  private func givenValue<Value>(of flag: some FeatureFlag<Value>, _ decision: inout Decision) -> Value {
    let given = given.load()?.byDeclaration.withLock { $0[Declaration(flag)] } as? Given<Value>
    if let given {
      decision = given.decision
      return given.value
    }
    let value = state.value(of: flag, in: context, &decision)
    state.report(decision.newErrors)
    return decision.isLasting ? value : give(value, for: flag, &decision)
  }

  /// Remembers a value, and returns the one that was remembered first.
  @inline(never)
  private func give<Value>(_ value: Value, for flag: some FeatureFlag<Value>, _ decision: inout Decision) -> Value {
    let (declaration, new) = (Declaration(flag), Given(value: value, decision: decision))
    let first = (given.load() ?? given.storeIfNil(GivenValues())).byDeclaration.withLock { given in
      if given[declaration] == nil { given[declaration] = new }
      return given[declaration]
    }
    guard let first = first as? Given<Value> else { return value }
    decision = first.decision
    return first.value
  }
}
