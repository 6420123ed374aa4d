import FlagDomain

/// The receivers of resolutions, exposures and errors.
final class Listeners: Sendable {
  let reporter: (any FlagErrorReporter)?
  let exposures: (any ExposureTracker)?
  let onResolution: (@Sendable (FlagKey, FlagResolution<FlagValue>) -> Void)?

  init(
    reporter: (any FlagErrorReporter)? = nil, exposures: (any ExposureTracker)? = nil,
    onResolution: (@Sendable (FlagKey, FlagResolution<FlagValue>) -> Void)? = nil
  ) {
    self.reporter = reporter
    self.exposures = exposures
    self.onResolution = onResolution
  }
}

extension Listeners {
  /// Reports a value that was resolved for a read, before it is cached: reads of cached values report nothing.
  @inline(never)
  func notify<Value>(
    _ value: Value, of flag: some FeatureFlag<Value>, in context: EvaluationContext, _ decision: Decision,
    in log: (any ExposureTracker) -> ExposureLog? = { _ in nil }
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
