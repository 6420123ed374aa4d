import FlagDomain

extension Evaluation {
  /// Returns whether a relation holds between two versions; nil if one of the three is invalid.
  ///
  /// The work on the operands' values is in separate functions, because this one is on the stack once for each level of
  /// a rule.
  mutating func versionsCompare(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool? {
    guard instruction.shortcut == .version, trace == nil else {
      return try versionsCompare(values(of: instruction, on: program, for: context, in: scope))
    }
    let left = try value(of: program.part(0, of: instruction), on: program, for: context, in: scope)
    return try version(left, comparesWith: Int(instruction.payload), of: program)
  }

  @inline(never)
  private mutating func version(
    _ left: FlagValue?, comparesWith number: Int, of program: Program
  ) throws(RuleFailure) -> Bool? {
    guard let text = left?.versionText else { return nil }
    try charge(text.utf8.count)
    guard let version = SemanticVersion(text) else { return nil }
    // The known version is used in place: copying it would update reference counts that all threads share.
    return program.tables.versions[number].relation.holds(version, program.tables.versions[number].version)
  }

  @inline(never)
  private mutating func versionsCompare(_ operands: [FlagValue?]) throws(RuleFailure) -> Bool? {
    guard operands.count == 3, case .string(let name) = operands[1], let relation = VersionRelation(rawValue: name),
      let left = operands[0]?.versionText, let right = operands[2]?.versionText
    else {
      return nil
    }
    try charge(left.utf8.count + right.utf8.count)
    guard let left = SemanticVersion(left), let right = SemanticVersion(right) else { return nil }
    return relation.holds(left, right)
  }
}
