import FlagDefinitions
import FlagDomain

extension LaunchDarklyDocument {
  /// Returns the names of the attributes that a flag reads, by itself or in flags and segments that it needs.
  func attributes(of key: String) -> Set<String> {
    var names = AttributeNames(definitions: definitions)
    guard let number = definitions.flags.names.number(of: key) else { return [] }
    names.addFlag(number)
    return names.found
  }
}

/// A collector of the attributes that flags read.
private struct AttributeNames {
  let definitions: Definitions
  private(set) var found: Set<String> = []
  private var flags: Set<Int> = []
  private var segments: Set<Int> = []

  init(definitions: Definitions) { self.definitions = definitions }

  mutating func addFlag(_ number: Int) {
    var waiting = [number]
    while let number = waiting.popLast() {
      guard flags.insert(number).inserted, let flag = definitions.flags.part(number) else { continue }
      for table in flag.targets { found.insert(AttributeReference.key.name(in: table.kind)) }
      add(flag.otherwise)
      for rule in flag.rules {
        add(rule.clauses)
        add(rule.choice)
      }
      waiting += flag.prerequisites.map(\.flag)
      for segment in flag.segments { addSegment(segment) }
    }
  }

  private mutating func addSegment(_ number: Int) {
    var waiting = [number]
    while let number = waiting.popLast() {
      guard segments.insert(number).inserted, let segment = definitions.segments.part(number) else { continue }
      for part in segment.included + segment.excluded { found.insert(AttributeReference.key.name(in: part.kind)) }
      for rule in segment.rules {
        add(rule.clauses)
        if rule.weight != nil { add(rule.bucketer) }
      }
      waiting += segment.segments
    }
  }

  private mutating func add(_ clauses: [Clause]) {
    for clause in clauses {
      if case .success(let attribute) = clause.attribute, !attribute.isKind {
        found.insert(attribute.name(in: clause.kind))
      }
    }
  }

  private mutating func add(_ choice: LaunchDarklyFlag.Choice) {
    if case .rollout(let rollout) = choice { add(rollout.bucketer) }
  }

  private mutating func add(_ bucketer: Bucketer) {
    if case .success(let attribute) = bucketer.attribute { found.insert(attribute.name(in: bucketer.kind)) }
  }
}
