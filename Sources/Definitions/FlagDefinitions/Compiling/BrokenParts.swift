package struct BrokenParts {
  private let program: Program
  /// The cached reasons why a part among these is broken, nil if none is; parts that rules share are searched once.
  private var known: [Range<Int>: String?] = [:]

  package init(of rule: Rule) { program = rule.program }

  package mutating func reason(in rule: Rule) -> String? { reason(in: rule.root) }

  private mutating func reason(in instruction: Instruction) -> String? {
    if instruction.kind == .broken { return program.tables.messages[Int(instruction.payload)] }
    let parts = instruction.parts
    guard !parts.isEmpty else { return nil }
    if let reason = known[parts] { return reason }
    // Compiled rules, including shared parts, never exceed the nesting limit of rules.
    var reason: String?
    for part in parts where reason == nil { reason = self.reason(in: program.tables.instructions[part]) }
    known[parts] = .some(reason)
    return reason
  }
}
