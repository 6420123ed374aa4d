import FlagDomain
import FlagSupport

/// A percentage that a person reads or enters, in millionths of a percent.
struct Percentage: Hashable {
  /// The number of millionths of a percent.
  var units: Int64

  /// The units of the whole, 100 %, and of the steps that people think in, 0.1 %.
  static let (whole, step) = (Int64(100_000_000), Int64(100_000))
}

extension Percentage {
  /// Parses a number from 0 to 100 with at most six decimal places, with or without the percent sign.
  init(entering text: String, for name: String) throws(FlagError) {
    let number = text.trimmingSpaces.hasSuffix("%") ? String(text.trimmingSpaces.dropLast()) : text
    let parts = number.trimmingSpaces.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard (1...3).contains(parts[0].utf8.count), (1...6).contains(fraction.utf8.count),
      let percent = Int64(digits: parts[0]), let rest = Int64(digits: fraction)
    else { throw Self.refusal(of: text, for: name) }
    let scale = (fraction.utf8.count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
    units = Int64(percent) * 1_000_000 + rest * scale
    guard units <= Self.whole else { throw Self.refusal(of: text, for: name) }
  }

  private static func refusal(of text: String, for name: String) -> FlagError {
    let found = text.trimmingSpaces.isEmpty ? "nothing" : "“\(text.prefix(60))”"
    return FlagError(
      .typeMismatch, "share of \(name): expected a number from 0 to 100 with at most 6 decimal places, found \(found)")
  }

  /// Returns a part of a sum as it is typed: in full if six decimal places can express it, and else rounded.
  static func typed(_ part: Int, in sum: Int) -> String {
    guard sum > 0 else { return "0" }
    let isExact = (Int128(part) * Int128(whole)).isMultiple(of: Int128(sum))
    return (Double(part) / Double(sum)).percentNumber(isExact ? 6 : 1)
  }
}

extension WeightedSplit {
  /// Sets shares by percentages, and gives what remains to the shares without one, in proportion.
  ///
  /// The sum of the weights stays if it can express the shares; or else it is the smallest power of ten that can.
  ///
  /// - Parameter percentages: The percentages in the order of the shares; nil for one that gets a part of the rest.
  /// - Throws: An error if a percentage is malformed, or if they do not add up to 100 %.
  mutating func setShares(_ percentages: [String?]) throws(FlagError) {
    var units: [Int64?] = []
    for (entry, text) in zip(entries, percentages) {
      units.append(try text.map { text throws(FlagError) in try Percentage(entering: text, for: entry.variant).units })
    }
    let given: Int64 = units.reduce(0) { sum, unit in sum + (unit ?? 0) }
    guard given == Percentage.whole || given < Percentage.whole && units.contains(nil) else {
      throw FlagError(
        .general, "expected shares that add up to 100 %, found \((Double(given) / Double(Percentage.whole)).percent())")
    }
    let shares = filled(units, with: Percentage.whole - given)
    let powers: [Int64] = [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
    // The largest candidate expresses every share, and no product exceeds 64 bits.
    let new = ([Int64(sum)] + powers).first { sum in
      (1...Int64(Int32.max)).contains(sum) && shares.allSatisfy { $0 * sum % Percentage.whole == 0 }
    }
    for (index, share) in shares.enumerated() {
      entries[index].weight = Int(share * (new ?? Percentage.whole) / Percentage.whole)
    }
  }

  /// Distributes a rest over the shares that are nil, in steps of 0.1 %, or finer ones if the other shares have those.
  private func filled(_ units: [Int64?], with rest: Int64) -> [Int64] {
    var step = Percentage.step
    while step > 1, units.contains(where: { ($0 ?? 0) % step != 0 }) { step /= 10 }
    let open = units.indices.filter { units[$0] == nil }
    let weights = open.map { Double(entries[$0].weight) }
    let total = weights.reduce(0, +)
    let steps = Double(rest / step)
    let exact: [Double] = weights.map { weight in total > 0 ? steps * weight / total : steps / Double(open.count) }
    var counts: [Int64] = exact.map { Int64($0.rounded(.down)) }
    // The largest remainders get the steps that rounding down left over.
    let left: [Double] = exact.map { $0 - $0.rounded(.down) }
    let order = left.indices.sorted { left[$0] == left[$1] ? $0 < $1 : left[$0] > left[$1] }
    let missing = Int(max(0, rest / step - counts.reduce(0, +)))
    for index in order.prefix(missing) { counts[index] += 1 }
    var shares = units.map { $0 ?? 0 }
    for (index, count) in zip(open, counts) { shares[index] = count * step }
    return shares
  }
}

extension Int64 {
  /// Parses decimal digits, without a sign.
  fileprivate init?(digits: Substring) {
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(digits)
  }
}
