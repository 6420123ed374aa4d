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

  private func interval(of effect: EffectEstimate) -> ConfidenceInterval {
    if let tuning { return SequentialTest(alpha: 2 * alpha, tuning: tuning).confidenceInterval(of: effect) }
    return effect.confidenceInterval(alpha: 2 * alpha)
  }
}
