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
    guard let exposures, decision.isExperiment, !decision.isOverridden, let unit = decision.unit(in: context) else {
      return
    }
    let log = log(exposures)
    if let log, log.contains(flag) { return }
    let exposure = Exposure(
      flag: flag.key, unit: unit, resolution: FlagResolution(FlagValue(describing: value), decision),
      context: context, time: exposures.now)
    if let log { log.add(exposure, of: flag) } else { exposures.track([exposure]) }
  }
}

extension Decision {
  /// Returns the unit of an exposure: the targeting key, or the value of the attribute that the metadata's member
  /// `unitAttribute` names; nil if the context has none.
  fileprivate func unit(in context: EvaluationContext) -> String? {
    guard !metadata.isEmpty, case .string(let name)? = metadata.member("unitAttribute") else {
      return context.targetingKey
    }
    switch context[name] {
    case .string(let unit)?: return unit.isEmpty ? nil : unit
    case .int(let number)?: return String(number)
    case nil, .null?, .bool?, .double?, .array?, .object?: return nil
    }
  }
}
