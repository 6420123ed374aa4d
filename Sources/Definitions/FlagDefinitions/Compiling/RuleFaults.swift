import FlagDomain

/// A search for the first part of each rule of a program that has a fault; parts that rules share are searched once.
package struct RuleFaults {
  private let find: (Program.Tables, Instruction) -> String?
  /// The cached faults of the parts at these places, nil for none.
  private var known: [Range<Int>: String?] = [:]

  private init(_ find: @escaping (Program.Tables, Instruction) -> String?) { self.find = find }

  /// The parts that cannot be evaluated.
  package static var broken: Self { Self { $1.kind == .broken ? $0.messages[Int($1.payload)] : nil } }

  /// The parts that hold for nobody, since they cannot read a constant operand.
  static var misread: Self { Self { $0.misreading(of: $1) } }

  package mutating func reason(in rule: Rule) -> String? { reason(in: rule.root, of: rule.program.tables) }

  private mutating func reason(in instruction: Instruction, of tables: Program.Tables) -> String? {
    if let reason = find(tables, instruction) { return reason }
    let parts = instruction.parts
    guard !parts.isEmpty else { return nil }
    if let reason = known[parts] { return reason }
    // Compiled rules, including shared parts, never exceed the nesting limit of rules.
    var reason: String?
    for part in parts where reason == nil { reason = self.reason(in: tables.instructions[part], of: tables) }
    known[parts] = .some(reason)
    return reason
  }
}

extension Program.Tables {
  /// Returns what an operator expects of a constant operand that it cannot read; nil if it can read all of them.
  func misreading(of part: Instruction) -> String? {
    guard part.kind == .operation, part.shortcut == .none else { return nil }
    switch part.name {
    case .in:
      guard let list = instructions[part.parts].dropFirst().first.flatMap(constant) else { return nil }
      switch list {
      case .string, .array: return nil
      default: return "expected a string or an array to look in, found \(list.summary)"
      }
    case .startsWith, .endsWith:
      if part.count != 2 { return "expected two strings, found \(Int(part.count).counted("operand"))" }
      for value in instructions[part.parts].compactMap(constant) {
        guard case .string = value else { return "expected a string, found \(value.summary)" }
      }
    case .version:
      let found = Int(part.count).counted("operand")
      if part.count != 3 { return "expected two versions and a relation, found \(found)" }
      for (index, operand) in instructions[part.parts].enumerated() {
        guard let value = constant(operand) else { continue }
        let isRead =
          index == 1
          ? value.text.flatMap(VersionRelation.init) != nil : value.versionText.flatMap { SemanticVersion($0) } != nil
        if !isRead { return "expected \(index == 1 ? "a relation" : "a version"), found \(value.summary)" }
      }
    default: break
    }
    return nil
  }

  func constant(_ instruction: Instruction) -> FlagValue? {
    // A conditional expression would make the nil a null.
    guard instruction.isConstant else { return nil }
    return constants[Int(instruction.payload)]
  }
}
