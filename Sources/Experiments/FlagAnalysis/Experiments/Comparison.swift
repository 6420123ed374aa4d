package import FlagStatistics

/// The comparison of a variant with the control, by one metric.
package struct Comparison: Hashable, Sendable, Encodable {
  package enum Verdict: String, Sendable, CaseIterable, Encodable {
    case better, worse, undecided
  }

  /// The finding of some number of looks.
  package struct Finding: Hashable, Sendable, Encodable {
    /// The interval of the effect, at the level at which the p-value is compared, if that is corrected; nil where an
    /// effect would be relative to a control's mean of 0.
    package fileprivate(set) var interval: ConfidenceInterval?
    /// The two-sided p-value, without correction.
    package let pValue: Double
    /// The p-value after correction for multiple comparisons; nil for a guardrail, and without correction.
    package fileprivate(set) var adjustedPValue: Double?

    /// The p-value that is compared with alpha.
    package var decidingPValue: Double { adjustedPValue ?? pValue }

    /// The properties that reports encode under these names; they encode the interval themselves.
    private enum CodingKeys: CodingKey {
      case pValue, adjustedPValue
    }
  }

  /// The difference by which everything is decided.
  package let difference: MeanDifference
  /// The scale on which the difference is shown.
  package let scale: MeanDifference.Scale
  /// The finding of one look that was planned in advance.
  package private(set) var oneLook: Finding
  /// The finding of any number of looks.
  package private(set) var anyLook: Finding
  package let looks: AnalysisSettings.Looks
  /// The verdict by the p-value of the looks of the settings, corrected if a correction applies.
  package private(set) var verdict: Verdict
  package let chanceToWin: Double
  /// The average loss by choosing the variant, counting 0 if it is better, on the scale of the effect.
  package let expectedLoss: Double
  package let guardrail: GuardrailResult?
  package let adjustment: Adjustment?
  /// The factor to the users that would decide if the effect stays as it is, at least 1; nil if it is above 100.
  package private(set) var neededUsers: Double?

  /// The properties that reports encode under these names; they encode the effect and the findings themselves.
  private enum CodingKeys: CodingKey {
    case verdict, chanceToWin, expectedLoss, guardrail, adjustment
  }

  package struct GuardrailResult: Hashable, Sendable, Encodable {
    package let margin: Double
    /// The end of the one-sided interval on the side of the harm; infinite if nothing bounds it.
    package let bound: Double
    /// The interval with that end, and the one-sided one of the other side.
    package let interval: ConfidenceInterval?
    package let verdict: Guardrail.Verdict

    /// The properties that reports encode under these names.
    private enum CodingKeys: CodingKey {
      case margin, bound, verdict
    }
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
    let test = SequentialTest(alpha: settings.alpha, tuning: settings.tuning)
    looks = settings.looks
    oneLook = Finding(
      interval: difference.confidenceInterval(on: scale, alpha: settings.alpha), pValue: difference.pValue)
    anyLook = Finding(interval: test.confidenceInterval(of: difference, on: scale), pValue: test.pValue(of: difference))
    let p = looks == .any ? anyLook.pValue : oneLook.pValue
    verdict = Verdict(p < settings.alpha, difference.value, metric.improvement)
    let posterior = try PosteriorEffect(of: difference, prior: settings.prior)
    chanceToWin = posterior.chanceToWin(metric.improvement)
    let loss = posterior.expectedLoss(metric.improvement)
    expectedLoss = scale == .absolute || loss == 0 ? loss : loss / difference.baseline.magnitude
    guard let margin = metric.margin else {
      guardrail = nil
      neededUsers = Self.neededUsers(difference, test, looks, (settings.alpha, settings.alpha))
      return
    }
    let guardrail = Guardrail(
      margin: margin, improvement: metric.improvement, alpha: settings.alpha,
      tuning: looks == .any ? settings.tuning : nil)
    self.guardrail = GuardrailResult(
      margin: margin, bound: guardrail.bound(of: difference, on: scale),
      interval: guardrail.interval(of: difference, on: scale), verdict: guardrail.verdict(of: difference, on: scale))
    neededUsers = guardrail.neededUsers(of: difference, on: scale)
  }

  /// The effect on the scale of the settings; infinite if it is relative to a mean of 0.
  package var effect: Double { difference.effect(on: scale) }

  /// The finding that decides, that of the looks of the settings.
  package var deciding: Finding { looks == .any ? anyLook : oneLook }

  /// The interval that decides: each end of a guardrail's is a one-sided bound.
  package var decidingInterval: ConfidenceInterval? { guardrail.map(\.interval) ?? deciding.interval }

  mutating func correct(
    _ p: Double, _ sequential: Double, _ settings: AnalysisSettings, _ improvement: Improvement
  ) {
    // An adjusted p-value is under alpha exactly if the p-value is under this part of alpha.
    func level(_ p: Double, _ adjusted: Double) -> Double {
      adjusted > 0 ? settings.alpha * (p / adjusted) : settings.alpha
    }
    let levels = (level(oneLook.pValue, p), level(anyLook.pValue, sequential))
    let test = SequentialTest(alpha: settings.alpha, tuning: settings.tuning)
    (oneLook.adjustedPValue, anyLook.adjustedPValue) = (p, sequential)
    oneLook.interval = difference.confidenceInterval(on: scale, alpha: levels.0)
    anyLook.interval = test.confidenceInterval(of: difference, on: scale, level: levels.1)
    verdict = Verdict(deciding.decidingPValue < settings.alpha, difference.value, improvement)
    neededUsers = Self.neededUsers(difference, test, looks, levels)
  }

  private static func neededUsers(
    _ difference: MeanDifference, _ test: SequentialTest, _ looks: AnalysisSettings.Looks, _ levels: (Double, Double)
  ) -> Double? {
    looks == .any ? test.neededUsers(of: difference, level: levels.1) : difference.neededUsers(level: levels.0)
  }
}

extension Comparison.Verdict {
  fileprivate init(_ isFound: Bool, _ value: Double, _ improvement: Improvement) {
    self = !isFound ? .undecided : (value > 0) == (improvement == .increase) ? .better : .worse
  }
}
