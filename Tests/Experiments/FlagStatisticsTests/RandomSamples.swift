import FlagStatistics
import TestSupport

extension SeededGenerator {
  /// Returns a number that is uniformly distributed in a range.
  mutating func uniform(_ range: Range<Double> = 0..<1) -> Double { Double.random(in: range, using: &self) }

  /// Returns a normally distributed number.
  mutating func normal(mean: Double = 0, deviation: Double = 1) -> Double {
    mean + deviation * NormalDistribution().quantile(lowerTail: uniform(0x1p-60..<1))
  }

  /// Returns the statistics of normally distributed values.
  mutating func sample(_ count: Int, mean: Double = 0, deviation: Double = 1) -> SampleStatistics {
    SampleStatistics((0..<count).map { _ in normal(mean: mean, deviation: deviation) })
  }
}

extension Double {
  /// Whether the number differs from another by at most a part of that one.
  func isClose(to other: Double, within tolerance: Double = 1e-12) -> Bool {
    self == other || (self - other).magnitude <= tolerance * other.magnitude
  }

  /// Numbers that arithmetic tends to forget.
  static let extremes: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1e200, -1, -1e-200, -.leastNonzeroMagnitude, -0.0, 0,
    .leastNonzeroMagnitude,
    1e-200, 1e-9, 0.5, 1, 2, 1e9, 1e200, .greatestFiniteMagnitude, .infinity, .nan,
  ]
}
