import FlagDefinitions
import FlagDomain

/// The combinations of shares that users can be in, if several splits hash the same attribute.
struct BucketCoverage {
  /// The splits with the same subject, by the subject.
  private var groups: [FlagValue: [[Share]]] = [:]

  fileprivate struct Share {
    /// The end of the share, as a part of a total.
    let end: UInt64
    let total: UInt64
    let result: FlagValue
  }

  /// Adds a split, as JSON, with its subject and anything else that its hash depends on.
  mutating func insert(_ split: FlagValue, subject: FlagValue?, seed: FlagValue) {
    let operands = split.fields?["fractional"]?.elements ?? []
    let weights = operands.dropFirst(subject == nil ? 0 : 1).compactMap(\.elements)
      .map { ($0.first ?? .null, $0.count > 1 ? $0[1].weight ?? 0 : 1) }
    let total = weights.reduce(0) { $0 + $1.1 }
    var end: UInt64 = 0
    let shares = weights.map { result, weight in
      end += weight
      return Share(end: end, total: total, result: result)
    }
    groups[[subject ?? .null, seed], default: []].append(total > 0 ? shares : [])
  }

  /// The number of different combinations of results, if the hashes of different subjects are independent.
  var count: Int {
    groups.values.reduce(1) { count, splits in
      let ends = splits.flatMap(\.self).filter { $0.end > 0 }
      let results = ends.map { end in splits.map { shares in shares.first { !$0.ends(before: end) }?.result } }
      return count.multipliedReportingOverflow(by: max(1, Set(results).count)).partialValue
    }
  }

  /// The share of users with the rarest combination, approximately.
  var leastShare: Double {
    groups.values.reduce(1) { share, splits in
      let ends = Set(splits.flatMap(\.self).map { Double($0.end) / Double($0.total) }).union([0, 1]).sorted()
      return share * zip(ends.dropFirst(), ends).map { $0 - $1 }.reduce(1, min)
    }
  }
}

extension BucketCoverage.Share {
  /// Returns whether this share ends before another one; totals have at most 31 bits.
  fileprivate func ends(before other: Self) -> Bool {
    end.multipliedFullWidth(by: other.total) < other.end.multipliedFullWidth(by: total)
  }
}
