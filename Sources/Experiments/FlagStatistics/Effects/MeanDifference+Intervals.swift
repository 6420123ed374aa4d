extension MeanDifference {
  /// Returns the interval of the effect for one look; it excludes zero exactly if the p-value is under alpha.
  ///
  /// - Parameters:
  ///   - scale: The scale of the effect.
  ///   - alpha: One minus the level; 0.05 for an interval of 95 %.
  /// - Returns: The interval, without ends for an alpha outside (0, 1). On the relative scale an end is infinite if the
  ///   control's mean is not clearly different from zero, and at least -1 if the metric cannot be negative; there is
  ///   no interval if the control's mean is 0, to which nothing is relative.
  public func confidenceInterval(on scale: MeanDifference.Scale, alpha: Double = 0.05) -> ConfidenceInterval? {
    guard alpha > 0, alpha < 1 else { return .unbounded }
    let distribution = StudentTDistribution(degreesOfFreedom: degreesOfFreedom)
    return interval(on: scale, criticalValue: distribution.quantile(upperTail: alpha / 2))
  }

  /// Returns the effects from which the difference is at most a critical value of standard errors away.
  func interval(on scale: MeanDifference.Scale, criticalValue: Double) -> ConfidenceInterval? {
    switch (model, scale) {
    case (.means, .relative) where baseline == 0: nil
    case (.shares(let pair), _): interval(of: pair, on: scale, criticalValue)
    case (.means, .absolute): ConfidenceInterval(value, plusMinus: criticalValue * standardError)
    case (.means(let variance, let covariance, let isNonnegative), .relative):
      fieller(variance, covariance, criticalValue).cut(at: isNonnegative ? -1 : -.infinity)
    }
  }

  /// Returns Fieller's interval of the relative effect of means.
  ///
  /// All r with (D - r B)^2 <= c^2 (S^2 + 2 r K + r^2 U), D being the difference, S its standard error, B the magnitude
  /// of the control's mean, U its variance, and K its covariance with the control's part of D. If B is not clearly
  /// above zero, so that B^2 <= c^2 U, these are all r, or all but those between two roots. Of the latter, the side of
  /// the difference's sign is returned if that is certain: a relative effect has the sign of its difference.
  private func fieller(_ variance: Double, _ covariance: Double, _ critical: Double) -> ConfidenceInterval {
    // In units of the difference's standard error nothing overflows.
    let (d, b) = (statistic, baseline.magnitude / standardError)
    let u = variance.squareRoot() / standardError
    let k = covariance / standardError / standardError * (baseline < 0 ? -1 : 1)
    let (c, square) = (critical, critical * critical)
    let leading = (b - c * u) * (b + c * u)
    let middle = d * b + square * k
    let last = (d - c) * (d + c)
    let discriminant = middle * middle - leading * last
    let root = max(0, discriminant).squareRoot()
    // The roots r with leading r^2 - 2 middle r + last = 0, by the formula in which no digits cancel.
    let sum = middle < 0 ? middle - root : middle + root
    let ends = [sum / leading, last / sum].filter(\.isFinite).sorted()
    if leading > 0, ends.count == 2 { return ConfidenceInterval(lower: ends[0], upper: ends[1]) }
    guard d.magnitude > c, let side = d > 0 ? ends.last : ends.first, (side > 0) == (d > 0) else { return .unbounded }
    return d > 0
      ? ConfidenceInterval(lower: side, upper: .infinity) : ConfidenceInterval(lower: -.infinity, upper: side)
  }

  /// Returns the effects on shares that a score test does not reject, by halving.
  private func interval(
    of pair: SharePair, on scale: MeanDifference.Scale, _ critical: Double
  ) -> ConfidenceInterval {
    func isRejected(_ effect: Double) -> Bool { statistic(against: effect, on: scale).magnitude > critical }
    let estimate = effect(on: scale)
    var inside = estimate
    // Without a conversion of the control only the least effect is bounded.
    if estimate.isInfinite {
      inside = 1
      while isRejected(inside), inside < 1e15 { inside *= 2 }
    }
    let lower = estimate == -1 ? -1 : boundary(from: inside, to: -1, isRejected)
    guard scale == .relative else {
      return ConfidenceInterval(lower: lower, upper: estimate == 1 ? 1 : boundary(from: inside, to: 1, isRejected))
    }
    var outside = inside + 1
    while outside < 1e15, estimate.isFinite, !isRejected(outside) { outside = 2 * outside + 1 }
    guard estimate.isFinite, isRejected(outside) else { return ConfidenceInterval(lower: lower, upper: .infinity) }
    return ConfidenceInterval(lower: lower, upper: boundary(from: inside, to: outside, isRejected))
  }

  /// Returns the last effect that is not rejected on the way to one that is.
  private func boundary(from first: Double, to last: Double, _ isRejected: (Double) -> Bool) -> Double {
    var (inside, outside) = (first, last)
    // Zero is decided by the test itself.
    if (inside < 0) != (outside < 0) {
      if isRejected(0) { outside = 0 } else { inside = 0 }
    }
    for _ in 0..<100 {
      let middle = inside + (outside - inside) / 2
      guard middle != inside, middle != outside else { break }
      if isRejected(middle) { outside = middle } else { inside = middle }
    }
    return inside
  }
}

extension ConfidenceInterval {
  /// Returns the interval without what is below a limit.
  fileprivate func cut(at limit: Double) -> Self { Self(lower: max(limit, lower), upper: max(limit, upper)) }
}
