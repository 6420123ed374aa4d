import FlagDomain
import Synchronization

/// A snapshot of all flags: in one state, for one user.
///
/// Reading takes the state once, at the beginning, and no lock afterwards, but for flags that are asked again at each
/// read elsewhere: closures of their own, and rules that look at the time.
final class SnapshotManager: Sendable {
  private let state: FlagState
  private let context: EvaluationContext
  /// Whether the user is the state's own, whose values are kept.
  private let hasKeptValues: Bool
  /// What was given of flags that would be asked again; made for the first of them.
  private let given = AtomicLazyReference<GivenValues>()
  /// What was read of experiments; made for the first of them.
  private let exposed = AtomicLazyReference<ExposureLog>()

  /// Creates a snapshot for the current user.
  init(_ state: FlagState) {
    self.state = state
    context = state.content.context
    hasKeptValues = true
  }

  init(_ state: FlagState, for user: FlagUser?) {
    self.state = state
    context = state.context(of: user)
    hasKeptValues = false
  }

  /// What was decided for a flag, with the value.
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
    guard hasKeptValues else { return read(flag) }
    return state.keptValue(of: flag) { read(flag) }
  }

  func peek<Value>(at flag: some FeatureFlag<Value>) -> Value {
    var decision = Decision()
    guard hasKeptValues else { return resolve(flag, &decision) }
    return state.keptValue(of: flag) { resolve(flag, &decision) }
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
    var decision = Decision(isForKeeping: hasKeptValues)
    let value = resolve(flag, &decision)
    // First, since a read of a kept value reports nothing.
    if state.isFollowed(decision) { tell(value, of: flag, decision) }
    if hasKeptValues, decision.isLasting { state.keep(value, of: flag) }
    return value
  }

  @inline(never)
  private func tell<Value>(_ value: Value, of flag: some FeatureFlag<Value>, _ decision: Decision) {
    // Here, too, since the listeners' references are counted by all threads.
    if !state.followsResolutions, let log = exposed.load(), log.contains(flag) { return }
    state.listeners.tell(value, of: flag, in: context, decision) { tracker in
      exposed.load() ?? exposed.storeIfNil(ExposureLog(tracker, isGathering: !hasKeptValues))
    }
  }

  /// Returns a value without making the resolution around it, unless that has to be remembered.
  private func resolve<Value>(_ flag: some FeatureFlag<Value>, _ decision: inout Decision) -> Value {
    if flag.computed != nil { return givenValue(of: flag, &decision) }
    let value = state.value(of: flag, in: context, &decision)
    state.report(decision.news)
    return decision.isLasting ? value : give(value, for: flag, &decision)
  }
}

extension SnapshotManager {
  /// Returns what was given before of a flag that would be asked again, or else gives it.
  @inline(never)
  private func givenValue<Value>(of flag: some FeatureFlag<Value>, _ decision: inout Decision) -> Value {
    let given = given.load()?.byDeclaration.withLock { $0[Declaration(flag)] } as? Given<Value>
    if let given {
      decision = given.decision
      return given.value
    }
    let value = state.value(of: flag, in: context, &decision)
    state.report(decision.news)
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

extension LiveManager: FlagSnapshotting {
  func snapshot() -> any FlagSnapshot { SnapshotManager(state) }

  func snapshot(for user: FlagUser?) -> any FlagSnapshot { SnapshotManager(state, for: user) }
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
