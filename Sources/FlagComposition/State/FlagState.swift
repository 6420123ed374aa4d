import FlagDomain

/// The complete state that determines values at one moment.
///
/// It never changes; a change creates the next state.
final class FlagState: Sendable {
  /// The number of the state; each change adds one.
  let revision: UInt64
  let content: Content
  private let cached: CachedValues
  /// The flags that keep their value until the next start; shared by all states.
  let running: RestartPins
  let listeners: Listeners
  /// Whether resolutions are reported; stored beside the listeners, since all threads contend for their reference
  /// counts.
  let followsResolutions: Bool
  private let followsExposures: Bool
  private let checksListing: Bool

  struct Content: Sendable {
    var context: EvaluationContext
    var sources: [Source]
    /// The overrides for this run, which are queried first.
    var launch: [Source] = []
    var overrides = Overrides()
    var defaults: [FlagKey: any Sendable] = [:]
    var keys = ProviderKeys()
    var overriding = OverridingPolicy.always
    var requirements = Requirements()
  }

  init(
    revision: UInt64, content: consuming Content, cached: CachedValues, running: RestartPins, listeners: Listeners
  ) {
    self.revision = revision
    self.content = content
    self.cached = cached
    self.running = running
    self.listeners = listeners
    followsResolutions = listeners.onResolution != nil
    followsExposures = listeners.exposures != nil
    checksListing = listeners.listed != nil
  }

  /// Returns the cached value of a flag, or the result of `missing`.
  @inline(__always)
  func cachedValue<Value, F: FeatureFlag<Value>>(of flag: F, else missing: () -> Value) -> Value {
    cached.value(at: flag.key.slot, of: F.self, revision: revision, else: missing)
  }

  /// Caches the value that a flag has in this state, unless its declaration has no slot.
  func store<Value, F: FeatureFlag<Value>>(_ value: Value, of flag: F) {
    let slot = flag.key.slot
    if slot != FlagKey.noSlot { cached.store(value, at: slot, of: F.self, revision: revision) }
  }

  func changed(to content: consuming Content) -> FlagState { with(content, revision: revision + 1) }

  /// The same state, in storage that one thread refers to; the providers' snapshots and rarely used parts are shared.
  var copied: FlagState {
    var content = content
    content.context = content.context.copied
    content.sources = content.sources.map(\.copied)
    content.launch = content.launch.map(\.copied)
    return with(content, revision: revision)
  }

  /// Returns the state to resolve a flag in: with the snapshots of the start if the flag requires a restart.
  func running(_ flag: some FeatureFlag) -> FlagState {
    flag.traits.contains(.requiresRestart) ? with(running.sources(for: flag, now: content.sources)) : self
  }

  /// Returns the state to resolve a flag in, without counting as a read of the flag.
  func asRunning(_ flag: some FeatureFlag) -> FlagState {
    guard flag.traits.contains(.requiresRestart), let sources = running.sources else { return self }
    return with(sources)
  }

  private func with(_ sources: [Source]) -> FlagState {
    var content = content
    content.sources = sources
    return with(content, revision: revision)
  }

  private func with(_ content: consuming Content, revision: UInt64) -> FlagState {
    FlagState(revision: revision, content: content, cached: cached, running: running, listeners: listeners)
  }

  /// Returns whether a read must be reported.
  @inline(__always)
  func isFollowed(_ decision: Decision) -> Bool { followsResolutions || decision.isExperiment && followsExposures }

  /// Reports a flag of no catalog when it is first read.
  func checkListing(of flag: some FeatureFlag) {
    if checksListing, let error = listeners.listed?.error(for: flag.key) { report([error]) }
  }

  func report(_ errors: [FlagError]) {
    if !errors.isEmpty { listeners.report(errors) }
  }

  func context(of user: FlagUser?) -> EvaluationContext {
    var context = content.context
    context.user = user
    return context
  }
}

/// The overrides that are in effect, and those that take effect at the next start.
struct Overrides: Sendable {
  var stored: [FlagKey: FlagValue] = [:]
  /// The overrides that were stored when the program started.
  var atStart: [FlagKey: FlagValue] = [:]
  var log = ReportLog()

  var isEmpty: Bool { stored.isEmpty && atStart.isEmpty }

  /// Returns the override that is in effect for a flag.
  func value(for key: FlagKey, _ traits: FlagTraits) -> FlagValue? {
    !traits.isDisjoint(with: .restart) ? atStart[key] : stored[key]
  }

  /// Stores overrides, and removes those whose value is nil.
  mutating func store(_ values: [FlagKey: FlagValue?]) {
    for (key, value) in values { stored[key] = value }
    log = log.next
  }
}
