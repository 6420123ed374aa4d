/// The difference of two groups' means, by which an experiment is decided.
///
/// With T the mean of the treatment, C that of the control, v their variances and n their counts of users:
///
/// | | standard error of T - C | distribution |
/// |---|---|---|
/// | means | sqrt(vT / nT + vC / nC) | Student's t with Welch's degrees of freedom |
/// | shares of users | that of equal shares, from the pooled one: the score test | normal |
///
/// The degrees of freedom are B. L. Welch's (Biometrika 34, 1947) and F. E. Satterthwaite's (Biometrics Bulletin 2,
/// 1946). Swapping the groups changes the sign of the difference and nothing else. That is not so for a test of the
/// relative effect by the delta method: its standard error depends on which group is the divisor, and with few
/// conversions it contradicts itself.
///
/// The relative effect (T - C) / |C| is another way to show the difference. Its intervals are E. C. Fieller's (Some
/// Problems in Interval Estimation, Journal of the Royal Statistical Society B 16, 1954): all r for which T - (1 + r) C
/// differs from zero by at most the critical value times its own standard error. At r = 0 that is the test itself, so
/// an interval excludes zero exactly if the test finds a difference. For shares the standard error is the one under
/// each hypothesis (P. A. R. Koopman, Confidence Intervals for the Ratio of Two Binomial Proportions, Biometrics 40,
/// 1984; for the difference, O. Miettinen and M. Nurminen, Statistics in Medicine 4, 1985, without their factor n / (n
/// - 1)).
public struct MeanDifference: Hashable, Sendable {
  /// A scale on which an effect is measured.
  public enum Scale: String, Sendable, CaseIterable {
    /// The unit of the metric.
    case absolute
    /// Fractions of the magnitude of control's mean: 0.1 is a lift of 10 %.
    case relative
  }

  /// The mean of the treatment minus that of the control, in the unit of the metric.
  public let value: Double
  /// The standard error of the value if there is no difference, above 0.
  public let standardError: Double
  /// The degrees of freedom of the t distribution of the test; infinite for shares.
  package let degreesOfFreedom: Double
  /// The number of users in both groups together.
  package let count: Int
  /// The unadjusted mean of the control, to which the relative effect is relative.
  package let baseline: Double
  let model: Model

  /// The standard error of a contrast T - (1 + r) C.
  enum Model: Hashable, Sendable {
    /// The variance of the control's unadjusted mean, its covariance with the control's mean, and whether means cannot
    /// be negative.
    case means(baselineVariance: Double, covariance: Double, isNonnegative: Bool)
    case shares(SharePair)
  }

  /// Compares two groups.
  ///
  /// - Parameters:
  ///   - treatment: The group with the change.
  ///   - control: The group without it.
  ///   - isNonnegative: Whether the metric cannot be negative, so that a relative effect is at least -1. It always is
  ///     for shares.
  /// - Throws: ``StatisticsError`` if a group has fewer than two users, if sums are not finite, or if all users of both
  ///   groups have the same value.
  public init(
    of treatment: some SampleSummary, over control: some SampleSummary, isNonnegative: Bool = false
  ) throws(StatisticsError) {
    try Self.check(control, .control)
    try Self.check(treatment, .treatment)
    let errors = (control.variance / Double(control.count), treatment.variance / Double(treatment.count))
    value = treatment.mean - control.mean
    baseline = control.unadjustedMean
    count = control.count.addingSaturated(treatment.count)
    if let control = control as? ProportionStatistics, let treatment = treatment as? ProportionStatistics {
      let pair = SharePair(control: control, treatment: treatment)
      model = .shares(pair)
      (standardError, degreesOfFreedom) = (pair.pooledError, .infinity)
    } else {
      model = .means(
        baselineVariance: control.unadjustedVariance / Double(control.count),
        covariance: control.covarianceWithUnadjusted / Double(control.count), isNonnegative: isNonnegative)
      standardError = (errors.0 + errors.1).squareRoot()
      degreesOfFreedom = Self.degreesOfFreedom(errors, (control.count, treatment.count))
    }
    guard standardError != 0 else {
      throw StatisticsError(
        .noVariance, "both groups",
        "in each, all users have the same value up to rounding, so that nothing tells how much it varies")
    }
    guard value.isFinite, standardError.isFinite, degreesOfFreedom > 0 else {
      throw StatisticsError(.notFinite, "both groups", Self.tooLarge)
    }
  }

  private static let tooLarge = "values are too large: their squares cannot be added up"

  /// Checks that a group has users, and sums that are finite.
  private static func check(_ sample: some SampleSummary, _ group: ExperimentGroup) throws(StatisticsError) {
    let group = group.rawValue
    guard sample.count > 1 else {
      throw StatisticsError(
        .tooFewUsers, group, "\(sample.count) \(sample.count == 1 ? "user" : "users"), expected at least 2")
    }
    guard sample.mean.isFinite, sample.variance.isFinite, sample.unadjustedMean.isFinite else {
      throw StatisticsError(.notFinite, group, Self.tooLarge)
    }
  }

  /// Returns the degrees of freedom, from each group's share of the squared error, so that nothing overflows.
  private static func degreesOfFreedom(_ errors: (Double, Double), _ counts: (Int, Int)) -> Double {
    let (a, b) = (errors.0 / (errors.0 + errors.1), errors.1 / (errors.0 + errors.1))
    return 1 / (a * a / Double(counts.0 - 1) + b * b / Double(counts.1 - 1))
  }

  /// The difference in standard errors.
  package var statistic: Double { value / standardError }

  /// The two-sided p-value of no difference, for one look.
  public var pValue: Double {
    min(1, 2 * StudentTDistribution(degreesOfFreedom: degreesOfFreedom).upperTail(at: statistic.magnitude))
  }

  /// Returns the effect on a scale; infinite if it is relative to a mean of 0.
  public func effect(on scale: MeanDifference.Scale) -> Double {
    scale == .absolute || value == 0 ? value : value / baseline.magnitude
  }

  /// Returns the distance of the difference from a hypothetical effect, in standard errors under that hypothesis.
  package func statistic(against effect: Double, on scale: MeanDifference.Scale) -> Double {
    let distance = value - (scale == .absolute ? effect : effect * baseline.magnitude)
    return distance == 0 ? 0 : distance / standardError(at: effect, on: scale)
  }

  private func standardError(at effect: Double, on scale: MeanDifference.Scale) -> Double {
    switch (model, scale) {
    case (.shares, _) where effect == 0, (.means, .absolute): standardError
    case (.shares(let pair), .absolute): pair.standardError(ofDifference: effect)
    case (.shares(let pair), .relative): pair.standardError(ofRatio: 1 + effect)
    case (.means(let variance, let covariance, _), .relative):
      // A metric with a negative mean is compared by magnitude.
      (standardError * standardError + effect * (effect * variance + 2 * covariance * (baseline < 0 ? -1 : 1)))
        .squareRoot()
    }
  }
}
