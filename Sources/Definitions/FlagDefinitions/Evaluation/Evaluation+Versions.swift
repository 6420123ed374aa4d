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
    return program.version(text, comparesWith: number)
  }

  @inline(never)
  private mutating func versionsCompare(_ operands: [FlagValue?]) throws(RuleFailure) -> Bool? {
    guard operands.count == 3, case .string(let name) = operands[1], let relation = VersionRelation(rawValue: name),
      var left = operands[0]?.versionText, var right = operands[2]?.versionText
    else {
      return nil
    }
    try charge(left.utf8.count + right.utf8.count)
    // The buffers are used only while the closures run.
    return left.withUTF8 { left in right.withUTF8 { right in relation.holds(left, right) } }
  }
}

extension Program {
  /// Returns whether a prepared comparison holds for a version; nil if the text is not a version.
  fileprivate func version(_ text: String, comparesWith number: Int) -> Bool? {
    let known = tables.versions[number]
    var text = text
    return text.withUTF8 { text in
      if let right = known.packed, let left = SemanticVersion.packed(text) {
        return known.relation.holds(packed: left, right)
      }
      guard let version = SemanticVersion(text) else { return nil }
      return tables.texts.withText(known.text) { other in
        known.relation.holds(
          VersionText(version: version, text: text), VersionText(version: known.version, text: other))
      }
    }
  }
}

extension VersionRelation {
  /// Returns whether the relation holds between the versions in two strings; nil if one of them is not a version.
  fileprivate func holds(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let leftVersion = SemanticVersion(left), let rightVersion = SemanticVersion(right) else { return nil }
    return holds(VersionText(version: leftVersion, text: left), VersionText(version: rightVersion, text: right))
  }
}
