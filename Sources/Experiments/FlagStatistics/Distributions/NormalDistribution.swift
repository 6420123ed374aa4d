/// The normal distribution.
///
/// A small tail is computed directly, never as one minus a large one, so that a tail of 1e-300 keeps its digits. NaN, a
/// probability outside 0...1 and an impossible deviation give NaN.
package struct NormalDistribution: Hashable, Sendable {
  /// The mean, in the unit of the values.
  package let mean: Double
  /// The standard deviation, above 0, in the unit of the values.
  package let standardDeviation: Double

  /// Creates a distribution; without parameters, the standard one.
  package init(mean: Double = 0, standardDeviation: Double = 1) {
    self.mean = mean
    self.standardDeviation = standardDeviation > 0 ? standardDeviation : .nan
  }

  /// Returns the probability density at a point.
  package func density(at x: Double) -> Double {
    let z = (x - mean) / standardDeviation
    return (-z * z / 2).exponential() / (standardDeviation * (2 * Double.pi).squareRoot())
  }

  /// Returns the probability of a value of at most `x`.
  package func lowerTail(at x: Double) -> Double { Self.upperTail((mean - x) / standardDeviation) }

  /// Returns the probability of a value above `x`.
  package func upperTail(at x: Double) -> Double { Self.upperTail((x - mean) / standardDeviation) }

  /// Returns the point below which a value lies with the given probability.
  package func quantile(lowerTail probability: Double) -> Double {
    mean + standardDeviation * Self.quantile(probability)
  }

  /// Returns the point above which a value lies with the given probability.
  package func quantile(upperTail probability: Double) -> Double {
    mean - standardDeviation * Self.quantile(probability)
  }

  /// Returns the upper tail of the standard distribution (DLMF 7.2.2 and 7.18(iv)).
  ///
  /// At z = 37 the tail changes by 1,400 times the relative change of its argument, so the rounding error of z / sqrt 2
  /// is corrected by the derivative of the function.
  private static func upperTail(_ z: Double) -> Double {
    let half = 0.5.squareRoot()
    let restOfHalf = -4.833646656726457e-17  // sqrt 0.5 less its nearest Double
    let x = z * half
    let tail = 0.5 * x.complementaryErrorFunction()
    let rest = (-x).addingProduct(z, half) + z * restOfHalf
    let correction = (-x * x).exponential() * rest / Double.pi.squareRoot()
    return correction.isFinite ? tail - correction : tail
  }

  /// Returns the quantile of the standard distribution.
  ///
  /// Algorithm AS 241, PPND16 (M. J. Wichura, Applied Statistics 37, 1988), of a relative accuracy of about 1e-16. The
  /// constants are the paper's.
  private static func quantile(_ probability: Double) -> Double {
    guard probability >= 0, probability <= 1 else { return .nan }
    let q = probability - 0.5
    if q.magnitude <= 0.425 { return q * central.value(at: 0.180625 - q * q) }
    let tail = q < 0 ? probability : 1 - probability
    guard tail > 0 else { return q < 0 ? -.infinity : .infinity }
    let r = (-tail.logarithm()).squareRoot()
    let x = r <= 5 ? middle.value(at: r - 1.6) : outer.value(at: r - 5)
    return q < 0 ? -x : x
  }

  private static let central = RationalFunction(
    numerator: [
      3.387_132_872_796_366_608_0, 1.331_416_678_917_843_774_5e2, 1.971_590_950_306_551_442_7e3,
      1.373_169_376_550_946_112_5e4, 4.592_195_393_154_987_145_7e4, 6.726_577_092_700_870_085_3e4,
      3.343_057_558_358_812_810_5e4, 2.509_080_928_730_122_672_7e3,
    ],
    denominator: [
      1, 4.231_333_070_160_091_125_2e1, 6.871_870_074_920_579_083_0e2, 5.394_196_021_424_751_107_7e3,
      2.121_379_430_158_659_586_7e4, 3.930_789_580_009_271_061_0e4, 2.872_908_573_572_194_267_4e4,
      5.226_495_278_852_854_561_0e3,
    ])

  private static let middle = RationalFunction(
    numerator: [
      1.423_437_110_749_683_577_34, 4.630_337_846_156_545_295_90, 5.769_497_221_460_691_405_50,
      3.647_848_324_763_204_605_04, 1.270_458_252_452_368_382_58, 2.417_807_251_774_506_117_70e-1,
      2.272_384_498_926_918_458_33e-2, 7.745_450_142_783_414_076_40e-4,
    ],
    denominator: [
      1, 2.053_191_626_637_758_821_87, 1.676_384_830_183_803_849_40, 6.897_673_349_851_000_045_50e-1,
      1.481_039_764_274_800_745_90e-1, 1.519_866_656_361_645_719_66e-2, 5.475_938_084_995_344_946_00e-4,
      1.050_750_071_644_416_843_24e-9,
    ])

  private static let outer = RationalFunction(
    numerator: [
      6.657_904_643_501_103_777_20, 5.463_784_911_164_114_369_90, 1.784_826_539_917_291_335_80,
      2.965_605_718_285_048_912_30e-1, 2.653_218_952_657_612_309_30e-2, 1.242_660_947_388_078_438_60e-3,
      2.711_555_568_743_487_578_15e-5, 2.010_334_399_292_288_132_65e-7,
    ],
    denominator: [
      1, 5.998_322_065_558_879_376_90e-1, 1.369_298_809_227_358_053_10e-1, 1.487_536_129_085_061_485_25e-2,
      7.868_691_311_456_132_591_00e-4, 1.846_318_317_510_054_681_80e-5, 1.421_511_758_316_445_888_70e-7,
      2.044_263_103_389_939_785_64e-15,
    ])
}

/// A quotient of two polynomials, their coefficients from the lowest power up.
private struct RationalFunction {
  let numerator: [Double]
  let denominator: [Double]

  func value(at x: Double) -> Double { Self.polynomial(numerator, x) / Self.polynomial(denominator, x) }

  private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
    coefficients.reversed().reduce(0) { $0 * x + $1 }
  }
}
