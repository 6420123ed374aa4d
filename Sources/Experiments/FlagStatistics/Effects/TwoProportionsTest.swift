/// The comparison of two shares of users, by the pooled z test and by intervals of their difference.
///
/// Unlike ``EffectEstimate`` its intervals are also valid for few successes, and it has a result if one group has only
/// successes or only failures.
public struct TwoProportionsTest: Hashable, Sendable {
  /// A method for the interval.
  public enum Method: String, Sendable, CaseIterable {
    /// From the two intervals of Wilson (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10).
    case newcombe
    /// Wald's, with one success and one failure more in each group (A. Agresti, B. Caffo, The American Statistician 54,
    /// 2000).
    case agrestiCaffo
    /// The estimate and its standard error; too narrow for few successes.
    case wald
  }

  /// The group without the change.
  public let control: ProportionStatistics
  /// The group with the change.
  public let treatment: ProportionStatistics
  /// The difference over its standard error under the hypothesis that both shares equal the pooled one.
  public let zStatistic: Double

  /// Compares two shares.
  ///
  /// - Throws: ``StatisticsError`` if a group has fewer than two users, or if the users of both groups have only
  ///   successes or only failures.
  public init(control: ProportionStatistics, treatment: ProportionStatistics) throws(StatisticsError) {
    (self.control, self.treatment) = (control, treatment)
    for (group, sample) in [(ExperimentGroup.control, control), (.treatment, treatment)] where sample.count < 2 {
      throw StatisticsError(.tooFewUsers, group.rawValue, "\(sample.count), expected at least 2")
    }
    let pooled = control.merged(with: treatment).variance
    guard pooled > 0 else {
      throw StatisticsError(.noVariance, "both groups", "all users have a success, or none has")
    }
    let squaredError = pooled * (1 / Double(control.count) + 1 / Double(treatment.count))
    zStatistic = (treatment.mean - control.mean) / squaredError.squareRoot()
  }
}

extension TwoProportionsTest {
  /// The share of the treatment minus that of the control.
  public var difference: Double { treatment.mean - control.mean }

  /// The two-sided p-value of equal shares.
  public var pValue: Double { min(1, 2 * NormalDistribution().upperTail(at: zStatistic.magnitude)) }

  /// Returns the interval of the difference.
  ///
  /// - Parameters:
  ///   - alpha: One minus the level; 0.05 for an interval of 95 %.
  ///   - method: The method for the interval.
  /// - Returns: The interval, unbounded for an alpha outside (0, 1).
  public func confidenceInterval(alpha: Double = 0.05, method: Method = .newcombe) -> ConfidenceInterval {
    guard let z = ConfidenceInterval.normalQuantile(alpha: alpha) else { return .unbounded }
    switch method {
    case .newcombe: return newcombe(alpha)
    case .wald: return wald(z, added: 0)
    case .agrestiCaffo: return wald(z, added: 1)
    }
  }

  private func newcombe(_ alpha: Double) -> ConfidenceInterval {
    let (a, b) = (control.wilsonInterval(alpha: alpha), treatment.wilsonInterval(alpha: alpha))
    func distance(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    return ConfidenceInterval(
      lower: difference - distance(treatment.mean - b.lower, a.upper - control.mean),
      upper: difference + distance(b.upper - treatment.mean, control.mean - a.lower))
  }

  /// Returns Wald's interval with equal numbers of successes and failures added to each group.
  private func wald(_ z: Double, added: Double) -> ConfidenceInterval {
    let moments = [control, treatment].map { sample in
      let count = Double(sample.count) + 2 * added
      let mean = (Double(sample.successes) + added) / count
      return (mean: mean, squaredError: mean * (1 - mean) / count)
    }
    let standardError = (moments[0].squaredError + moments[1].squaredError).squareRoot()
    return ConfidenceInterval(moments[1].mean - moments[0].mean, plusMinus: z * standardError)
  }
}
