import FlagDefinitions
import FlagDomain

/// The values of an attribute for which the parts of rules have different results, one for each combination of these.
struct ValueClasses {
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
    var attributes: [String: FlagValue] = [:]
    if let value { attributes.set(value, at: path.attributeNames) }
    let context = EvaluationContext(attributes: attributes)
    let outcomes = parts.map { $0.outcome(in: context, at: seconds, counting: &work) }
    if known.insert(outcomes).inserted { values.append(value) }
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
      guard case .split(let subject) = split.shape else { continue }
      coverage.insert(split.json, subject: subject, seed: .bool(split.bucketing == .v2))
    }
    let (wanted, count) = (coverage.count, Int(min(Self.maximumIDs, Self.idsPerShare / coverage.leastShare)))
    var found: Set<[RulePart.Outcome]> = []
    for number in 1...count where found.count < wanted && work < limit {
      let id = FlagValue.string("user-\(number)")
      var attributes: [String: FlagValue] = [:]
      attributes.set(id, at: path.attributeNames)
      let context = EvaluationContext(attributes: attributes)
      let outcomes = splits.map { $0.part.outcome(in: context, at: seconds, counting: &work) }
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
