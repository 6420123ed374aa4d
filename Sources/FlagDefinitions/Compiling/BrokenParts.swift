package struct BrokenParts {
  private let program: Program
  /// Why one of an instruction's parts is broken, if one is; rules that share parts are looked through once.
  private var known: [Range<Int>: String?] = [:]

  package init(of rule: Rule) { program = rule.program }

  package mutating func reason(in rule: Rule) -> String? { reason(in: rule.root) }

  private mutating func reason(in instruction: Instruction) -> String? {
    if instruction.kind == .broken { return program.tables.messages[Int(instruction.payload)] }
    let parts = instruction.parts
    guard !parts.isEmpty else { return nil }
    if let reason = known[parts] { return reason }
    // Compiled rules are no deeper than rules may be, whatever they share.
    var reason: String?
    for part in parts where reason == nil { reason = self.reason(in: program.tables.instructions[part]) }
    known[parts] = .some(reason)
    return reason
  }
}
