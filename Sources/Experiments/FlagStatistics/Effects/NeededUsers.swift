/// The factors to the users that would decide, if what they show stays as it is.
///
/// With k times the users of both groups a distance of z standard errors becomes sqrt(k) z. That is no promise: a true
/// effect is more often smaller than what is seen first, and a plan made before the start is ``RequiredSample``.
extension MeanDifference {
  /// Returns the first factor for which a distance exceeds the critical value of so many users, within 2 %.
  ///
  /// - Parameters:
  ///   - distance: The distance now, in standard errors.
  ///   - critical: The critical value for a number of users of both groups; nil if there is none.
  /// - Returns: The factor, at least 1; nil if it is above 100.
  fileprivate func factor(of distance: Double, beyond critical: (Double) -> Double?) -> Double? {
    sequence(first: 1.0) { $0 * 1.02 }.prefix { $0 <= 100 }.first { factor in
      critical(Double(count) * factor).map { distance.magnitude * factor.squareRoot() > $0 } ?? false
    }
  }

  /// Returns how many times as many users find the difference at one look; nil for more than a hundred times.
  package func neededUsers(level: Double) -> Double? {
    factor(of: statistic) { users in
      level > 0 && level < 1 ? quantile(upperTail: level / 2, users: users) : nil
    }
  }

  /// Returns the quantile of the test with other numbers of users.
  fileprivate func quantile(upperTail: Double, users: Double) -> Double {
    StudentTDistribution(degreesOfFreedom: degreesOfFreedom * users / Double(count)).quantile(upperTail: upperTail)
  }
}

extension SequentialTest {
  /// Returns how many times as many users find a difference, at any number of looks; nil for more than a hundred times.
  package func neededUsers(of difference: MeanDifference, level: Double) -> Double? {
    difference.factor(of: difference.statistic) { criticalValue(users: $0, level: level) }
  }
}

extension Guardrail {
  /// Returns how many times as many users hold or violate the guardrail; nil for more than a hundred times.
  package func neededUsers(of difference: MeanDifference, on scale: MeanDifference.Scale) -> Double? {
    guard alpha > 0, alpha < 0.5 else { return nil }
    let distance = difference.statistic(against: improvement == .increase ? -margin : margin, on: scale)
    return difference.factor(of: distance) { users in
      guard let tuning else { return difference.quantile(upperTail: alpha, users: users) }
      return SequentialTest(alpha: 2 * alpha, tuning: tuning).criticalValue(users: users, level: 2 * alpha)
    }
  }
}
