import FlagDomain

/// The parts of a resolution besides the value.
///
/// It does not hold the value, and so is not generic: unspecialized code spends more time on looking up the metadata of
/// generic types than on the rest of a resolution.
struct Decision {
  var variant: String?
  var reason = ResolutionReason.default
  var provider: String?
  var errors: [FlagError] = []
  /// The errors that were not reported before.
  var newErrors: [FlagError] = []
  var metadata: [String: FlagValue] = [:]
  /// Whether an override gave the value; a provider may give the same reason.
  var isOverridden = false
  /// Whether the value is valid for as long as the state.
  var isLasting = true
  /// Whether the flag's declaration or definition says that it is an experiment.
  var isExperiment = false
  /// Whether the value will be cached, and so must not share storage with anything else.
  let isCached: Bool
  /// Whether errors are reported afterwards.
  let isReported: Bool

  init(isCached: Bool = false, isReported: Bool = true) {
    self.isCached = isCached
    self.isReported = isReported
  }
}

extension FlagResolution {
  init(_ value: Value, _ decision: Decision) {
    self.init(
      value, variant: decision.variant, reason: decision.reason, provider: decision.provider, errors: decision.errors,
      metadata: decision.metadata)
  }
}

extension Decision {
  /// Returns a value that can be cached, if it is to be.
  func own(_ raw: FlagValue) -> FlagValue { isCached ? raw.copied : raw }
  func own<Value>(_ value: Value) -> Value { isCached ? ownCopy(of: value) : value }

  mutating func decide(_ reason: ResolutionReason, _ provider: String?) {
    self.reason = reason
    self.provider = provider
  }

  @inline(__always)
  mutating func decide(_ answer: consuming FlagAnswer, _ provider: String) {
    if answer.isExperiment { isExperiment = true }
    if answer.isTransient { isLasting = false }
    decide(answer.reason, provider)
    variant = answer.variant
    metadata = answer.metadata
  }

  mutating func fail(_ error: FlagError, _ key: FlagKey, _ provider: String?, _ log: ReportLog) {
    let error = error.located(at: key, in: provider)
    errors.append(error)
    if isReported, log.add(error) { newErrors.append(error) }
    if error.isTransient { isLasting = false }
  }

  /// Records the failure of a provider.
  ///
  /// The current user's answers may not have arrived yet: then the mismatch is over in a moment, and is not reported.
  mutating func fail(_ error: FlagError, _ key: FlagKey, _ source: FlagState.Source, isCurrentUser: Bool) {
    guard error.isOfWholeProvider else { return fail(error, key, source.name, source.log) }
    errors.append(error.located(at: key, in: source.name))
    if error.isTransient { isLasting = false }
    guard isReported, error.code != .userMismatch || !isCurrentUser else { return }
    if let cause = source.outage.record(error, ticket: source.ticket) { newErrors.append(cause) }
  }
}

extension FlagError {
  func located(at key: FlagKey, in provider: String?) -> FlagError {
    var error = self
    error.key = error.key ?? key
    error.provider = error.provider ?? provider
    return error
  }
}
