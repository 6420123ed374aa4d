/// A quantile at which the values of users are capped, in parts of a million.
package struct CapQuantile: Hashable, Sendable {
  package static let million = 1_000_000
  /// The quantile times a million, above 0 and below a million.
  package let millionths: Int

  package init?(millionths: Int) {
    guard millionths > 0, millionths < Self.million else { return nil }
    self.millionths = millionths
  }

  /// Parses a fraction or a percentage, such as `99%` or `0.995`.
  package init(_ text: String) throws(AnalysisError) {
    guard let fraction = Double(percentage: text[...]), fraction > 0, fraction < 1,
      let quantile = Self(millionths: Int((fraction * Double(Self.million)).rounded()))
    else { throw AnalysisError("expected a quantile such as 99% or 99.5%, found \(text.quoted)") }
    self = quantile
  }

  /// Returns the place of the quantile among sorted numbers, from 1: the first with at least this share up to it.
  package func place(among count: Int) -> Int {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: Self.million)
    return whole * millionths + (rest * millionths + Self.million - 1) / Self.million
  }
}
