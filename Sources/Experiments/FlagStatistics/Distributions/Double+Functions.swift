// The functions of the platform's C library that the standard library does not have. Nothing else here imports it.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension Double {
  func exponential() -> Double { exp(self) }

  /// Returns the natural logarithm of the number.
  func logarithm() -> Double { log(self) }

  /// Returns the natural logarithm of one plus the number, without rounding the sum first.
  func logarithmOfOneMore() -> Double { log1p(self) }

  /// Returns the complementary error function of the number (DLMF 7.2.2).
  func complementaryErrorFunction() -> Double { erfc(self) }

  /// Returns the natural logarithm of the absolute value of the gamma function of the number (DLMF 5.2.1).
  ///
  /// The overload that returns the sign is used; the other one writes it to a variable that all threads share.
  func logarithmOfGamma() -> Double {
    let (logarithm, _): (Double, Int) = lgamma(self)
    return logarithm
  }
}
