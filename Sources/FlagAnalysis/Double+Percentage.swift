extension Double {
  /// Reads a number, or a percentage, which is a hundredth of the number before its sign; nil if it is not finite.
  package init?(percentage text: Substring) {
    let isPercentage = text.hasSuffix("%")
    var digits = text
    if isPercentage { repeat { digits.removeLast() } while digits.last == " " }
    guard let number = Double(digits), number.isFinite else { return nil }
    self = isPercentage ? number / 100 : number
  }
}
