/// Student's t distribution.
///
/// A small tail is computed directly, never as one minus a large one, so that a tail of 1e-300 keeps its digits. NaN, a
/// probability outside 0...1 and impossible degrees of freedom give NaN.
package struct StudentTDistribution: Hashable, Sendable {
  /// The degrees of freedom, above 0, whole or not.
  package let degreesOfFreedom: Double

  /// Creates a distribution; with infinitely many degrees of freedom, the standard normal one.
  package init(degreesOfFreedom: Double) {
    self.degreesOfFreedom = degreesOfFreedom > 0 ? degreesOfFreedom : .nan
  }

  /// Returns the probability of a value above `x`.
  package func upperTail(at x: Double) -> Double {
    if isNormal { return NormalDistribution().upperTail(at: x) }
    return x < 0 ? 1 - outerTail(-x) : outerTail(x)
  }

  /// Returns the point above which a value lies with the given probability.
  package func quantile(upperTail probability: Double) -> Double {
    probability <= 0.5 ? innerQuantile(upperTail: probability) : -innerQuantile(upperTail: 1 - probability)
  }

  /// Whether the distribution equals the normal one in Double precision: their tails have a relative difference of
  /// about t^4 / (4 dof).
  private var isNormal: Bool { degreesOfFreedom > 1e24 }

  /// A value t of at least 0, in the form of the incomplete beta function's argument.
  private struct Point {
    /// The logarithm of 1 + t^2 / dof.
    let logarithm: Double
    /// dof / (dof + t^2).
    let inner: Double
    /// t^2 / (dof + t^2), the complement of `inner`, with all its digits.
    let outer: Double

    init(_ t: Double, _ degreesOfFreedom: Double) {
      let ratio = t / degreesOfFreedom.squareRoot()
      if ratio > 1e8 {
        logarithm = 2 * t.logarithm() - degreesOfFreedom.logarithm()
        inner = 1 / ratio / ratio
        outer = 1
      } else {
        logarithm = (ratio * ratio).logarithmOfOneMore()
        inner = 1 / (1 + ratio * ratio)
        outer = ratio * ratio * inner
      }
    }
  }

  /// Returns the probability density at a value above 0.
  private func density(at x: Double) -> Double {
    let point = Point(x, degreesOfFreedom)
    let power = (-(degreesOfFreedom + 1) / 2 * point.logarithm).exponential()
    return power * gammaQuotient / (degreesOfFreedom * .pi).squareRoot()
  }

  /// Returns the upper tail at a value of at least 0, half of the incomplete beta function I(dof/2, 1/2) at `inner`.
  private func outerTail(_ t: Double) -> Double {
    if t.isInfinite { return 0 }
    let point = Point(t, degreesOfFreedom)
    let factor =
      (-degreesOfFreedom / 2 * point.logarithm).exponential() * point.outer.squareRoot() * gammaQuotient
      / Double.pi.squareRoot()
    return t * t <= 2 && point.outer <= 0.75
      ? 0.5 - factor * innerSeries(at: point.outer) : 0.5 * factor / continuedFraction(at: point)
  }

  /// Returns the hypergeometric series of the central part (DLMF 8.17.8 with a = 1/2 and b = dof/2); all its terms are
  /// positive.
  private func innerSeries(at y: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var n = 0.0
    while term > sum * 1e-17 {
      term *= (degreesOfFreedom / 2 + 0.5 + n) * y / (1.5 + n)
      sum += term
      n += 1
    }
    return sum
  }

  /// Returns the continued fraction of the incomplete beta function with b = 1/2.
  ///
  /// A. R. Didonato and A. H. Morris, Algorithm 708, ACM Transactions on Mathematical Software 18, 1992, evaluated by
  /// Lentz's method as modified by Thompson and Barnett. Unlike DLMF 8.17.22 it has no differences of nearly equal
  /// numbers with many degrees of freedom.
  private func continuedFraction(at point: Point) -> Double {
    let a = degreesOfFreedom / 2
    let b = 0.5
    let excess = a * point.outer - b * point.inner + 1
    func denominator(_ n: Double) -> Double {
      n + n * (b - n) * point.inner / (a + 2 * n - 1) + (a + n) * (excess + n * (1 + point.outer)) / (a + 2 * n + 1)
    }
    var value = a / (a + 1) * excess
    var c = value
    var d = 0.0
    var n = 1.0
    while n < 10_000 {
      let odd = a + 2 * n - 1
      let numerator =
        (a + n - 1) / odd * (a + b + n - 1) / odd * n * (b - n) * point.inner * point.inner
      d = 1 / (denominator(n) + numerator * d)
      c = denominator(n) + numerator / c
      value *= c * d
      if !((c * d - 1).magnitude > 3e-16) { break }
      n += 1
    }
    return value
  }

  /// Gamma(dof/2 + 1/2) / Gamma(dof/2): by logarithms, and for large arguments by its series (DLMF 5.11.13).
  private var gammaQuotient: Double {
    let a = degreesOfFreedom / 2
    if a < 50 { return ((a + 0.5).logarithmOfGamma() - a.logarithmOfGamma()).exponential() }
    let coefficients: [Double] = [
      1, -1.0 / 8, 1.0 / 128, 5.0 / 1_024, -21.0 / 32_768, -399.0 / 262_144, 869.0 / 4_194_304,
    ]
    return a.squareRoot() * coefficients.reversed().reduce(0) { (sum: Double, next: Double) in sum / a + next }
  }

  /// Returns the quantile for an upper tail of at most a half.
  private func innerQuantile(upperTail probability: Double) -> Double {
    guard probability >= 0, probability <= 0.5, !degreesOfFreedom.isNaN else { return .nan }
    if probability == 0.5 { return 0 }
    if probability == 0 { return .infinity }
    let start = NormalDistribution().quantile(upperTail: probability)
    if isNormal { return start }
    return point(whereTailIs: probability, startingAt: start)
  }

  /// Returns the point at which the outer tail has a probability.
  ///
  /// Newton's method on the logarithm of the tail over the logarithm of the point, in which the tail is concave, so
  /// that it converges from one side. A step out of the interval that is known to contain the root halves that interval
  /// instead, by the bit patterns of its ends: positive numbers have the same order as their bit patterns.
  private func point(whereTailIs target: Double, startingAt start: Double) -> Double {
    // A tail as heavy as that with a third of a degree of freedom may extend past the greatest number.
    if outerTail(.greatestFiniteMagnitude) > target { return .infinity }
    var (lower, upper, x) = (0.0, Double.infinity, start)
    // Halving alone ends after 64 steps; Newton's steps before it are few.
    for _ in 0..<200 {
      let tail = outerTail(x)
      if tail == target { return x }
      if tail < target { upper = x } else { lower = x }
      var next = x * ((tail / target).logarithm() / (density(at: x) * x / tail)).exponential()
      if !(next > lower && next < upper) {
        next = Double(bitPattern: lower.bitPattern + (upper.bitPattern - lower.bitPattern) / 2)
      }
      if (next - x).magnitude <= 2 * x.ulp || next == lower { return next }
      x = next
    }
    return x
  }
}
