/// A belief about an effect before an experiment: a normal distribution of the relative effect, or a flat prior.
package struct EffectPrior: Hashable, Sendable {
  /// The mean of the relative effect.
  package let mean: Double
  /// The variance of the relative effect, above 0; infinite for the flat prior.
  package let variance: Double

  /// Creates a proper prior, such as a mean of 0 and a variance of 0.3^2.
  ///
  /// - Throws: ``StatisticsError`` if the mean is not finite, or the variance is not a finite number above 0.
  package init(mean: Double, variance: Double) throws(StatisticsError) {
    try StatisticsError.check(mean, "prior.mean", is: "a finite number") { _ in true }
    try StatisticsError.check(variance, "prior.variance", is: "a finite number above 0") { $0 > 0 }
    (self.mean, self.variance) = (mean, variance)
  }

  private init() { (mean, variance) = (0, .infinity) }

  /// The prior for which all effects are equally likely.
  package static let flat = Self()
}

/// A belief about an effect after an experiment: a normal distribution, and its consequences for the choice of a
/// variant.
///
/// The posterior of a normal prior and a normal likelihood. Expected loss is C. Stucchio's (Bayesian A/B Testing at
/// VWO, 2015).
package struct PosteriorEffect: Hashable, Sendable {
  /// The distribution of the difference, in the unit of the metric.
  package let distribution: NormalDistribution

  /// Updates a prior with a difference of means.
  ///
  /// The prior, which is about the relative effect, becomes one of the difference: its mean is multiplied by the
  /// magnitude of the control's mean, and its variance by the square of that, as if the control's mean were known
  /// exactly.
  ///
  /// - Throws: ``StatisticsError`` if a proper prior would be multiplied by a control's mean of 0, or if the result is
  ///   not finite.
  package init(of difference: MeanDifference, prior: EffectPrior = .flat) throws(StatisticsError) {
    let (value, standardError, unit) = (difference.value, difference.standardError, difference.baseline.magnitude)
    var (mean, variance) = (value, standardError * standardError)
    if prior.variance.isFinite {
      guard unit > 0 else {
        throw StatisticsError(
          .zeroBaseline, ExperimentGroup.control.rawValue, "mean 0, and the prior is relative to it")
      }
      let known = prior.variance * unit * unit
      let weight = known / (known + variance)
      mean = weight * value + (1 - weight) * prior.mean * unit
      variance *= weight
    }
    // The variance of a tiny standard error underflows, but the standard error itself does not.
    let standardDeviation = prior.variance.isFinite ? variance.squareRoot() : standardError
    guard mean.isFinite, standardDeviation.isFinite, standardDeviation > 0 else {
      throw StatisticsError(.notFinite, "posterior", "too large or too small to be computed")
    }
    distribution = NormalDistribution(mean: mean, standardDeviation: standardDeviation)
  }

  /// Returns the probability that the treatment is better than the control.
  package func chanceToWin(_ improvement: Improvement = .increase) -> Double {
    improvement == .increase ? distribution.upperTail(at: 0) : distribution.lowerTail(at: 0)
  }

  /// Returns the expected loss of choosing the treatment, counting 0 if it is better, in the unit of the metric.
  ///
  /// With d the difference, that is E max(0, -d) if an increase is better, and E max(0, d) if a decrease is.
  package func expectedLoss(_ improvement: Improvement = .increase) -> Double {
    let mean = improvement == .increase ? -distribution.mean : distribution.mean
    let deviation = distribution.standardDeviation
    let standard = NormalDistribution()
    let z = mean / deviation
    return max(0, mean * standard.lowerTail(at: z) + deviation * standard.density(at: z))
  }
}
