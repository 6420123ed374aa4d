import FlagDomain

/// A range of buckets, without its end.
struct BucketRange: Hashable, Sendable {
  let start: Double
  let end: Double

  func contains(_ bucket: Double) -> Bool { bucket >= start && bucket < end }
}

extension [BucketRange] {
  /// Creates the ranges of variations that share a part of all users.
  ///
  /// Weights that do not fit the variations, or whose sum is not about 1, are replaced by equal ones.
  ///
  /// - Parameters:
  ///   - count: The number of variations.
  ///   - coverage: The share of users that are included, from 0 to 1.
  ///   - weights: The weight of each variation, or nil for equal ones.
  init(_ count: Int, coverage: Double, weights: [Double]?) {
    let coverage = Swift.min(Swift.max(coverage, 0), 1)
    var start = 0.0
    self = Self.usable(weights, of: count).map { weight in
      defer { start += weight }
      return BucketRange(start: start, end: start + coverage * weight)
    }
  }

  /// Returns the first range with a bucket; nil if none has it.
  func index(of bucket: Double) -> Int? { firstIndex { $0.contains(bucket) } }

  /// Returns the weights that are in effect for a number of variations.
  static func usable(_ weights: [Double]?, of count: Int) -> [Double] {
    guard let weights, isFitting(weights, count) else { return equalWeights(count) }
    return weights
  }

  /// Returns whether there is a weight for each of a number of variations, none is negative, and their sum is about 1.
  static func isFitting(_ weights: [Double], _ count: Int) -> Bool {
    weights.count == count && weights.allSatisfy { $0 >= 0 } && (0.99...1.01).contains(weights.reduce(0, +))
  }

  static func equalWeights(_ count: Int) -> [Double] {
    count < 1 ? [] : [Double](repeating: 1 / Double(count), count: count)
  }
}

/// A part of a namespace, whose experiments exclude each other.
struct Namespace: Sendable {
  private let hash: BucketHash
  private let range: BucketRange

  init(_ name: String, _ range: BucketRange) {
    hash = BucketHash(seed: "__" + name, version: 1)
    self.range = range
  }

  /// Creates a part from its name and the ends of its range; nil for any other values.
  init?(_ parts: [FlagValue]) {
    guard parts.count == 3, let name = parts[0].text, let range = FlagValue.array(Array(parts[1...])).range else {
      return nil
    }
    self.init(name, range)
  }

  func contains(_ user: String) -> Bool { hash.bucket(of: user).map(range.contains) ?? false }
}
