import FlagDomain

/// A pseudorandom split into shares.
///
/// It is an object, so that an evaluation takes hold of it without copying its parts.
final class Split: Sendable {
  /// A share: what it gives, and how large it is beside the others.
  struct Share: Equatable, Sendable {
    let result: Rule
    var weight: Weight
  }

  /// A share's size, which may be known when the rule is compiled.
  enum Weight: Equatable, Sendable {
    case constant(UInt64)
    case rule(Rule)
  }

  /// What decides the bucket; nil for the flag's key and the targeting key.
  let subject: Rule?
  let shares: [Share]
  /// The sum of the weights; nil where one of them is not known yet.
  let total: UInt64?

  init(subject: Rule?, shares: [Share]) {
    self.subject = subject
    self.shares = shares
    total = shares.reduce(0) { total, share in
      guard let total, case .constant(let weight) = share.weight else { return nil }
      return total + weight
    }
  }
}

extension Split: Equatable {
  static func == (left: Split, right: Split) -> Bool {
    left === right || left.subject == right.subject && left.shares == right.shares
  }
}

extension Split {
  /// The largest sum of weights.
  static let maximumTotal = UInt64(Int32.max)

  /// Returns the place of the share that a bucket falls into: the first whose end lies beyond it.
  func share(inBucket bucket: UInt64) -> Int? {
    var end: UInt64 = 0
    return shares.indices.first { index in
      if case .constant(let weight) = shares[index].weight { end += weight }
      return bucket < end
    }
  }

  /// Returns the weight that a value stands for: a whole number, of which a negative one counts as 0.
  static func weight(_ value: FlagValue?) -> UInt64? {
    let whole: Int128? =
      switch value {
      case .int(let value): value
      case .double(let value): Int128(exactly: value)
      default: nil
      }
    // Larger weights make any sum too large, and so need not be told apart.
    return whole.map { UInt64(min(max($0, 0), Int128(maximumTotal) + 1)) }
  }
}
