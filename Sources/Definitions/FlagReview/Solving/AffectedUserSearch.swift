import FlagDefinitions
package import FlagDomain
import FlagSupport

/// A user whom a change of a flag's definition gives another outcome.
package struct AffectedUser: Hashable, Sendable {
  /// The outcome before the change.
  package let old: FlagOutcome
  /// The outcome after the change.
  package let new: FlagOutcome
  /// The user's attributes that the rules depend on; the id is `targetingKey`.
  package let attributes: [String: FlagValue]
}

/// A search for users whom a change of a flag affects, by solving the conditions of its rules.
///
/// Both rules are evaluated for a user without attributes, and the attributes that they read are recorded: every user
/// with the same values of these gets the same outcomes. Then each of these attributes gets its other representative
/// values, one after the other, and so on. If no user is left to evaluate, all users have been covered.
struct AffectedUserSearch {
  /// The users that a search found, and the steps that it took.
  struct Result {
    var work = 0
    /// The first user that was found for each pair of outcomes.
    var users: [AffectedUser] = []
    /// Whether every user is like one that was evaluated.
    var isComplete = false
    /// Whether a user was evaluated whose outcome stays.
    var keepsSome = false
  }

  private var found = Result()
  private let sides: [Side]
  private let seconds: Int64
  private let limit: Int
  private var rules: RuleParts
  private var known: [String: RepresentativeValues] = [:]
  private var steps: [Step] = [Step(previous: nil, path: "", value: nil)]
  /// The steps that are still to be taken.
  private var waiting = [0]
  private var generator = SplitMix64(state: 1)
  /// Whether there are users unlike all that are evaluated.
  private var isOpen: Bool
  /// The attributes that unknown rules read.
  private let unknownPaths: [String]

  fileprivate enum Side {
    case fixed(FlagOutcome)
    case rule(FlagDefinition)
    /// A document of another format, whose rules are unknown.
    case unknown(key: String, any DefinitionDocument)
  }

  /// An attribute's value, and the step that led to it: together the attributes of a user.
  private struct Step {
    let previous: Int?
    let path: String
    let value: FlagValue?
  }

  init(
    of key: String, from old: any DefinitionDocument, to new: any DefinitionDocument, at seconds: Int64,
    atMost limit: Int
  ) {
    sides = [Side(key, old), Side(key, new)]
    (self.seconds, self.limit) = (seconds, limit)
    isOpen = !(old is FlagDocument && new is FlagDocument)
    unknownPaths = sides.flatMap(\.unknownPaths)
    // A vendor's rules may refuse a user without an id.
    if isOpen { steps = [Step(previous: nil, path: "targetingKey", value: "user-1")] }
    let flags = sides.compactMap { if case .rule(let flag) = $0 { flag } else { nil } }
    rules = RuleParts(of: flags, at: seconds, counting: &found.work)
  }

  /// The maximum number of pairs of outcomes.
  private static let maximumUsers = 8
  /// The steps after the first user that was found, beside as many as there were before.
  private static let furtherWork = 20_000
  /// The steps of work for a step of the search, which takes memory.
  private static let workPerStep = 4
  /// The steps that an evaluation of an unknown rule counts as.
  private static let workOfUnknownRule = 64
  /// The maximum number of names in the path of an attribute.
  private static let maximumNames = 32

  /// Searches until every user is covered, or the steps are used up.
  consuming func result() -> Result {
    run()
    return found
  }

  private mutating func run() {
    var limit = limit
    while let step = next() {
      guard found.work < limit, found.users.count < Self.maximumUsers else { return }
      let assigned = attributes(of: step)
      let reads = ContextReads()
      evaluate(assigned.attributes, reads)
      if found.users.count == 1 { limit = min(limit, max(limit / 8, 2 * found.work + Self.furtherWork)) }
      isOpen = isOpen || reads.areOpen
      let paths = reads.paths + unknownPaths.filter { !reads.paths.contains($0) }
      isOpen = !branch(on: paths.filter { !assigned.paths.contains($0) }, after: step) || isOpen
    }
    found.isComplete = !isOpen && !hasOverlaps
  }

  /// Returns the next step: in turn the last one, to satisfy conditions one after the other, and any one.
  private mutating func next() -> Int? {
    guard !waiting.isEmpty else { return nil }
    if Bool.random(using: &generator) {
      let index = Int.random(in: waiting.indices, using: &generator)
      waiting.swapAt(index, waiting.count - 1)
    }
    return waiting.popLast()
  }

  /// Adds the steps to the other values of attributes that a user without them was evaluated for.
  ///
  /// - Returns: Whether the values stand for all values.
  private mutating func branch(on paths: [String], after step: Int) -> Bool {
    var (previous, isExhaustive) = (step, true)
    for path in paths {
      let values = values(of: path)
      isExhaustive = isExhaustive && values.isExhaustive
      for value in values.values.dropFirst().reversed() {
        waiting.append(steps.count)
        steps.append(Step(previous: previous, path: path, value: value))
      }
      steps.append(Step(previous: previous, path: path, value: nil))
      previous = steps.count - 1
      found.work += Self.workPerStep * values.values.count
    }
    return isExhaustive
  }

  private mutating func values(of path: String) -> RepresentativeValues {
    if let values = known[path] { return values }
    guard path.attributeNames.count <= Self.maximumNames else { return .none }
    let share = found.work + max(0, limit - found.work) / 2
    let values = RepresentativeValues(of: path, in: rules, at: seconds, counting: &found.work, atMost: share)
    known[path] = values
    return values
  }

  /// Whether an attribute is a part of another one, so that their values depend on each other.
  private var hasOverlaps: Bool {
    let paths = Set(known.keys)
    return paths.contains { path in
      let names = path.attributeNames
      return (1..<max(1, names.count)).contains { paths.contains(names.prefix($0).joined(separator: ".")) }
    }
  }

  private mutating func attributes(of step: Int) -> (attributes: [String: FlagValue], paths: Set<String>) {
    var (attributes, paths, next) = ([String: FlagValue](), Set<String>(), Optional(step))
    while let number = next {
      let step = steps[number]
      if let value = step.value { attributes.set(value, at: step.path.attributeNames) }
      paths.insert(step.path)
      found.work += 1
      next = step.previous
    }
    return (attributes, paths)
  }

  private mutating func evaluate(_ attributes: [String: FlagValue], _ reads: ContextReads) {
    let context = EvaluationContext(attributes: attributes)
    var outcomes: [FlagOutcome] = []
    for side in sides {
      switch side {
      case .fixed(let outcome): outcomes.append(outcome)
      case .rule(let flag):
        outcomes.append(flag.outcome(in: context, at: seconds, counting: &found.work, recording: reads))
      case .unknown(let key, let document):
        found.work += Self.workOfUnknownRule
        outcomes.append(document.outcome(of: key, in: context, at: seconds))
      }
    }
    found.work += 1
    if outcomes[0] == outcomes[1] { found.keepsSome = true }
    guard outcomes[0] != outcomes[1], !found.users.contains(where: { [$0.old, $0.new] == outcomes }) else { return }
    found.users.append(AffectedUser(old: outcomes[0], new: outcomes[1], attributes: attributes))
  }
}

extension AffectedUserSearch.Side {
  /// The attributes that the rule reads, if no more is known of it.
  fileprivate var unknownPaths: [String] {
    if case .unknown(let key, let document) = self { document.attributes(of: key).sorted() } else { [] }
  }

  fileprivate init(_ key: String, _ document: any DefinitionDocument) {
    guard let document = document as? FlagDocument else {
      self = .unknown(key: key, document)
      return
    }
    do throws(FlagError) {
      guard let flag = try document.flag(key) else {
        self = .fixed(FlagOutcome(.noFlag))
        return
      }
      self = flag.fixedAnswer.map { .fixed(FlagOutcome($0)) } ?? .rule(flag)
    } catch {
      self = .fixed(FlagOutcome(.error))
    }
  }
}

extension RepresentativeValues {
  /// No other value than none.
  fileprivate static let none = RepresentativeValues(values: [nil], isExhaustive: false)
}

extension FlagDefinition {
  fileprivate func outcome(
    in context: EvaluationContext, at seconds: Int64, counting work: inout Int, recording reads: ContextReads
  ) -> FlagOutcome {
    do throws(FlagError) {
      return FlagOutcome(try evaluate(in: context, at: seconds, counting: &work, recording: reads))
    } catch {
      return FlagOutcome(.error)
    }
  }
}
