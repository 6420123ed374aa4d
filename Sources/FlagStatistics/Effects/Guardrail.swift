/// A metric that a change must not harm by more than a stated margin (a one-sided test of non-inferiority).
public struct Guardrail: Hashable, Sendable {
  /// What is known about the harm.
  public enum Verdict: String, Sendable, CaseIterable {
    /// Harm beyond the margin is ruled out.
    case held
    /// Harm beyond the margin is shown.
    case violated
    /// Neither is.
    case undecided
  }

  /// The harm that is acceptable, in the unit of the effect: 0.01 of a relative effect is 1 % of control's mean.
  public let margin: Double
  /// Which way the metric gets better; harm is the other way.
  public let improvement: Improvement
  /// The chance, one-sided, of a wrong verdict.
  public let alpha: Double
  /// The tuning of a sequential test, in users, for a guardrail that is looked at more than once; nil for one look.
  public let tuning: Double?

  /// Creates a guardrail, with the meaning of its properties.
  public init(margin: Double, improvement: Improvement = .increase, alpha: Double = 0.05, tuning: Double? = nil) {
    (self.margin, self.improvement, self.alpha, self.tuning) = (margin, improvement, alpha, tuning)
  }
}

extension Guardrail {
  /// Returns the one-sided bound of the effect on the side of the harm: what the harm is at most.
  ///
  /// For one look it is the estimate less the t quantile of alpha times the standard error. For many it is an end of
  /// the sequential interval at 2 alpha, whose two sides are alike; the chance that it is ever wrong is over alpha by
  /// at most half the chance that both sides are. It is infinite where alpha is not in (0, 1/2).
  public func bound(of effect: EffectEstimate) -> Double {
    let interval = interval(of: effect)
    return improvement == .increase ? interval.lower : interval.upper
  }

  /// Returns what an effect on the metric says about the harm.
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
