/// A probability distribution of one real number: its density, its tails and its quantiles.
///
/// A small tail is computed directly, never as one minus a large one, so that a tail of 1e-300 keeps its digits. Every
/// function accepts every number: NaN, a probability outside 0...1 and impossible parameters of the distribution give
/// NaN.
public protocol ContinuousDistribution: Hashable, Sendable {
  /// Returns the probability density at a point.
  func density(at x: Double) -> Double
  /// Returns the probability of a value of at most `x`, the cumulative distribution function.
  func lowerTail(at x: Double) -> Double
  /// Returns the probability of a value above `x`, the survival function.
  func upperTail(at x: Double) -> Double
  /// Returns the point below which a value lies with the given probability.
  func quantile(lowerTail probability: Double) -> Double
  /// Returns the point above which a value lies with the given probability.
  func quantile(upperTail probability: Double) -> Double
}

/// One tail of a distribution over positive numbers, and the search for the point at which it has a given probability.
struct PositiveTail {
  let probability: (Double) -> Double
  let density: (Double) -> Double
  /// Whether the tail grows with the point, as the lower one does.
  let isLower: Bool

  /// Returns the point at which the tail has a probability in 0...1.
  ///
  /// Newton's method on the logarithm of the tail over the logarithm of the point, in which the tails of Student's t
  /// and of chi-squared are concave, so that it converges from one side. A step out of the interval that is known to
  /// contain the root halves that interval instead, by the bit patterns of its ends: positive numbers have the same
  /// order as their bit patterns.
  func point(where target: Double, startingAt start: Double) -> Double {
    // A tail as heavy as that of t with a third of a degree of freedom may extend past the greatest number.
    if !isLower, probability(.greatestFiniteMagnitude) > target { return .infinity }
    var lower = 0.0
    var upper = Double.infinity
    var x = start
    // Halving alone ends after 64 steps; Newton's steps before it are few.
    for _ in 0..<200 {
      let tail = probability(x)
      if tail == target { return x }
      if (tail < target) == isLower { lower = x } else { upper = x }
      let slope = density(x) * x / tail
      let step = (tail / target).logarithm() / (isLower ? -slope : slope)
      var next = x * step.exponential()
      if !(next > lower && next < upper) {
        next = Double(bitPattern: lower.bitPattern + (upper.bitPattern - lower.bitPattern) / 2)
      }
      if (next - x).magnitude <= 2 * x.ulp || next == lower { return next }
      x = next
    }
    return x
  }
}
