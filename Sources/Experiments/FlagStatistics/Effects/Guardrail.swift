/// A metric that a change must not harm by more than a stated margin (a one-sided test of non-inferiority).
public struct Guardrail: Hashable, Sendable {
  /// A verdict about the harm.
  public enum Verdict: String, Sendable, CaseIterable {
    /// Harm beyond the margin is ruled out.
    case held
    /// Harm beyond the margin is proven.
    case violated
    /// Harm beyond the margin is neither ruled out nor proven.
    case undecided
  }

  /// The acceptable harm, in the unit of the effect: 0.01 of a relative effect is 1 % of control's mean.
  public let margin: Double
  /// The direction in which the metric improves; harm is the opposite.
  public let improvement: Improvement
  /// The one-sided probability of a wrong verdict.
  public let alpha: Double
  /// The tuning of a sequential test, in users, for a guardrail with more than one look; nil for one look.
  public let tuning: Double?

  /// Creates a guardrail from its properties.
  public init(margin: Double, improvement: Improvement = .increase, alpha: Double = 0.05, tuning: Double? = nil) {
    (self.margin, self.improvement, self.alpha, self.tuning) = (margin, improvement, alpha, tuning)
  }
}

extension Guardrail {
  /// Returns the one-sided bound of the effect on the side of the harm: the maximum plausible harm.
  ///
  /// For one look it is the estimate minus the t quantile of alpha times the standard error. For many looks it is an
  /// end of the sequential interval at 2 alpha, whose two sides are symmetric; the probability that it is ever wrong
  /// exceeds alpha by at most half the probability that both sides are wrong. It is infinite if alpha is not in (0,
  /// 1/2).
  public func bound(of effect: EffectEstimate) -> Double {
    let interval = interval(of: effect)
    return improvement == .increase ? interval.lower : interval.upper
  }

  /// Returns the verdict about the harm for an effect on the metric.
  public func verdict(of effect: EffectEstimate) -> Verdict {
    let interval = interval(of: effect)
    let (worst, best) =
      improvement == .increase ? (interval.lower, interval.upper) : (-interval.upper, -interval.lower)
    return worst > -margin ? .held : best < -margin ? .violated : .undecided
  }

  /// Returns the one-sided bound of the effect of a difference on the side of the harm; infinite if it has none.
  public func bound(of difference: MeanDifference, on scale: EffectEstimate.Scale) -> Double {
    guard let critical = criticalValue(of: difference) else { return improvement == .increase ? -.infinity : .infinity }
    let interval = difference.interval(on: scale, criticalValue: critical)
    return improvement == .increase ? interval.lower : interval.upper
  }

  /// Returns the verdict about the harm for a difference of means.
  ///
  /// On the relative scale it is decided by the contrast T - (1 - margin) C, or T - (1 + margin) C if less is better,
  /// and needs no control whose mean is clearly above zero.
  public func verdict(of difference: MeanDifference, on scale: EffectEstimate.Scale) -> Verdict {
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

  private func interval(of effect: EffectEstimate) -> ConfidenceInterval {
    if let tuning { return SequentialTest(alpha: 2 * alpha, tuning: tuning).confidenceInterval(of: effect) }
    return effect.confidenceInterval(alpha: 2 * alpha)
  }
}
