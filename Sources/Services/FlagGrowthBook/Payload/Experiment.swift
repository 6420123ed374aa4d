import FlagPatterns

/// An experiment: of a feature's rule, or on its own.
struct Experiment: Sendable {
  enum Status: UInt8, Sendable { case running, draft, stopped }

  let key: String
  /// The number of the first variation's answer; those of the others follow.
  let firstAnswer: UInt32
  let variations: [Variation]
  let hash: BucketHash
  let unit: UnitAttribute
  let ranges: [BucketRange]
  var filters: Range<UInt32>?
  var namespace: Namespace?
  var condition: UInt32?
  var parents: Range<UInt32> = 0..<0
  var sticky = StickyRule()
  var bandit: Bandit?

  // These are only for experiments of their own, which belong to no feature.
  var status = Status.running
  var isActive = true
  var forced: Int?
  var groups: [String]?
  var addresses: [AddressTarget]?
  /// A pattern that the address, or the part of it after the host, must have.
  var addressPattern: Pattern?
  var keepsQuery = false
}

extension Experiment {
  /// A variation, besides its value.
  struct Variation: Sendable {
    /// The variation's key, by default its number.
    let key: String
    /// Whether the user goes on to the next rule, as in a holdout.
    let isPassthrough: Bool
    /// The key as metadata give it, if they do.
    let stickyKey: String?
  }

  /// The rule for keeping a user's variation.
  struct StickyRule: Sendable {
    var isDisabled = false
    var version = 0
    var minimumVersion = 0
  }

  /// A contextual bandit: weights that depend on attributes.
  struct Bandit: Sendable {
    struct Leaf: Sendable {
      let id: Int
      let condition: UInt32
      let weights: [Double]
      let ranges: [BucketRange]
    }

    var version: Int?
    var leaves: [Leaf]
    /// The weights for users without a leaf.
    let weights: [Double]

    /// The id of the leaf of users without one.
    static let noLeaf = -1
  }
}
