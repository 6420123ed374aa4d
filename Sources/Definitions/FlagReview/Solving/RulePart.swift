import FlagDefinitions
import FlagDomain

/// A part of a rule that is evaluated as a whole: a comparison, or a result.
///
/// The rule is made of these by conditions, conjunctions, alternatives and negations.
struct RulePart: Sendable {
  private let flag: FlagDefinition
  private let root: Instruction
  /// Whether only the truth of the value counts.
  let isTest: Bool
  /// The paths of the attributes that the part reads.
  let attributes: Set<String>
  /// The part as in a document, with shared rules in place; "..." if it is too long.
  let json: FlagValue

  fileprivate init(_ root: Instruction, isTest: Bool, of flag: FlagDefinition, atMost limit: Int) {
    (self.root, self.isTest, self.flag) = (root, isTest, flag)
    json = flag.program.json(root, atMost: limit)
    attributes = flag.program.attributes(of: root)
      .union(flag.program.mayHashTargetingKey(root, bucketing: flag.bucketing) ? ["targetingKey"] : [])
  }

  /// The result of a part, as far as the rule depends on it.
  enum Outcome: Hashable, Sendable {
    case truth(Bool)
    case value(FlagValue)
    case failure
  }

  /// Returns the part's result for a context, and adds the number of steps that it took.
  func outcome(in context: EvaluationContext, at seconds: Int64, counting work: inout Int) -> Outcome {
    do throws(FlagError) {
      let value = try flag.value(of: root, in: context, at: seconds, counting: &work)
      return isTest ? .truth(value.isTruthy) : .value(value ?? .null)
    } catch {
      return .failure
    }
  }
}

extension FlagDefinition {
  /// Returns the parts of the flag's rule, each shared one once; the JSON of all takes at most a number of bytes.
  func parts(atMost bytes: Int) -> [RulePart] {
    guard fixedAnswer == nil, let root else { return [] }
    var parts: [RulePart] = []
    var (waiting, known, bytesLeft) = ([(root, isTest: false)], Set<[UInt32]>(), bytes)
    while let (instruction, isTest) = waiting.popLast() {
      guard !instruction.isConstant,
        instruction.count == 0 || known.insert([instruction.first, isTest ? 1 : 0]).inserted
      else { continue }
      if let operands = program.branches(of: instruction, isTest: isTest) {
        waiting += operands
      } else {
        let part = RulePart(instruction, isTest: isTest, of: self, atMost: bytesLeft)
        bytesLeft = max(0, bytesLeft - part.json.jsonSize)
        parts.append(part)
      }
    }
    return parts
  }
}

extension Program {
  /// Returns the operands of a part that only chooses among them, or negates one; nil for any other part.
  fileprivate func branches(of instruction: Instruction, isTest: Bool) -> [(Instruction, isTest: Bool)]? {
    guard instruction.kind == .operation else { return nil }
    let operands = instruction.parts.map { tables.instructions[$0] }
    switch instruction.name {
    case .condition:
      return operands.enumerated().map { index, part in
        (part, isTest: isTest || index.isMultiple(of: 2) && index + 1 < operands.count)
      }
    case .and, .or: return operands.map { ($0, isTest: isTest) }
    case .not,
      .truth where operands.count == 1:
      return [(operands[0], isTest: true)]
    default: return nil
    }
  }

  /// Returns whether the targeting key may decide a bucket in an instruction or its parts, without being named.
  fileprivate func mayHashTargetingKey(_ root: Instruction, bucketing: Bucketing) -> Bool {
    var (waiting, known) = ([root], Set<UInt32>())
    while let instruction = waiting.popLast() {
      if instruction.kind == .operation, instruction.name == .fractional {
        let isNamed = instruction.shortcut == .split && tables.splits[Int(instruction.payload)].hasSubject
        if !isNamed || bucketing == .v2 { return true }
      }
      guard instruction.count > 0, known.insert(instruction.first).inserted else { continue }
      waiting += instruction.parts.map { tables.instructions[$0] }
    }
    return false
  }
}
