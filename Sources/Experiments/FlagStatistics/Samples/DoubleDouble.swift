/// A number as the unevaluated sum of two: the nearest Double, and the rest that this Double leaves; about 106 bits.
///
/// T. J. Dekker, A floating-point technique for extending the available precision, Numerische Mathematik 18, 1971; D.
/// E. Knuth, The Art of Computer Programming 2, 4.2.2. Ten million additions leave a relative error of about 1e-24 of
/// the sum of the magnitudes, so that a sum does not depend on the order or the partition of its values. For infinite
/// and NaN values the first part has that value, and the second one is 0.
struct DoubleDouble: Hashable, Sendable {
  private(set) var value: Double
  private(set) var rest: Double

  init(_ value: Double, _ rest: Double = 0) {
    self.value = rest.isFinite ? value + rest : value
    let left = rest - (self.value - value)
    self.rest = left.isFinite ? left : 0
  }

  /// Creates the exact product of two numbers, unless it is too small to have a rest.
  init(product a: Double, _ b: Double) {
    self.init(a * b, (-(a * b)).addingProduct(a, b))
  }

  static func + (a: Self, b: Self) -> Self {
    let sum = a.value + b.value
    let part = sum - a.value
    return Self(sum, (a.value - (sum - part)) + (b.value - part) + (a.rest + b.rest))
  }

  static func += (a: inout Self, b: Self) { a = a + b }

  static func - (a: Self, b: Self) -> Self { a + Self(-b.value, -b.rest) }

  static func * (a: Self, b: Self) -> Self {
    let product = Self(product: a.value, b.value)
    return Self(product.value, product.rest + (a.value * b.rest + a.rest * b.value))
  }

  static func / (a: Self, b: Double) -> Self {
    let quotient = a.value / b
    return Self(quotient, (a.value.addingProduct(-quotient, b) + a.rest) / b)
  }
}
