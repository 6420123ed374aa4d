/// A feature: a default, and the rules that override it.
struct Feature: Sendable {
  /// The number of the default's answer.
  var defaultAnswer: UInt32 = 0
  /// The numbers of the rules.
  var rules: Range<UInt32> = 0..<0
  /// The number of the message that says why the feature is malformed; nil if it is not.
  var failure: UInt32?
  /// Whether a rule refers to saved groups or contextual bandits, which are defined outside the feature.
  var usesSharedParts = false
  /// Whether a rule depends on other features.
  var hasParents = false
}

/// A rule of a feature.
struct FeatureRule: Sendable {
  enum Kind: UInt8, Sendable {
    /// The rule gives the value of the rollout with its number.
    case force
    /// The rule runs the experiment with its number.
    case experiment
    /// The rule does nothing.
    case none
  }

  var kind = Kind.none
  var number: UInt32 = 0
  /// The numbers of the conditions on other features.
  var parents: Range<UInt32> = 0..<0
  var filters: Range<UInt32> = 0..<0
  var condition: UInt32?
}

/// A value that is given to all users, or to a share of them.
final class Rollout: Sendable {
  let answer: UInt32
  let hash: BucketHash
  let unit: UnitAttribute
  let share: BucketRange?

  init(answer: UInt32, hash: BucketHash, unit: UnitAttribute, share: BucketRange?) {
    (self.answer, self.hash, self.unit, self.share) = (answer, hash, unit, share)
  }
}

/// A condition on the value of another feature.
struct ParentCondition: Sendable {
  let key: String
  /// The number of the feature; nil if the document does not have it.
  var feature: Int?
  let condition: UInt32
  /// Whether the feature has no value if the condition does not hold.
  let isGate: Bool
}

/// A filter that only lets users of some buckets pass.
struct UserFilter: Sendable {
  let hash: BucketHash
  let unit: UnitAttribute
  let ranges: [BucketRange]
}

/// The attribute whose value assigns users to buckets, and another for users without it.
struct UnitAttribute: Sendable {
  /// An attribute by its name, in which a dot has no meaning.
  struct Name: Sendable {
    let name: String
    /// The number of the path that has only the name.
    let path: UInt32
  }

  let main: Name
  let fallback: Name?
}
