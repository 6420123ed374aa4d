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
    let shapes = parts.map(\.shape).filter { $0.kind != .split }.map { isAlone ? $0 : .other($0.constants) }
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
      isCovered = isFound && Self.areHashesOnly(splits) && shapes.allSatisfy { TextConstants($0.constants).areWords }
    } else if isSplitting {
      classes.insertIDs(upTo: Self.usualIDs, counting: &work, atMost: limit)
    }
    self.init(values: classes.values, isExhaustive: candidates.isExhaustive && isCovered)
  }

  /// Returns whether the shares of splits do not depend on the attribute other than by its hash: an array may be a
  /// share itself.
  private static func areHashesOnly(_ splits: [RuleParts.Part]) -> Bool {
    splits.allSatisfy { split in
      if case .split(let subject) = split.shape { subject?.isVariable != true } else { false }
    }
  }
}
