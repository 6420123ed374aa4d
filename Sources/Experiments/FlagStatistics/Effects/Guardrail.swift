/// A metric that a change must not harm by more than a stated margin (a one-sided test of non-inferiority).
package struct Guardrail: Hashable, Sendable {
  /// A verdict about the harm.
  package enum Verdict: String, Sendable, CaseIterable {
    /// Harm beyond the margin is ruled out.
    case held
    /// Harm beyond the margin is proven.
    case violated
    /// Harm beyond the margin is neither ruled out nor proven.
    case undecided
  }

  /// The acceptable harm, in the unit of the effect: 0.01 of a relative effect is 1 % of control's mean.
  package let margin: Double
  /// The direction in which the metric improves; harm is the opposite.
  package let improvement: Improvement
  /// The one-sided probability of a wrong verdict.
  package let alpha: Double
  /// The tuning of a sequential test, in users, for a guardrail with more than one look; nil for one look.
  package let tuning: Double?

  /// Creates a guardrail from its properties.
  package init(margin: Double, improvement: Improvement = .increase, alpha: Double = 0.05, tuning: Double? = nil) {
    (self.margin, self.improvement, self.alpha, self.tuning) = (margin, improvement, alpha, tuning)
  }

  /// Returns the one-sided bound of the effect on the side of the harm: the maximum plausible harm.
  ///
  /// For one look it is an end of the interval of the test at 2 alpha. For many looks it is one of the sequential
  /// interval at 2 alpha, whose two sides are symmetric; the probability that it is ever wrong exceeds alpha by at most
  /// half the probability that both sides are wrong. It is infinite if alpha is not in (0, 1/2), or nothing bounds the
  /// harm.
  package func bound(of difference: MeanDifference, on scale: MeanDifference.Scale) -> Double {
    let interval = interval(of: difference, on: scale) ?? .unbounded
    return improvement == .increase ? interval.lower : interval.upper
  }

  /// Returns the interval of a difference, each of whose ends is a one-sided bound; nil where
  /// ``MeanDifference/confidenceInterval(on:alpha:)`` is.
  package func interval(of difference: MeanDifference, on scale: MeanDifference.Scale) -> ConfidenceInterval? {
    guard let critical = criticalValue(of: difference) else { return .unbounded }
    return difference.interval(on: scale, criticalValue: critical)
  }

  /// Returns the verdict about the harm for a difference of means.
  ///
  /// On the relative scale it is decided by the contrast T - (1 - margin) C, or T - (1 + margin) C if less is better,
  /// and needs no control whose mean is clearly above zero.
  package func verdict(of difference: MeanDifference, on scale: MeanDifference.Scale) -> Verdict {
    guard let critical = criticalValue(of: difference) else { return .undecided }
    let limit = improvement == .increase ? -margin : margin
    let distance = difference.statistic(against: limit, on: scale) * (improvement == .increase ? 1 : -1)
    return distance > critical ? .held : distance < -critical ? .violated : .undecided
  }

  private func criticalValue(of difference: MeanDifference) -> Double? {
    guard alpha > 0, alpha < 0.5 else { return nil }
    if let tuning { return SequentialTest(alpha: 2 * alpha, tuning: tuning).criticalValue(count: difference.count) }
    return StudentTDistribution(degreesOfFreedom: difference.degreesOfFreedom).quantile(upperTail: alpha)
  }
}
