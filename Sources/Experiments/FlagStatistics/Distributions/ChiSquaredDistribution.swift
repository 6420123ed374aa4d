/// The chi-squared distribution: the sum of the squares of independent standard normal values.
package struct ChiSquaredDistribution: Hashable, Sendable {
  /// The degrees of freedom, above 0 and at most a million: the number of squares.
  ///
  /// Far below 1 the upper tail loses digits.
  package let degreesOfFreedom: Double

  /// Creates a distribution.
  package init(degreesOfFreedom: Double) {
    self.degreesOfFreedom = degreesOfFreedom > 0 && degreesOfFreedom <= 1_000_000 ? degreesOfFreedom : .nan
  }

  /// Returns the probability of a value above a point, the survival function.
  ///
  /// A small one is computed directly, never as one minus a large one. NaN and impossible degrees of freedom give NaN.
  package func upperTail(at value: Double) -> Double {
    guard !value.isNaN, !shape.isNaN else { return .nan }
    let x = value / 2
    if x <= 0 { return 1 }
    if x.isInfinite { return 0 }
    return x < shape + 1
      ? 1 - min(1, term(at: x) * series(at: x)) : min(1, term(at: x) * shape * continuedFraction(at: x))
  }

  /// The parameter of the incomplete gamma functions P and Q, whose argument is half of a value.
  private var shape: Double { degreesOfFreedom / 2 }

  /// Returns x^a e^-x / Gamma(a + 1).
  ///
  /// A large a uses its distance from the largest such term (C. Loader, Fast and Accurate Computation of Binomial
  /// Probabilities, 2000), so that no large logarithms are subtracted.
  private func term(at x: Double) -> Double {
    let a = shape
    if a < 16 {
      if x > 1_400 { return 0 }  // The least number above 0 is larger.
      // In two halves, since e^-x alone underflows before the product does.
      let half = (-x / 2).exponential()
      return half * (a * x.logarithm() - (a + 1).logarithmOfGamma()).exponential() * half
    }
    let square = 1 / (a * a)
    // Stirling's series (DLMF 5.11.1).
    let stirling = (1 / 12 - square * (1 / 360 - square * (1 / 1_260 - square / 1_680))) / a
    return (-stirling - a * excess(of: x)).exponential() / (2 * .pi * a).squareRoot()
  }

  /// Returns d minus the logarithm of 1 + d, where d is the relative distance of `x` from a.
  ///
  /// Computed by that formula, a small d would have no digits left; the series of the logarithm keeps them.
  private func excess(of x: Double) -> Double {
    let d = (x - shape) / shape
    guard d.magnitude < 0.1 else { return d - (x / shape).logarithm() }
    let v = d / (2 + d)
    let square = v * v
    let odd = (0..<8).reversed().reduce(0.0) { $0 * square + 1 / Double(2 * $1 + 3) }
    return v * (d - 2 * square * odd)
  }

  /// Returns the series of the lower tail over its first term (DLMF 8.11.4); all its terms are positive.
  private func series(at x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var n = 1.0
    while term > sum * 1e-17 {
      term *= x / (shape + n)
      sum += term
      n += 1
    }
    return sum
  }

  /// Returns the continued fraction of the upper tail (DLMF 8.9.2, its even part), by Lentz's method.
  private func continuedFraction(at x: Double) -> Double {
    var b = x + 1 - shape
    var c = Double.infinity
    var d = 1 / b
    var value = d
    var n = 1.0
    while n < 100_000 {
      let numerator = -n * (n - shape)
      b += 2
      d = 1 / (b + numerator * d)
      c = b + numerator / c
      value *= c * d
      if !((c * d - 1).magnitude > 3e-16) { break }
      n += 1
    }
    return value
  }
}
