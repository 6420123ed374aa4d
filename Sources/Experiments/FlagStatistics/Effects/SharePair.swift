/// Two shares of users, and the standard error of a contrast of them if a hypothesis about it is true.
struct SharePair: Hashable, Sendable {
  let control: ProportionStatistics
  let treatment: ProportionStatistics

  /// The standard error of the difference of equal shares.
  var pooledError: Double {
    let pooled = control.merged(with: treatment)
    return (pooled.variance * (1 / Double(control.count) + 1 / Double(treatment.count))).squareRoot()
  }

  /// Returns the standard error of T - `ratio` C for shares of this ratio.
  ///
  /// The most likely shares are the smaller root of a quadratic equation.
  func standardError(ofRatio ratio: Double) -> Double {
    let (users, conversions) = (counts, successes)
    let linear =
      users.treatment * ratio + conversions.treatment + users.control + conversions.control * ratio
    let total = conversions.control + conversions.treatment
    let discriminant = linear * linear - 4 * (users.control + users.treatment) * ratio * total
    let share = 2 * total / (linear + max(0, discriminant).squareRoot())
    return error(control: share, treatment: ratio * share, weight: ratio)
  }

  /// Returns the standard error of T - C for shares of this difference.
  ///
  /// The most likely shares are where the derivative of the logarithm of the likelihood, which falls, is zero.
  func standardError(ofDifference difference: Double) -> Double {
    let (users, conversions) = (counts, successes)
    func slope(_ successes: Double, _ count: Double, at share: Double) -> Double {
      (successes == 0 ? 0 : successes / share) - (successes == count ? 0 : (count - successes) / (1 - share))
    }
    var (lower, upper) = (max(0, -difference), min(1, 1 - difference))
    for _ in 0..<60 {
      let middle = lower + (upper - lower) / 2
      let isRising =
        slope(conversions.control, users.control, at: middle)
        + slope(conversions.treatment, users.treatment, at: middle + difference) > 0
      if isRising { lower = middle } else { upper = middle }
    }
    return error(control: lower, treatment: lower + difference, weight: 1)
  }

  private var counts: (control: Double, treatment: Double) { (Double(control.count), Double(treatment.count)) }

  private var successes: (control: Double, treatment: Double) {
    (Double(control.successes), Double(treatment.successes))
  }

  private func error(control share: Double, treatment other: Double, weight: Double) -> Double {
    func variance(_ share: Double, _ count: Int) -> Double { max(0, share * (1 - share)) / Double(count) }
    return (variance(other, treatment.count) + weight * weight * variance(share, control.count)).squareRoot()
  }
}
