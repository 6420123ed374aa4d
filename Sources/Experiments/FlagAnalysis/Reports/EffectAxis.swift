import FlagStatistics

/// An axis of effects that covers all effects, the finite ends of their intervals, and 0.
struct EffectAxis {
  let lower: Double
  let upper: Double

  /// Creates the axis of comparisons; nil if none of their intervals is finite.
  ///
  /// Intervals of any number of looks extend it by at most half of the range of the others on each side.
  init?(_ comparisons: [Comparison]) {
    func ends(_ intervals: [ConfidenceInterval?]) -> [Double] {
      intervals.compactMap(\.self).flatMap { [$0.lower, $0.upper] }.filter(\.isFinite)
    }
    let inner = ends(comparisons.map(\.oneLook.interval)) + comparisons.map(\.effect).filter(\.isFinite) + [0]
    // Within these bounds no difference is infinite or 0.
    guard inner.count > 1, let low = inner.min(), let high = inner.max(), low > -1e300, high < 1e300,
      high - low > 1e-300
    else { return nil }
    let outer = ends(comparisons.map(\.decidingInterval)) + inner
    let margin = (high - low) / 2
    lower = max(outer.min() ?? low, low - margin)
    upper = min(outer.max() ?? high, high + margin)
  }

  /// Returns the position of an effect, from 0 to 1; clamped to the ends.
  func place(of effect: Double) -> Double { min(1, max(0, (effect - lower) / (upper - lower))) }

  /// Returns the ends of the interval that decides that are beyond the axis: -1 for the lower one, 1 for the upper one.
  func cutEnds(of comparison: Comparison) -> [Int] {
    guard let interval = comparison.decidingInterval else { return [] }
    return (interval.lower < lower ? [-1] : []) + (interval.upper > upper ? [1] : [])
  }

  /// The ticks of the scale: multiples of 1, 2 or 5 times a power of ten, six at most.
  var ticks: [Double] {
    let least = (upper - lower) / 6
    var step = 1.0
    while step > least { step /= 10 }
    while step * 10 <= least { step *= 10 }
    // Now the step is at most the least one, and ten times the step is more.
    step *= [1.0, 2, 5, 10].first { step * $0 >= least } ?? 10
    let first = (lower / step).rounded(.up)
    return (0...6).map { (first + Double($0)) * step }.filter { $0 <= upper }
  }
}
