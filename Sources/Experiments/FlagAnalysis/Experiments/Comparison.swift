package import FlagStatistics

/// The comparison of a variant with the control, by one metric.
package struct Comparison: Hashable, Sendable, Encodable {
  package enum Verdict: String, Sendable, CaseIterable, Encodable {
    case better, worse, undecided
  }

  /// The difference by which everything is decided.
  package let difference: MeanDifference
  /// The scale on which the difference is shown.
  package let scale: EffectEstimate.Scale
  /// The interval of one look; at the level at which the p-value is compared, if that is corrected.
  package private(set) var interval: ConfidenceInterval
  /// The two-sided p-value of one look, without correction.
  package let pValue: Double
  /// The p-value after correction for multiple comparisons; nil for a guardrail, and without correction.
  package private(set) var adjustedPValue: Double?
  /// The interval of any number of looks, at the corrected level, too.
  package private(set) var sequentialInterval: ConfidenceInterval
  package let sequentialPValue: Double
  package private(set) var adjustedSequentialPValue: Double?
  /// The verdict by the p-value of the looks of the settings, corrected if a correction applies.
  package private(set) var verdict: Verdict
  package let chanceToWin: Double
  /// The average loss by choosing the variant, counting 0 if it is better, on the scale of the effect.
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
    _ difference: MeanDifference, _ metric: Metric, _ settings: AnalysisSettings, adjusted: CovariateAdjustment? = nil
  ) throws(StatisticsError) {
    (self.difference, scale) = (difference, settings.scale)
    adjustment = adjusted.map { Adjustment(theta: $0.theta, varianceReduction: $0.varianceReduction) }
    interval = difference.confidenceInterval(on: scale, alpha: settings.alpha)
    pValue = difference.pValue
    let test = SequentialTest(alpha: settings.alpha, tuning: settings.tuning)
    sequentialInterval = test.confidenceInterval(of: difference, on: scale)
    sequentialPValue = test.pValue(of: difference)
    let p = settings.looks == .any ? sequentialPValue : pValue
    verdict = Verdict(p < settings.alpha, difference.value, metric.improvement)
    let posterior = try PosteriorEffect(of: difference, prior: settings.prior)
    chanceToWin = posterior.chanceToWin(metric.improvement)
    let loss = posterior.expectedLoss(choosing: .treatment, metric.improvement)
    expectedLoss = scale == .absolute || loss == 0 ? loss : loss / difference.baseline.magnitude
    guardrail = metric.margin.map { [scale] margin in
      let guardrail = Guardrail(
        margin: margin, improvement: metric.improvement, alpha: settings.alpha,
        tuning: settings.looks == .any ? settings.tuning : nil)
      return GuardrailResult(
        margin: margin, bound: guardrail.bound(of: difference, on: scale),
        verdict: guardrail.verdict(of: difference, on: scale))
    }
  }

  /// The effect on the scale of the settings; infinite if it is relative to a mean of 0.
  package var effect: Double { difference.effect(on: scale) }

  mutating func correct(
    _ p: Double, _ sequential: Double, _ settings: AnalysisSettings, _ improvement: Improvement
  ) {
    (adjustedPValue, adjustedSequentialPValue) = (p, sequential)
    // An adjusted p-value is under alpha exactly if the p-value is under this part of alpha.
    func level(_ p: Double, _ adjusted: Double) -> Double {
      adjusted > 0 ? settings.alpha * (p / adjusted) : settings.alpha
    }
    interval = difference.confidenceInterval(on: scale, alpha: level(pValue, p))
    sequentialInterval = SequentialTest(alpha: settings.alpha, tuning: settings.tuning)
      .confidenceInterval(of: difference, on: scale, level: level(sequentialPValue, sequential))
    let deciding = settings.looks == .any ? sequential : p
    verdict = Verdict(deciding < settings.alpha, difference.value, improvement)
  }
}

extension Comparison.Verdict {
  fileprivate init(_ isFound: Bool, _ value: Double, _ improvement: Improvement) {
    self = !isFound ? .undecided : (value > 0) == (improvement == .increase) ? .better : .worse
  }
}
