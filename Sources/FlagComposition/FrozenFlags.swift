import FlagDomain
import Synchronization

/// A snapshot of all flags: in one state, for one user.
///
/// Reading takes the state once, at the beginning, and no lock afterwards, but for flags that are asked again at each
/// read elsewhere: closures of their own, and rules that look at the time.
final class FrozenFlags: Sendable {
  private let state: FlagState
  private let context: EvaluationContext
  /// Whether the user is the state's own, whose values are kept.
  private let hasKeptValues: Bool
  /// The resolutions given of flags that would be asked again; made for the first of them.
  private let given = AtomicLazyReference<GivenResolutions>()

  /// Creates a snapshot for the current user.
  init(_ state: FlagState) {
    self.state = state
    context = state.content.context
    hasKeptValues = true
  }

  /// Creates a snapshot for a given user.
  init(_ state: FlagState, for user: FlagUser?) {
    self.state = state
    context = state.context(of: user)
    hasKeptValues = false
  }

  /// What distinguishes flags with the same key.
  private struct Declaration: Hashable {
    let key: FlagKey
    let slot: Int
    let type: ObjectIdentifier

    init<F: FeatureFlag>(_ flag: F) {
      key = flag.key
      slot = key.slot
      type = ObjectIdentifier(F.self)
    }
  }

  private final class GivenResolutions: Sendable {
    let byDeclaration = Locked<[Declaration: any Sendable]>([:])
  }
}

extension FrozenFlags: FeatureFlagManager, FlagInspecting {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    guard hasKeptValues else { return resolve(flag) }
    return state.keptValue(of: flag) { resolve(flag) }
  }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    if flag.computed != nil, let resolution = given(for: flag) { return resolution }
    var decision = Decision()
    let value = state.value(of: flag, in: context, &decision)
    state.report(decision.news)
    return decision.isLasting ? FlagResolution(value, decision) : give(FlagResolution(value, decision), for: flag)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] { state.answers(for: flag, in: context) }

  func defaultValue<F: FeatureFlag>(of flag: F) -> F.Value { state.defaultValue(of: flag) }

  /// Returns a value without making the resolution around it, unless that has to be remembered.
  private func resolve<F: FeatureFlag>(_ flag: F) -> F.Value {
    if flag.computed != nil { return resolution(of: flag).value }
    var decision = Decision(isForKeeping: hasKeptValues)
    let value = state.value(of: flag, in: context, &decision)
    state.report(decision.news)
    guard decision.isLasting else { return give(FlagResolution(value, decision), for: flag).value }
    if hasKeptValues { state.keep(value, of: flag) }
    return value
  }
}

extension FrozenFlags {
  private func given<F: FeatureFlag>(for flag: F) -> FlagResolution<F.Value>? {
    given.load()?.byDeclaration.withLock { $0[Declaration(flag)] } as? FlagResolution<F.Value>
  }

  /// Remembers a resolution, and returns the one that was remembered first.
  @inline(never)
  private func give<F: FeatureFlag>(_ new: FlagResolution<F.Value>, for flag: F) -> FlagResolution<F.Value> {
    let declaration = Declaration(flag)
    let first = (given.load() ?? given.storeIfNil(GivenResolutions())).byDeclaration.withLock { given in
      if given[declaration] == nil { given[declaration] = new }
      return given[declaration]
    }
    return first as? FlagResolution<F.Value> ?? new
  }
}

extension CurrentFlags: FlagSnapshotting {
  func snapshot() -> any FlagSnapshot { FrozenFlags(state) }

  func snapshot(for user: FlagUser?) -> any FlagSnapshot { FrozenFlags(state, for: user) }
}

extension CurrentFlags: FlagInspecting {
  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    let state = state
    return state.resolution(of: flag, in: state.content.context)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    let state = state
    return state.answers(for: flag, in: state.content.context)
  }
}
