import FlagDomain
import FlagStatistics
import FlagSupport

extension Double {
  /// Returns the number with about four digits.
  func short(signed: Bool = false) -> String {
    if magnitude >= 1e12 || magnitude != 0 && magnitude < 0.0001 {
      return "\(signed && self > 0 ? "+" : "")\(twoDigits())"
    }
    let digits = magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : magnitude >= 1 ? 3 : 4
    return fixed(digits, signed: signed)
  }

  /// Returns the fraction as a percentage with about three digits, so that columns of them align.
  func share(signed: Bool = false) -> String {
    if magnitude >= 1e10 { return "\(signed && self > 0 ? "+" : "")\(twoDigits(times: 2)) %" }
    return percent(self == 0 || magnitude >= 10 ? 0 : magnitude < 0.01 ? 2 : 1, isTrimmed: false, signed: signed)
  }

  /// The probability with four decimals, and a smaller one with its power of ten.
  var probability: String {
    if isNaN { return "?" }
    if self >= 0.0001 { return fixed(4) }
    return self == 0 ? "< 1e-300" : twoDigits()
  }

  /// The p-value as an equation, or an inequality for one that is too small for a number.
  var equation: String { self == 0 ? "p \(probability)" : "p = \(probability)" }

  /// Returns the number, times a power of ten, with two digits and its power of ten.
  private func twoDigits(times power: Int = 0) -> String {
    guard isFinite, self != 0 else { return "\(self)" }
    var (digits, power) = (magnitude, power)
    while digits < 1 { (digits, power) = (digits * 10, power - 1) }
    // What would be rounded to 10.0 has the next power.
    while digits >= 9.95 { (digits, power) = (digits / 10, power + 1) }
    return "\(self < 0 ? "-" : "")\(digits.fixed(1))e\(power)"
  }
}

extension Int {
  /// The number of users in words.
  var groupedUsers: String { "\(grouped) \(self == 1 ? "user" : "users")" }
}

extension Metric {
  /// Whether the mean is a share of users.
  var isShare: Bool { kind == .share && per == nil }

  func text(_ mean: Double) -> String { !mean.isFinite ? "-" : isShare ? mean.share() : mean.short() }
}

extension Comparison {
  /// Returns the text of an effect, or of an end of its interval.
  func text(_ effect: Double, _ metric: Metric) -> String {
    if effect.isInfinite { return effect < 0 ? "-∞" : "∞" }
    if scale == .relative { return effect.share(signed: true) }
    return metric.isShare ? "\((effect * 100).fixed(2, signed: true)) pp" : effect.short(signed: true)
  }

  /// Returns the text of an interval, whose ends may be missing.
  func text(_ interval: ConfidenceInterval?, _ metric: Metric) -> String {
    guard let interval else { return "none: control is 0" }
    let (lower, upper) = (text(interval.lower, metric), text(interval.upper, metric))
    return switch (interval.lower.isFinite, interval.upper.isFinite) {
    case (true, true): "\(lower) to \(upper)"
    case (true, false): "\(lower), unbounded"
    case (false, true): "unbounded, \(upper)"
    case (false, false): "unbounded"
    }
  }

  /// The cells of what decides: the effect, its interval, and the p-value, which decides no guardrail.
  func cells(_ metric: Metric) -> [String] {
    [
      text(effect, metric), text(decidingInterval, metric),
      guardrail == nil ? deciding.decidingPValue.probability : "",
    ]
  }
}
