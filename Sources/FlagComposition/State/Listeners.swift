import FlagDomain
import FlagThreads
import Synchronization

/// The receivers of resolutions, exposures and errors.
///
/// A listener may read flags. Its reads are no exposures, and are passed to no listener, which would otherwise call
/// itself; their values are not cached, so that the next read is noticed. Their errors are reported after the call.
final class Listeners: Sendable {
  private let reporter: (any FlagErrorReporter)?
  let exposures: (any ExposureTracker)?
  let onResolution: (@Sendable (FlagKey, FlagResolution<FlagValue>) -> Void)?
  /// The flags of the catalogs; nil if others are not reported.
  let listed: ListedFlags?
  /// The errors that are reported after the running calls, and their number.
  private let waiting = Locked<[FlagError]>([])
  private let waitingCount = Atomic(0)

  init(
    reporter: (any FlagErrorReporter)? = nil, listed: ListedFlags? = nil, exposures: (any ExposureTracker)? = nil,
    onResolution: (@Sendable (FlagKey, FlagResolution<FlagValue>) -> Void)? = nil
  ) {
    self.reporter = reporter
    self.listed = listed
    self.exposures = exposures
    self.onResolution = onResolution
  }

  /// Whether the calling thread is in a call of a listener.
  private static var isCalling: Bool { flag_thread_listener_get() != 0 }

  /// The value of the thread's word during calls of these listeners.
  private var word: Int { Int(bitPattern: ObjectIdentifier(self)) }

  /// Calls a listener, and then reports the errors of the reads that it made.
  func call(_ listener: () -> Void) {
    guard !Self.isCalling else { return listener() }
    flag_thread_listener_set(word)
    defer { flag_thread_listener_set(0) }
    listener()
    while waitingCount.load(ordering: .relaxed) > 0, let errors = takeWaiting() {
      for error in errors { reporter?.report(error) }
    }
  }

  private func takeWaiting() -> [FlagError]? {
    waiting.withLock { waiting in
      defer { waiting = [] }
      waitingCount.store(0, ordering: .relaxed)
      return waiting.isEmpty ? nil : waiting
    }
  }

  func report(_ errors: [FlagError]) {
    guard let reporter, !errors.isEmpty else { return }
    guard flag_thread_listener_get() != word else {
      return waiting.withLock { waiting in
        waiting += errors
        waitingCount.store(waiting.count, ordering: .relaxed)
      }
    }
    call { for error in errors { reporter.report(error) } }
  }

  /// Reports a value that was resolved for a read, before it is cached: reads of cached values report nothing.
  ///
  /// - Returns: Whether the read counts, and its value may be cached; false for a listener's own.
  @inline(never)
  func notify<Value>(
    _ value: Value, of flag: some FeatureFlag<Value>, in context: EvaluationContext, _ decision: Decision,
    in log: (any ExposureTracker) -> ExposureLog? = { _ in nil }
  ) -> Bool {
    guard !Self.isCalling else { return false }
    call { expose(value, of: flag, in: context, decision, in: log) }
    return true
  }

  private func expose<Value>(
    _ value: Value, of flag: some FeatureFlag<Value>, in context: EvaluationContext, _ decision: Decision,
    in log: (any ExposureTracker) -> ExposureLog?
  ) {
    if let onResolution {
      onResolution(flag.key, FlagResolution(FlagValue(describing: value), decision))
    }
    guard let exposures, decision.isExperiment, !decision.isOverridden, let attribute = decision.unitAttribute,
      let unit = context.unit(named: attribute)
    else { return }
    let log = log(exposures)
    if let log, log.contains(flag) { return }
    let exposure = Exposure(
      flag: flag.key, unit: unit, unitAttribute: attribute,
      resolution: FlagResolution(FlagValue(describing: value), decision), context: context, time: exposures.now)
    if let log { log.add(exposure, of: flag) } else { exposures.track([exposure]) }
  }
}

extension Decision {
  /// The name of the attribute whose values the experiment counts; nil if the metadata name one that is no text.
  fileprivate var unitAttribute: String? {
    guard !metadata.isEmpty, let attribute = metadata.member(FlagAnswer.unitAttributeName) else {
      return EvaluationContext.targetingKeyName
    }
    if case .string(let name) = attribute { return name } else { return nil }
  }
}
