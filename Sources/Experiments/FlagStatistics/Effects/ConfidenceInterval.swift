/// An interval that contains an effect at some confidence level; from a posterior distribution, a credible interval.
public struct ConfidenceInterval: Hashable, Sendable {
  /// The lower end, in the unit of the effect.
  public let lower: Double
  /// The upper end, in the unit of the effect.
  public let upper: Double

  /// Creates an interval.
  public init(lower: Double, upper: Double) { (self.lower, self.upper) = (lower, upper) }

  /// The unbounded interval: nothing is known.
  public static let unbounded = Self(lower: -.infinity, upper: .infinity)
}

extension ConfidenceInterval {
  init(_ center: Double, plusMinus halfWidth: Double) {
    self.init(lower: center - halfWidth, upper: center + halfWidth)
  }

  /// The distance between the ends, in the unit of the effect.
  public var width: Double { upper - lower }

  /// Returns whether a value is in the closed interval.
  public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }

  /// Returns the quantile of the standard normal distribution for half of an alpha in (0, 1); nil for any other alpha.
  static func normalQuantile(alpha: Double) -> Double? {
    alpha > 0 && alpha < 1 ? NormalDistribution().quantile(upperTail: alpha / 2) : nil
  }
}

/// A direction in which a metric improves.
public enum Improvement: String, Sendable, CaseIterable {
  /// An improvement by a higher mean, as with revenue.
  case increase
  /// An improvement by a lower mean, as with crashes.
  case decrease
}
