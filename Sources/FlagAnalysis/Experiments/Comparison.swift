package import FlagStatistics

/// The comparison of a variant with the control, by one metric.
package struct Comparison: Hashable, Sendable, Encodable {
  /// A verdict that holds at any number of looks.
  package enum Verdict: String, Sendable, CaseIterable, Encodable {
    case better, worse, undecided
  }

  package let effect: EffectEstimate
  package let interval: ConfidenceInterval
  /// The two-sided p-value of one look, without correction.
  package let pValue: Double
  /// The p-value after correction for multiple comparisons; nil for a guardrail, and without correction.
  package private(set) var adjustedPValue: Double?
  package let sequentialInterval: ConfidenceInterval
  package let sequentialPValue: Double
  package private(set) var adjustedSequentialPValue: Double?
  /// The verdict by the sequential p-value, corrected if a correction applies.
  package private(set) var verdict: Verdict
  package let chanceToWin: Double
  /// The average loss by choosing the variant, counting 0 if it is better.
  package let expectedLoss: Double
  package let guardrail: GuardrailResult?
  package let adjustment: Adjustment?

  /// The properties that reports encode under these names; they encode the effect and its intervals themselves.
  private enum CodingKeys: CodingKey {
    case pValue, adjustedPValue, sequentialPValue, adjustedSequentialPValue, verdict, chanceToWin, expectedLoss
    case guardrail, adjustment
  }

  package struct GuardrailResult: Hashable, Sendable, Encodable {
    package let margin: Double
    /// The end of the one-sided interval on the side of the harm.
    package let bound: Double
    package let verdict: Guardrail.Verdict
  }

  /// The result of adjusting a metric by its own value before the first exposure (CUPED).
  package struct Adjustment: Hashable, Sendable, Encodable {
    /// The change of the metric for one unit of its value before the exposure.
    package let theta: Double
    /// The reduction of the squared standard error of the absolute effect, as a fraction of it.
    package let varianceReduction: Double
  }
}

extension Comparison {
  init(
    _ effect: EffectEstimate, _ metric: Metric, _ settings: AnalysisSettings, adjusted: CovariateAdjustment? = nil
  ) throws(StatisticsError) {
    self.effect = effect
    adjustment = adjusted.map { Adjustment(theta: $0.theta, varianceReduction: $0.varianceReduction) }
    interval = effect.confidenceInterval(alpha: settings.alpha)
    pValue = effect.pValue
    let test = SequentialTest(alpha: settings.alpha, tuning: settings.tuning)
    sequentialInterval = test.confidenceInterval(of: effect)
    sequentialPValue = test.pValue(of: effect)
    verdict = Verdict(sequentialPValue < settings.alpha, effect.value, metric.improvement)
    let posterior = try PosteriorEffect(of: effect, prior: settings.prior)
    chanceToWin = posterior.chanceToWin(metric.improvement)
    expectedLoss = posterior.expectedLoss(choosing: .treatment, metric.improvement)
    guardrail = metric.margin.map { margin in
      let guardrail = Guardrail(
        margin: margin, improvement: metric.improvement, alpha: settings.alpha, tuning: settings.tuning)
      return GuardrailResult(
        margin: margin, bound: guardrail.bound(of: effect), verdict: guardrail.verdict(of: effect))
    }
  }

  mutating func correct(_ p: Double, _ sequential: Double, _ alpha: Double, _ improvement: Improvement) {
    (adjustedPValue, adjustedSequentialPValue) = (p, sequential)
    verdict = Verdict(sequential < alpha, effect.value, improvement)
  }
}

extension Comparison.Verdict {
  fileprivate init(_ isFound: Bool, _ value: Double, _ improvement: Improvement) {
    self = !isFound ? .undecided : (value > 0) == (improvement == .increase) ? .better : .worse
  }
}
