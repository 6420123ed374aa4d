import FlagDefinitions
import FlagDomain

/// The values of an attribute that stand for all others: one for each way in which rules treat them.
struct RepresentativeValues {
  /// The values; the first is none.
  let values: [FlagValue?]
  /// Whether rules treat any other value like one of these.
  let isExhaustive: Bool

  /// The number of ids that are tried if splits are parts of other expressions.
  private static let usualIDs = 4_000
  /// The number of ids if other attributes count, too.
  private static let fewIDs = 32

  init(values: [FlagValue?], isExhaustive: Bool) { (self.values, self.isExhaustive) = (values, isExhaustive) }

  /// Finds the values of an attribute.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - rules: The parts of rules.
  ///   - seconds: The time that rules see.
  ///   - work: The number of steps so far.
  ///   - limit: The maximum number of steps, beyond which values that rules treat alike remain.
  init(of path: String, in rules: RuleParts, at seconds: Int64, counting work: inout Int, atMost limit: Int) {
    let parts = rules.reading(path)
    let others = Set(parts.flatMap(\.part.attributes)).subtracting([path]).sorted()
    let splits = parts.filter { $0.shape.kind == .split }
    let isSplitting = parts.contains(where: \.isSplitting)
    // A part that reads other attributes, too, may treat any two values differently.
    let isAlone = others.isEmpty
    let shapes = parts.map(\.shape).filter { $0.kind != .split }.map { isAlone ? $0 : PartShape(.other, $0.constants) }
    let changed = rules.changedConstants
    var candidates = CandidateValues(
      shapes, preferring: shapes.flatMap(\.constants).filter(changed.contains), names: others)
    work += candidates.values.count
    guard isAlone else {
      candidates.insert(rules.relatedConstants(of: path))
      if isSplitting { candidates.insert((1...Self.fewIDs).map { .string("user-\($0)") }) }
      self.init(values: candidates.values, isExhaustive: false)
      return
    }
    var classes = ValueClasses(of: path, parts.map(\.part), at: seconds)
    for value in candidates.values { classes.insert(value, counting: &work, atMost: limit) }
    var isCovered = true
    if !splits.isEmpty {
      let isFound = classes.insertIDs(of: splits, counting: &work, atMost: limit)
      // The shares of a split by the attribute itself depend on it other than by its hash: an array may be a share.
      let areHashesOnly = splits.allSatisfy { $0.shape.subject?.isVariable != true }
      isCovered = isFound && areHashesOnly && shapes.allSatisfy { TextConstants($0.constants).areWords }
    } else if isSplitting {
      classes.insertIDs(upTo: Self.usualIDs, counting: &work, atMost: limit)
    }
    self.init(values: classes.values, isExhaustive: candidates.isExhaustive && isCovered)
  }
}

/// The values of an attribute for which the parts of rules have different results, one for each combination of these.
private struct ValueClasses {
  private(set) var values: [FlagValue?] = []
  private let path: String
  private let parts: [RulePart]
  private let seconds: Int64
  private var known: Set<[RulePart.Outcome]> = []

  init(of path: String, _ parts: [RulePart], at seconds: Int64) {
    (self.path, self.parts, self.seconds) = (path, parts, seconds)
  }

  /// Adds a value, unless the parts treat it like one before; beyond the limit of steps, it is added in any case.
  mutating func insert(_ value: FlagValue?, counting work: inout Int, atMost limit: Int) {
    guard work < limit else {
      values.append(value)
      return
    }
    if known.insert(outcomes(of: parts, for: value, counting: &work)).inserted { values.append(value) }
  }

  private func outcomes(
    of parts: [RulePart], for value: FlagValue?, counting work: inout Int
  ) -> [RulePart.Outcome] {
    var attributes: [String: FlagValue] = [:]
    if let value { attributes.set(value, at: path.attributeNames) }
    let context = EvaluationContext(attributes: attributes)
    return parts.map { $0.outcome(in: context, at: seconds, counting: &work) }
  }

  /// Adds a number of ids, unless the parts treat them alike.
  mutating func insertIDs(upTo count: Int, counting work: inout Int, atMost limit: Int) {
    for number in 1...count where work < limit {
      insert(.string("user-\(number)"), counting: &work, atMost: limit)
    }
  }

  /// Adds ids until there is one for each combination of shares; returns whether all were found.
  mutating func insertIDs(of splits: [RuleParts.Part], counting work: inout Int, atMost limit: Int) -> Bool {
    var coverage = BucketCoverage()
    for split in splits {
      coverage.insert(split.json, subject: split.shape.subject, seed: .bool(split.bucketing == .v2))
    }
    let (wanted, count) = (coverage.count, Int(min(Self.maximumIDs, Self.idsPerShare / coverage.leastShare)))
    var found: Set<[RulePart.Outcome]> = []
    for number in 1...count where found.count < wanted && work < limit {
      let id = FlagValue.string("user-\(number)")
      let outcomes = outcomes(of: splits.map(\.part), for: id, counting: &work)
      if found.insert(outcomes).inserted { insert(id, counting: &work, atMost: limit) }
    }
    return found.count == wanted
  }

  /// The number of ids that are tried for the rarest share: one in a million shares of that size has none of them.
  private static let idsPerShare = 14.0
  private static let maximumIDs = 50_000.0
}

extension String {
  /// The names in the path of an attribute, as rules split it.
  var attributeNames: ArraySlice<String> {
    utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }[...]
  }
}

extension [String: FlagValue] {
  /// Sets a value inside nested objects, which have all names but the last; a value that is no object is replaced.
  mutating func set(_ value: FlagValue, at names: ArraySlice<String>) {
    guard let name = names.first else { return }
    guard names.count > 1 else {
      self[name] = value
      return
    }
    var inner = self[name]?.fields ?? [:]
    inner.set(value, at: names.dropFirst())
    self[name] = .object(inner)
  }
}
