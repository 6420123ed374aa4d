import FlagDomain

/// Everything that decides values at one moment.
///
/// It never changes; a change makes the next state.
final class FlagState: Sendable {
  /// The number of the state; each change adds one.
  let revision: UInt64
  let content: Content
  private let kept: KeptValues
  /// The flags that keep their value until the next start; shared by all states.
  let running: RestartPins
  let listeners: Listeners
  /// Whether someone wants to know of each resolution; beside the listeners, whose references all threads count.
  let followsResolutions: Bool
  private let followsExposures: Bool

  struct Content: Sendable {
    var context: EvaluationContext
    var sources: [Source]
    /// The overrides for this run, which are asked first.
    var launch: [Source] = []
    var overrides = Overrides()
    var defaults: [FlagKey: any Sendable] = [:]
    var keys = ProviderKeys()
  }

  init(
    revision: UInt64, content: Content, kept: KeptValues, running: RestartPins, listeners: Listeners
  ) {
    self.revision = revision
    self.content = content
    self.kept = kept
    self.running = running
    self.listeners = listeners
    followsResolutions = listeners.onResolution != nil
    followsExposures = listeners.exposures != nil
  }
}

extension FlagState {
  /// Returns the value kept of a flag, or what `missing` returns.
  @inline(__always)
  func keptValue<Value, F: FeatureFlag<Value>>(of flag: F, else missing: () -> Value) -> Value {
    kept.value(at: flag.key.slot, of: F.self, revision: revision, else: missing)
  }

  /// Keeps a value that the flag has as long as this is the state, unless its declaration has no slot.
  func keep<Value, F: FeatureFlag<Value>>(_ value: Value, of flag: F) {
    let slot = flag.key.slot
    if slot != FlagKey.noSlot { kept.keep(value, at: slot, of: F.self, revision: revision) }
  }

  func changed(to content: Content) -> FlagState { with(content, revision: revision + 1) }

  /// The same state, in storage that one thread refers to; the providers' snapshots are shared, and so is what is rare.
  var copied: FlagState {
    var content = content
    content.context = content.context.copied
    content.sources = content.sources.map(\.copied)
    content.launch = content.launch.map(\.copied)
    return with(content, revision: revision)
  }

  /// Returns the state in which a flag is resolved: where it needs a restart, what it was first resolved in.
  func running(_ flag: some FeatureFlag) -> FlagState {
    flag.traits.contains(.requiresRestart) ? with(running.content(for: flag, now: content), revision: revision) : self
  }

  /// Returns the state in which a flag is resolved, without counting as a read of the flag.
  func asRunning(_ flag: some FeatureFlag) -> FlagState {
    guard flag.traits.contains(.requiresRestart), let content = running.content(ofKey: flag.key) else { return self }
    return with(content, revision: revision)
  }

  private func with(_ content: Content, revision: UInt64) -> FlagState {
    FlagState(revision: revision, content: content, kept: kept, running: running, listeners: listeners)
  }

  /// Returns whether someone wants to know of a read.
  @inline(__always)
  func isFollowed(_ decision: Decision) -> Bool { followsResolutions || decision.isExperiment && followsExposures }

  func report(_ errors: [FlagError]) {
    guard !errors.isEmpty, let reporter = listeners.reporter else { return }
    for error in errors { reporter.report(error) }
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
  /// What was stored when the program started.
  var atStart: [FlagKey: FlagValue] = [:]
  var log = ReportLog()

  var isEmpty: Bool { stored.isEmpty && atStart.isEmpty }

  /// Returns the override that is in effect for a flag.
  func value(for key: FlagKey, _ traits: FlagTraits) -> FlagValue? {
    !traits.isDisjoint(with: .restart) ? atStart[key] : stored[key]
  }

  /// Sets what is stored, and removes what is nil.
  mutating func store(_ values: [FlagKey: FlagValue?]) {
    for (key, value) in values { stored[key] = value }
    log = ReportLog()
  }
}
