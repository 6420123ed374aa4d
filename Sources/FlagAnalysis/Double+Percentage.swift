extension Double {
  /// Reads a number, or a percentage, which is a hundredth of the number before its sign; nil for what is not finite.
  package init?(percentage text: Substring) {
    let isPercentage = text.hasSuffix("%")
    let digits = isPercentage ? text.dropLast().trimmingSuffix { $0 == " " } : text
    guard let number = Double(digits), number.isFinite else { return nil }
    self = isPercentage ? number / 100 : number
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isLeftOut: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isLeftOut(last) { rest.removeLast() }
    return rest
  }
}
