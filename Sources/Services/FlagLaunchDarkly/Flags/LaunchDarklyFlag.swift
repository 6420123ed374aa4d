import FlagDomain

/// A flag, ready to be evaluated.
final class LaunchDarklyFlag: Sendable {
  let key: String
  let isOn: Bool
  let variations: [FlagValue]
  let off: Int?
  let prerequisites: [Prerequisite]
  let targets: [TargetTable]
  let rules: [Rule]
  /// The variation for those that no target and no rule matches: LaunchDarkly's "fallthrough".
  let otherwise: Choice
  /// Whether everyone gets the same choice while the flag is on.
  let isFixed: Bool
  /// Whether an SDK for apps or for pages may have the flag.
  let isForClients: Bool

  init(
    key: String, isOn: Bool, variations: [FlagValue], off: Int?, prerequisites: [Prerequisite], targets: [TargetTable],
    rules: [Rule], otherwise: Choice, isForClients: Bool
  ) {
    self.key = key
    self.isOn = isOn
    self.variations = variations
    self.off = off
    self.prerequisites = prerequisites
    self.targets = targets
    self.rules = rules
    self.otherwise = otherwise
    self.isForClients = isForClients
    isFixed = prerequisites.isEmpty && targets.isEmpty && rules.isEmpty
  }

  /// A flag that must have a variation before this one is on.
  struct Prerequisite: Sendable {
    let key: String
    /// The number of the flag in its document.
    let flag: Int
    let variation: Int
    let metadata: [String: FlagValue]
  }

  struct Rule: Sendable {
    let clauses: [Clause]
    let choice: Choice
    let metadata: [String: FlagValue]
    /// The metadata for a context that is in the rule's experiment.
    let experimentMetadata: [String: FlagValue]
  }

  /// The variation for the contexts that a rule matches.
  enum Choice: Sendable {
    case variation(Int)
    case rollout(Rollout)
    /// Neither, so that the flag is malformed for them.
    case none
  }

  /// The flag as servers and consoles list it; a variation's name is its number.
  var listing: ListedVariants { variations.enumerated().map { (name: String($0), value: $1) } }

  typealias ListedVariants = [(name: String, value: FlagValue)]
}

/// The keys of the contexts of one kind that a flag has variations for.
final class TargetTable: Sendable {
  let kind: ContextKind
  private let keys: KeyTable
  private let targets: [(order: Int, variation: Int)]

  /// Creates a table of the keys of all targets of a kind; a key that is in several of them has the first's variation.
  init(_ kind: ContextKind, _ all: [(order: Int, keys: [FlagValue], variation: Int)]) {
    var keys = KeyTable()
    var targets: [(order: Int, variation: Int)] = []
    for (order, added, variation) in all {
      for case .string(let key) in added where keys.insert(key) == targets.count { targets.append((order, variation)) }
    }
    (self.kind, self.keys, self.targets) = (kind, keys, targets)
  }

  /// The numbers of the variations that keys have.
  var variations: [Int] { targets.map(\.variation) }

  /// Returns the variation of a key, and the order of its target among all of the flag.
  func target(of key: String) -> (order: Int, variation: Int)? { keys.number(of: key).map { targets[$0] } }
}
