import FlagDefinitions
import FlagDomain

/// The distribution of a flag's outcomes over users' ids, if nothing else decides them.
struct OutcomeSpread {
  private struct Share {
    /// The end of the share among the equal parts of all ids, of which there are `total`.
    let end: UInt64
    let outcome: FlagOutcome
  }

  /// The expression that is hashed; nil for the flag's key and the id.
  private let subject: FlagValue?
  private let total: UInt64
  private let shares: [Share]

  private init(_ subject: FlagValue?, _ total: UInt64, _ shares: [Share]) {
    self.subject = subject
    self.total = total
    self.shares = shares
  }

  private init(everyone outcome: FlagOutcome) { self.init(nil, 1, [Share(end: 1, outcome: outcome)]) }

  var isConstant: Bool { shares.count == 1 }

  init?(of key: String, in document: any DefinitionDocument) {
    guard let document = document as? FlagDocument else { return nil }
    let flag: FlagDefinition?
    do throws(FlagError) {
      flag = try document.flag(key)
    } catch {
      self.init(everyone: FlagOutcome(.error))
      return
    }
    guard let flag else {
      self.init(everyone: FlagOutcome(.noFlag))
      return
    }
    guard !flag.hasOneAnswer, let root = flag.root else {
      let anyone = EvaluationContext(attributes: ["targetingKey": "anyone"])
      self.init(everyone: document.outcome(of: key, in: anyone, at: 0))
      return
    }
    guard root.kind == .operation, root.shortcut == .split else { return nil }
    let tables = flag.program.tables
    let split = tables.splits[Int(root.payload)]
    var subject: FlagValue?
    if split.hasSubject {
      guard let expression = flag.program.idExpression(flag.program.part(0, of: root)) else { return nil }
      subject = expression
    }
    guard (1...FlagValue.maximumWeight).contains(split.total) else {
      self.init(everyone: flag.outcome(ofResult: .null))
      return
    }
    let shares = tables.shares[split.shares].map { share in
      Share(end: share.end, outcome: flag.outcome(ofResult: tables.constants[Int(share.result.payload)]))
    }
    self.init(subject, split.total, shares)
  }

  /// Returns the exact moves of users when one distribution replaces another; nil if they cannot be derived.
  static func exactMoves(from old: OutcomeSpread, to new: OutcomeSpread) -> ChangeEffect? {
    guard old.isConstant || new.isConstant || old.subject == new.subject else { return nil }
    // Both divide the same range of ids; with this many parts, the ends of both are integers.
    let total = old.total * new.total
    var parts: [[FlagOutcome]: UInt64] = [:]
    var (start, changed, left, right) = (UInt64(0), UInt64(0), 0, 0)
    while left < old.shares.count, right < new.shares.count {
      let (leftEnd, rightEnd) = (old.shares[left].end * new.total, new.shares[right].end * old.total)
      let end = min(leftEnd, rightEnd)
      let pair = [old.shares[left].outcome, new.shares[right].outcome]
      if end > start, pair[0] != pair[1] {
        parts[pair, default: 0] += end - start
        changed += end - start
      }
      start = end
      if leftEnd == end { left += 1 }
      if rightEnd == end { right += 1 }
    }
    let moves = parts.map { ChangeEffect.Move(old: $0[0], new: $0[1], share: Double($1) / Double(total)) }
    return ChangeEffect(users: nil, moves: moves, share: Double(changed) / Double(total))
  }
}

extension DefinitionDocument {
  func outcome(of key: String, in context: EvaluationContext, at seconds: Int64) -> FlagOutcome {
    do throws(FlagError) {
      return try evaluate(key, in: context, at: seconds).map(FlagOutcome.init) ?? FlagOutcome(.noFlag)
    } catch {
      return FlagOutcome(.error)
    }
  }

  /// Returns a flag's outcome, and adds the steps that it took: one in a document of another format.
  func outcome(
    of key: String, in context: EvaluationContext, at seconds: Int64, counting work: inout Int
  ) -> FlagOutcome {
    guard let document = self as? FlagDocument else {
      work += 1
      return outcome(of: key, in: context, at: seconds)
    }
    do throws(FlagError) {
      guard let flag = try document.flag(key) else { return FlagOutcome(.noFlag) }
      return FlagOutcome(try flag.evaluate(in: context, at: seconds, counting: &work))
    } catch {
      return FlagOutcome(.error)
    }
  }
}

extension FlagDefinition {
  /// Whether all users get the same answer.
  package var hasOneAnswer: Bool { fixedAnswer != nil || root?.isConstant ?? true }

  /// Returns the outcome for users for whom the rule gives a value.
  fileprivate func outcome(ofResult value: FlagValue) -> FlagOutcome {
    do throws(FlagError) {
      return FlagOutcome(try answer(toResult: value))
    } catch {
      return FlagOutcome(.error)
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
