/// Two groups whose metric is adjusted by a covariate from before the experiment (CUPED).
///
/// A user's metric minus theta times the covariate has the same difference between groups, and less variance the more
/// the two correlate. A. Deng, Y. Xu, R. Kohavi, T. Walker, Improving the Sensitivity of Online Controlled Experiments
/// by Utilizing Pre-Experiment Data, WSDM 2013. Theta is the covariance over the covariate's variance, both over the
/// joined groups; it is 0, and nothing is adjusted, if the covariate has no variance.
package struct CovariateAdjustment: Hashable, Sendable {
  /// The factor of the covariate, in units of the metric for each unit of the covariate.
  package let theta: Double
  /// The adjusted group A.
  package let control: AdjustedSample
  /// The adjusted group B.
  package let treatment: AdjustedSample

  /// Adjusts two groups with one theta.
  package init(control: PairedStatistics, treatment: PairedStatistics) {
    let joined = control.merged(with: treatment)
    let variance = joined.covariate.variance
    theta = variance == 0 ? 0 : joined.covariance / variance
    self.control = AdjustedSample(control, theta: theta)
    self.treatment = AdjustedSample(treatment, theta: theta)
  }

  /// The reduction of the squared standard error of the absolute effect, as a fraction of it, up to 1; NaN without
  /// variance.
  package var varianceReduction: Double {
    let groups = [control, treatment]
    let squaredError = groups.reduce(0) { $0 + $1.variance / Double($1.count) }
    return 1 - squaredError / groups.reduce(0) { $0 + $1.unadjustedVariance / Double($1.count) }
  }
}

/// A group whose metric was adjusted by a covariate; effects are estimated from it as from any other group.
package struct AdjustedSample: SampleSummary, Hashable {
  /// The number of users.
  package let count: Int
  /// The mean of the metric minus theta times that of the covariate.
  package let mean: Double
  /// The variance of the adjusted values between users.
  package let variance: Double
  /// The mean of the metric.
  package let unadjustedMean: Double
  /// The variance of the metric between users.
  package let unadjustedVariance: Double
  /// The covariance of a user's adjusted value and the metric.
  package let covarianceWithUnadjusted: Double

  init(_ sample: PairedStatistics, theta: Double) {
    count = sample.count
    unadjustedMean = sample.outcome.mean
    unadjustedVariance = sample.outcome.variance
    mean = unadjustedMean - theta * sample.covariate.mean
    covarianceWithUnadjusted = unadjustedVariance - theta * sample.covariance
    let explained = theta * theta * sample.covariate.variance
    let adjusted = unadjustedVariance + explained - 2 * theta * sample.covariance
    // If the covariate determines the metric, the remaining variance is rounding error.
    variance = adjusted <= (unadjustedVariance + explained) * 0x1p-48 ? 0 : adjusted
  }
}
