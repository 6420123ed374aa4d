import FlagDomain
import FlagStatistics

extension Double {
  /// Returns the number rounded to some decimals; in the shortest form if it is too large for that.
  func fixed(_ digits: Int, signed: Bool = false) -> String {
    let factor = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let scaled = (magnitude * factor).rounded()
    let sign = scaled == 0 ? "" : self < 0 ? "-" : signed ? "+" : ""
    guard scaled < 1e15 else { return isNaN ? "?" : "\(sign)\(magnitude)" }
    let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(factor))
    return sign + whole.grouped + (digits == 0 ? "" : ".\(rest.zeroPadded(to: digits))")
  }

  /// Returns the number with about four digits.
  func short(signed: Bool = false) -> String {
    if magnitude != 0, magnitude < 0.0001 { return "\(signed && self > 0 ? "+" : "")\(twoDigits)" }
    let digits = magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : magnitude >= 1 ? 3 : 4
    return fixed(digits, signed: signed)
  }

  func percent(signed: Bool = false) -> String {
    let percentage = self * 100
    let digits = percentage == 0 || percentage.magnitude >= 1000 ? 0 : percentage.magnitude < 1 ? 2 : 1
    return "\(percentage.fixed(digits, signed: signed)) %"
  }

  /// The fraction as a round percentage, without trailing zeros.
  var roundPercent: String {
    let percentage = (self * 1e6).rounded() / 1e4
    return percentage == percentage.rounded() ? "\(percentage.fixed(0)) %" : "\(percentage) %"
  }

  /// The probability with four decimals, and a smaller one with its power of ten.
  var probability: String {
    if isNaN { return "?" }
    if self >= 0.0001 { return fixed(4) }
    return self == 0 ? "< 1e-300" : twoDigits
  }

  /// The p-value as an equation, or an inequality for one that is too small for a number.
  var equation: String { self == 0 ? "p \(probability)" : "p = \(probability)" }

  /// The number with two digits and its power of ten.
  private var twoDigits: String {
    guard isFinite, self != 0 else { return "\(self)" }
    var (digits, power) = (magnitude, 0)
    while digits < 1 { (digits, power) = (digits * 10, power - 1) }
    while digits >= 10 { (digits, power) = (digits / 10, power + 1) }
    return "\(self < 0 ? "-" : "")\(digits.fixed(1))e\(power)"
  }
}

extension Int {
  /// The number with commas between thousands.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}

extension Metric {
  /// Whether the mean is a share of users.
  var isShare: Bool { kind == .share && per == nil }

  func text(_ mean: Double) -> String { mean.isNaN ? "-" : isShare ? mean.percent() : mean.short() }
}

extension Comparison {
  /// Returns the text of an effect, or of an end of its interval.
  func text(_ effect: Double, _ metric: Metric) -> String {
    if effect.isInfinite { return effect < 0 ? "-∞" : "∞" }
    if scale == .relative { return effect.percent(signed: true) }
    return metric.isShare ? "\((effect * 100).fixed(2, signed: true)) pp" : effect.short(signed: true)
  }

  /// Returns the text of an interval, whose ends may be missing.
  func text(_ interval: ConfidenceInterval, _ metric: Metric) -> String {
    let (lower, upper) = (text(interval.lower, metric), text(interval.upper, metric))
    return switch (interval.lower.isFinite, interval.upper.isFinite) {
    case (true, true): "\(lower) to \(upper)"
    case (true, false): "\(lower), unbounded"
    case (false, true): "unbounded, \(upper)"
    case (false, false): "unbounded"
    }
  }
}
