package import FlagDomain

extension FlagDefinition {
  /// The distribution of a flag's answers, if they depend on nothing but users' ids.
  package enum Spread {
    /// All users get the same answer.
    case constant
    /// A hash decides: of the subject, or of the flag's key and the id if there is no subject.
    case shares([Share], of: UInt64, subject: FlagValue?)

    /// A share of the ids: its end among the equal parts of all ids, and its answer.
    package struct Share {
      package let end: UInt64
      package let answer: Result<FlagAnswer, FlagError>
    }
  }

  /// The distribution of the flag's answers over users' ids; nil if they depend on anything else.
  package var spread: Spread? {
    guard fixedAnswer == nil, let root, !root.isConstant else { return .constant }
    guard root.kind == .operation, root.shortcut == .split else { return nil }
    let split = program.tables.splits[Int(root.payload)]
    var subject: FlagValue?
    if split.hasSubject {
      guard let expression = program.idExpression(program.part(0, of: root)) else { return nil }
      subject = expression
    }
    guard (1...FlagValue.maximumWeight).contains(split.total) else {
      return .shares([Spread.Share(end: 1, answer: answer(toResult: .null))], of: 1, subject: nil)
    }
    let shares = program.tables.shares[split.shares].map { share in
      Spread.Share(end: share.end, answer: answer(toResult: program.tables.constants[Int(share.result.payload)]))
    }
    return .shares(shares, of: split.total, subject: subject)
  }

  /// Returns the answer for users for whom the rule gives a value.
  private func answer(toResult value: FlagValue) -> Result<FlagAnswer, FlagError> {
    Result { () throws(FlagError) in
      try answer(to: value == .null ? .none : .value(value), isMissingTargetingKey: false)
    }
  }
}

extension Program {
  /// Returns an expression as JSON if it contains only the user's id, the flag's key and strings; else nil.
  fileprivate func idExpression(_ instruction: Instruction) -> FlagValue? {
    let operands = instruction.name == .concatenate && instruction.kind == .operation ? instruction.parts : nil
    let parts = operands.map { tables.instructions[$0].map { json($0, atMost: 1_000) } }
    let expression = json(instruction, atMost: 1_000)
    let id: FlagValue = ["var": "targetingKey"]
    let isMadeOfID = (parts ?? [expression]).allSatisfy { part in
      if case .string = part { return true }
      return part == id || part == ["var": "$flagd.flagKey"]
    }
    return isMadeOfID && (parts ?? [expression]).contains(id) ? expression : nil
  }
}
