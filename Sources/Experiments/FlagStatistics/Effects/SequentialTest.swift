/// A test for continuous monitoring: its intervals and p-values hold at all looks together.
///
/// Asymptotic confidence sequences (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, Time-uniform
/// central limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2024, arXiv:2103.06476), with the
/// Gaussian mixture of H. Robbins. With N the users of both groups, SE the standard error and s^2 = SE^2 N:
///
///     half width = s sqrt(2 (N rho^2 + 1) ln(sqrt(N rho^2 + 1) / alpha) / (N rho)^2)
///     rho        = sqrt((-2 ln alpha + ln(1 - 2 ln alpha)) / tuning)
///     p          = min(1, sqrt(N rho^2 + 1) exp(-rho^2 (effect / SE)^2 N / (2 (N rho^2 + 1))))
///
/// Without an effect, the probability that p is ever under alpha is at most alpha, as N grows. So an experiment may be
/// stopped at any look on account of it; the price is an interval that is wider than that of one look.
public struct SequentialTest: Hashable, Sendable {
  /// One minus the level of the intervals, in (0, 1).
  public let alpha: Double
  /// The number of users, of both groups, at which the interval is narrowest.
  package let tuning: Double

  /// Creates a test; alpha and tuning must be chosen before the first look.
  ///
  /// With an alpha outside (0, 1), or a tuning that is not above 0, the test has no findings: intervals are unbounded,
  /// and p is 1.
  public init(alpha: Double = 0.05, tuning: Double = 5_000) { (self.alpha, self.tuning) = (alpha, tuning) }

  /// The parameter of the mixture; nil if alpha or tuning is out of its range.
  package var rho: Double? {
    guard alpha > 0, alpha < 1, tuning > 0, tuning.isFinite else { return nil }
    let spent = -2 * alpha.logarithm()
    return ((spent + spent.logarithmOfOneMore()) / tuning).squareRoot()
  }

  /// Returns the interval of the effect of a difference, which holds at all looks together.
  ///
  /// - Parameters:
  ///   - difference: The difference.
  ///   - scale: The scale of the effect.
  ///   - level: The p-value under which a difference is found, and the interval excludes zero; nil for alpha. A smaller
  ///     one is for several comparisons, and leaves the parameter of the mixture as it is.
  /// - Returns: The interval, unbounded if alpha, the level or the tuning is out of its range; nil where
  ///   ``MeanDifference/confidenceInterval(on:alpha:)`` is.
  public func confidenceInterval(
    of difference: MeanDifference, on scale: MeanDifference.Scale, level: Double? = nil
  ) -> ConfidenceInterval? {
    guard let critical = criticalValue(users: Double(difference.count), level: level ?? alpha) else {
      return .unbounded
    }
    return difference.interval(on: scale, criticalValue: critical)
  }

  /// Returns the two-sided p-value of no difference, which holds at all looks together; so does the minimum over them.
  public func pValue(of difference: MeanDifference) -> Double {
    guard let information = information(Double(difference.count)) else { return 1 }
    let exponent = difference.statistic * difference.statistic * (information / (information + 1)) / 2
    return min(1, ((information + 1).logarithm() / 2 - exponent).exponential())
  }

  /// Returns the number of standard errors beyond which an effect is found; nil if alpha or tuning is out of its range.
  ///
  /// - Parameter count: The number of users of both groups.
  /// - Returns: The critical value, which is least at about as many users as the tuning.
  package func criticalValue(count: Int) -> Double? { criticalValue(users: Double(count), level: alpha) }

  /// Returns the critical value for a p-value, and for a number of users that need not be whole, as plans have it.
  func criticalValue(users: Double, level: Double) -> Double? {
    guard level > 0, level < 1 else { return nil }
    return information(users).map { information in
      let logarithm = (information + 1).logarithm() / 2 - level.logarithm()
      return (2 * (information + 1) / information * logarithm).squareRoot()
    }
  }

  /// Returns N rho^2.
  private func information(_ users: Double) -> Double? { rho.map { users * $0 * $0 } }
}
