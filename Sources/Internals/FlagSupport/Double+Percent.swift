import FlagDomain

extension Double {
  /// Returns the fraction as a percentage, such as `12.5 %`.
  ///
  /// A share that is neither none nor all is never written as 0 % or 100 %: it has more decimals instead, or is
  /// `nearly 100 %`.
  ///
  /// - Parameters:
  ///   - digits: The number of decimals, if those are enough.
  ///   - isTrimmed: Whether zeros at the end are left out.
  ///   - signed: Whether a number above zero has a sign, too.
  /// - Returns: The percentage, with its sign.
  package func percent(_ digits: Int = 1, isTrimmed: Bool = true, signed: Bool = false) -> String {
    "\(percentNumber(digits, isTrimmed: isTrimmed, signed: signed)) %"
  }

  /// Returns the fraction as the number of a percentage, without its sign.
  package func percentNumber(_ digits: Int = 1, isTrimmed: Bool = true, signed: Bool = false) -> String {
    let percentage = self * 100
    func looksWhole(_ digits: Int) -> Bool {
      let factor = (0..<digits).reduce(1.0) { power, _ in power * 10 }
      return [0, 100 * factor].contains((percentage.magnitude * factor).rounded())
    }
    let isWhole = self == 0 || magnitude == 1
    let enough = isWhole ? digits : (digits...Swift.max(9, digits)).first { !looksWhole($0) }
    guard let enough else { return "nearly \(rounded().percentNumber(0, signed: signed))" }
    let text = percentage.fixed(enough, signed: signed)
    guard isTrimmed, enough > 0, text.contains(".") else { return text }
    let significant = text.dropLast(text.reversed().prefix { $0 == "0" }.count)
    return String(significant.last == "." ? significant.dropLast() : significant)
  }

  /// Returns the number rounded to some decimals; in the shortest form if it is too large for that.
  package func fixed(_ digits: Int, signed: Bool = false) -> String {
    let factor = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let scaled = (magnitude * factor).rounded()
    let sign = scaled == 0 ? "" : self < 0 ? "-" : signed ? "+" : ""
    guard scaled < 1e15 else { return isNaN ? "?" : "\(sign)\(isInfinite ? "∞" : "\(magnitude)")" }
    let (whole, rest) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(factor))
    return sign + whole.grouped + (digits == 0 ? "" : ".\(rest.zeroPadded(to: digits))")
  }
}

extension Int {
  /// Returns the number as a percentage of a sum; `0 %` of nothing.
  package func percent(of sum: Int) -> String {
    guard sum > 0 else { return 0.0.percent() }
    // The quotient of two large numbers may round to one.
    return Swift.min(Double(self) / Double(sum), self < sum ? 1.0.nextDown : .infinity).percent()
  }
}

extension FixedWidthInteger {
  /// The number with commas between thousands.
  package var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}
