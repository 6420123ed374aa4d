/// An interval that contains an effect at some confidence level.
public struct ConfidenceInterval: Hashable, Sendable {
  /// The lower end, in the unit of the effect.
  public let lower: Double
  /// The upper end, in the unit of the effect.
  public let upper: Double

  /// Creates an interval.
  package init(lower: Double, upper: Double) { (self.lower, self.upper) = (lower, upper) }

  /// The unbounded interval: nothing is known.
  package static let unbounded = Self(lower: -.infinity, upper: .infinity)

  init(_ center: Double, plusMinus halfWidth: Double) {
    self.init(lower: center - halfWidth, upper: center + halfWidth)
  }

  /// Returns whether a value is in the closed interval.
  package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}

/// A direction in which a metric improves.
package enum Improvement: String, Sendable, CaseIterable {
  /// An improvement by a higher mean, as with revenue.
  case increase
  /// An improvement by a lower mean, as with crashes.
  case decrease
}
