import FlagDomain
import FlagFiles

/// The arrangement of a join's sums, which is known once all events were read.
struct JoinLayout {
  /// The names of conversions, in order of their labels.
  let names: [String]
  /// The ranks of variants, names and segments by their texts, which decide between events at the same time.
  let ranks: (variants: [Int], names: [Int], segments: [Int])
  /// The ratios whose names are known, with the labels of both names.
  let ratios: [(ratio: Ratio, numerator: Int, denominator: Int)]
  var plan: JoinPlan
  /// The smallest share of units that a tracker kept.
  let kept: Double
  /// The largest value of a unit by the label of the name; infinite without a cap.
  var caps: [Double]

  init(_ plan: JoinPlan, variants: Labels, names: Labels, segments: Labels, kept: Double) {
    (self.plan, self.names, self.kept) = (plan, names.texts, kept)
    ranks = (variants.ranks, names.ranks, segments.ranks)
    ratios = plan.ratios.compactMap { ratio in
      guard let numerator = names.texts.firstIndex(of: ratio.numerator.name),
        let denominator = names.texts.firstIndex(of: ratio.denominator.name)
      else { return nil }
      return (ratio, numerator, denominator)
    }
    caps = Array(repeating: .infinity, count: names.texts.count)
  }
}

extension JoinLayout {
  /// Sets the largest value of a unit for each name: the quantile of all units with conversions under it.
  ///
  /// The values are sorted in memory, of which they take 8 bytes for each unit and name.
  mutating func measureCaps(_ quantile: CapQuantile, of partitions: inout Partitions) throws(FileError) {
    var layout = self
    layout.plan.measuresDays = false
    var values = names.map { _ in [Double]() }
    try partitions.take(keeping: true) { records in
      var join = UnitJoin(layout)
      var days = DaySums(variants: 0, names: 0)
      join.join(records, days: &days)
      join.forEachValue { name, value in values[name].append(value) }
    }
    for (name, values) in values.enumerated() where !values.isEmpty {
      caps[name] = values.sorted()[quantile.place(among: values.count) - 1]
    }
  }
}

/// Texts and their indexes, in order of first occurrence.
struct Labels {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  /// The rank of each text in the order of their bytes.
  var ranks: [Int] {
    let order = texts.indices.sorted { texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8) }
    var ranks = order
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    return ranks
  }
}
