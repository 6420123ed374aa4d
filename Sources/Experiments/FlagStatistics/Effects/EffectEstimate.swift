/// An estimate of the effect of a change on the mean of a metric, with its uncertainty (Welch's t test).
///
/// With A the control and B the treatment, m their means, v their variances and n their counts of users:
///
/// | | estimate | squared standard error |
/// |---|---|---|
/// | absolute | mB - mA | vA / nA + vB / nB |
/// | relative | (mB - mA) / \|mA\| | vB / (nB mA^2) + vA mB^2 / (nA mA^4) |
///
/// The second is the delta method (A. Deng, U. Knoblich, J. Lu, Applying the Delta Method in Metric Analytics, KDD
/// 2018). It is a good approximation while the baseline is many of its standard errors away from 0. For adjusted
/// groups (``CovariateAdjustment``) the relative effect is the adjusted difference over control's unadjusted mean,
/// and control's term is the variance of its adjusted mean plus that effect times its unadjusted mean. The degrees of
/// freedom of both effects are Welch's and Satterthwaite's, from the two terms of the absolute one (B. L. Welch,
/// Biometrika 34, 1947; F. E. Satterthwaite, Biometrics Bulletin 2, 1946).
///
/// The test is valid for one look, planned in advance. For any number of looks there is ``SequentialTest``.
///
/// The relative effect is an estimate, and no basis for a decision: its standard error depends on which group is the
/// divisor, so that with few conversions the test of swapped groups differs. Decide by ``MeanDifference``.
public struct EffectEstimate: Hashable, Sendable {
  /// A scale on which an effect is measured.
  public enum Scale: String, Sendable, CaseIterable {
    /// The unit of the metric.
    case absolute
    /// Fractions of the magnitude of control's mean: 0.1 is a lift of 10 %.
    case relative
  }

  /// The scale of the effect.
  public let scale: Scale
  /// The estimated effect; above 0 if the treatment has a higher mean.
  public let value: Double
  /// The standard error of the estimate, above 0, in the unit of the effect.
  public let standardError: Double
  /// The degrees of freedom of the t distribution that the effect over its standard error follows, at least 1.
  public let degreesOfFreedom: Double
  /// The number of users in both groups together.
  public let count: Int
  /// The unadjusted mean of the control, in the unit of the metric.
  public let baseline: Double

  /// Estimates an effect.
  ///
  /// - Parameters:
  ///   - treatment: The group with the change.
  ///   - control: The group without it.
  ///   - scale: The scale of the effect.
  /// - Throws: ``StatisticsError`` if a group has fewer than two users, sums that are not finite, or no variance, if
  ///   the baseline of a relative effect is 0, or if the result is not finite.
  public init(
    of treatment: some SampleSummary, over control: some SampleSummary, scale: Scale = .absolute
  ) throws(StatisticsError) {
    try Self.check(control, .control)
    try Self.check(treatment, .treatment)
    baseline = control.unadjustedMean
    if scale == .relative, baseline == 0 {
      throw StatisticsError(.zeroBaseline, ExperimentGroup.control.rawValue, "mean 0, and nothing is relative to it")
    }
    self.scale = scale
    let unit = scale == .absolute ? 1 : baseline.magnitude
    // The weight of the control's mean as the divisor; 0 for an absolute effect.
    let lift = scale == .absolute ? 0 : (treatment.mean - control.mean) / baseline
    let terms = (control.variance / Double(control.count), treatment.variance / Double(treatment.count))
    let divisorTerm =
      lift * (lift * control.unadjustedVariance + 2 * control.covarianceWithUnadjusted) / Double(control.count)
    value = (treatment.mean - control.mean) / unit
    standardError = (terms.0 + terms.1 + divisorTerm).squareRoot() / unit
    degreesOfFreedom = Self.degreesOfFreedom(terms, (control.count, treatment.count))
    count = control.count.addingSaturated(treatment.count)
    guard value.isFinite, standardError.isFinite, standardError > 0, degreesOfFreedom.isFinite else {
      throw StatisticsError(.notFinite, "effect", "\(value) with a standard error of \(standardError)")
    }
  }

  /// Returns Welch's and Satterthwaite's degrees of freedom, from each group's share of the squared error, so that
  /// nothing overflows.
  static func degreesOfFreedom(_ terms: (Double, Double), _ counts: (Int, Int)) -> Double {
    let (a, b) = (terms.0 / (terms.0 + terms.1), terms.1 / (terms.0 + terms.1))
    return 1 / (a * a / Double(counts.0 - 1) + b * b / Double(counts.1 - 1))
  }

  private static func check(_ sample: some SampleSummary, _ group: ExperimentGroup) throws(StatisticsError) {
    try checkMoments(sample, group)
    guard sample.variance > 0 else {
      throw StatisticsError(
        .noVariance, group.rawValue, "all users have the same value, so that nothing tells how much it varies")
    }
  }

  /// Checks that a group has users, and sums that are finite.
  static func checkMoments(_ sample: some SampleSummary, _ group: ExperimentGroup) throws(StatisticsError) {
    let group = group.rawValue
    guard sample.count > 1 else {
      throw StatisticsError(.tooFewUsers, group, "\(sample.count), expected at least 2")
    }
    guard sample.mean.isFinite, sample.variance.isFinite, sample.unadjustedMean.isFinite else {
      throw StatisticsError(.notFinite, group, "mean \(sample.mean), variance \(sample.variance)")
    }
  }
}

extension EffectEstimate {
  /// The effect in standard errors, the statistic of Welch's test.
  public var tStatistic: Double { value / standardError }

  /// The two-sided p-value for the hypothesis of no effect.
  public var pValue: Double { min(1, 2 * distribution.upperTail(at: tStatistic.magnitude)) }

  /// Returns the confidence interval of the effect.
  ///
  /// - Parameter alpha: One minus the level; 0.05 for an interval of 95 %.
  /// - Returns: The interval, unbounded for an alpha outside (0, 1).
  public func confidenceInterval(alpha: Double = 0.05) -> ConfidenceInterval {
    guard alpha > 0, alpha < 1 else { return .unbounded }
    return ConfidenceInterval(value, plusMinus: distribution.quantile(upperTail: alpha / 2) * standardError)
  }

  var distribution: StudentTDistribution { StudentTDistribution(degreesOfFreedom: degreesOfFreedom) }
}
