extension Double {
  /// Parses a number or a percentage, which is the number before its sign divided by 100; nil if it is not finite.
  package init?(percentage text: Substring) {
    let isPercentage = text.hasSuffix("%")
    var digits = text
    if isPercentage { repeat { digits.removeLast() } while digits.last == " " }
    guard let number = Double(digits), number.isFinite else { return nil }
    self = isPercentage ? number / 100 : number
  }
}
