package import FlagStatistics

/// What an experiment is analyzed by; all of it is to be decided before the first look.
package struct AnalysisSettings: Hashable, Sendable {
  /// The metrics, guardrails among them; none for the share of users who did it, for each name of a conversion.
  package var metrics: [Metric] = []
  /// The variant that others are compared with; nil for the one called control, or else the first by name.
  package var control: String?
  /// The share that each variant was given, in any unit; none for equal ones.
  package var weights: [String: Double] = [:]
  /// One less the level of intervals, and the chance of a false finding.
  package var alpha = 0.05
  /// The number of users at which sequential intervals are narrowest.
  package var tuning = 5_000.0
  package var scale = EffectEstimate.Scale.relative
  /// What is believed of relative effects before, of each metric alike.
  package var prior = EffectPrior.flat
  /// The metrics that are adjusted by their own value before the first exposure (CUPED), by name and kind.
  package var covariates: [Metric] = []
  package var correction: MultipleTesting? = .holm

  package init() {}
}

extension AnalysisSettings {
  func isAdjusted(_ metric: Metric) -> Bool {
    covariates.contains { $0.name == metric.name && $0.kind == metric.kind }
  }
}
