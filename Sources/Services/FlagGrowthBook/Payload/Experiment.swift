/// An experiment of a feature's rule.
struct Experiment: Sendable {
  let key: String
  /// The number of the first variation's answer; those of the others follow.
  let firstAnswer: UInt32
  let variations: [Variation]
  let hash: BucketHash
  let unit: UnitAttribute
  let ranges: [BucketRange]
  var namespace: Namespace?
  var sticky = StickyRule()
  var bandit: Bandit?
  /// The number of the message that says why the bandit is malformed; nil if it is not.
  var failure: UInt32?

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
      /// The ranges of the variations; none if the weights do not fit them.
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
