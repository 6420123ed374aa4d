import FlagDomain
import FlagJSON

extension FlagTable {
  /// Returns errors of rules with a part that cannot be evaluated, and warnings of those, and of defaults, that name
  /// something that there is not.
  func diagnostics() -> [UnlocatedDiagnostic] {
    var found: [UnlocatedDiagnostic] = []
    var (broken, misread, results) = (RuleFaults.broken, RuleFaults.misread, RuleResultNames?.none)
    for case .flag(let flag) in entries {
      if let name = flag.defaultVariant, flag.defaultIndex == nil {
        found.warn(flag.path("defaultVariant"), "no variant is named \(name.quoted)")
      }
      guard let rule = flag.rule else { continue }
      if !rule.program.tables.messages.isEmpty, let reason = broken.reason(in: rule) {
        found.fail(flag.path("targeting"), reason)
      }
      if rule.program.tables.hasMisreadings, let reason = misread.reason(in: rule) {
        found.warn(flag.path("targeting"), "\(reason): this condition holds for nobody")
      }
      if results == nil { results = RuleResultNames(of: rule.program) }
      if let name = results?.first(in: rule.root, that: { flag.variants.index(ofVariant: $0) == nil }) {
        found.warn(flag.path("targeting"), "the rule can give \(name.quoted), which is not a variant")
      }
    }
    return found
  }

  /// The keys of the flags that are malformed, or whose rules have a part that cannot be evaluated.
  var brokenKeys: Set<String> {
    var keys: Set<String> = []
    var broken = RuleFaults.broken
    for number in entries.indices {
      switch entries[number] {
      case .malformed: keys.insert(key(number))
      case .flag(let flag):
        guard let rule = flag.rule, !rule.program.tables.messages.isEmpty else { continue }
        if broken.reason(in: rule) != nil { keys.insert(flag.key) }
      }
    }
    return keys
  }
}

extension FlagDefinition {
  fileprivate func path(_ member: String) -> DocumentPath {
    DocumentPath.root.appending("flags").appending(key).appending(member)
  }
}

/// The names of variants that rules can give, as far as they are known before a rule is evaluated.
///
/// The steps for all rules of a program are limited, since many may give the results of one large shared rule.
private struct RuleResultNames {
  private let program: Program
  private var steps: Int

  init(of program: Program) {
    self.program = program
    steps = 4 * program.tables.instructions.count + 1000
  }

  /// The values of a part that can be the whole rule's result: `and` and `or` continue after the others.
  enum Filter { case all, truthy, falsy }

  mutating func first(in instruction: Instruction, _ filter: Filter = .all, that isWanted: (String) -> Bool) -> String?
  {
    // The parts of one rule nest less deep than rules may.
    steps -= 1
    guard steps > 0 else { return nil }
    switch instruction.kind {
    case .constant: return name(of: program.tables.constants[Int(instruction.payload)], filter, isWanted)
    case .operation: break
    case .undefined, .strings, .list, .variable, .broken: return nil
    }
    let parts = instruction.parts
    switch instruction.name {
    case .condition:
      for index in 0..<parts.count where index % 2 == 1 || index + 1 == parts.count {
        if let name = first(in: program.part(index, of: instruction), filter, that: isWanted) { return name }
      }
    case .and, .or:
      let own: Filter = instruction.name == .and ? .falsy : .truthy
      for index in 0..<parts.count {
        let isLast = index + 1 == parts.count
        guard isLast || filter == .all || filter == own else { continue }
        if let name = first(in: program.part(index, of: instruction), isLast ? filter : own, that: isWanted) {
          return name
        }
      }
    case .fractional where instruction.shortcut == .split:
      for share in program.tables.shares[program.tables.splits[Int(instruction.payload)].shares] {
        if let name = first(in: share.result, filter, that: isWanted) { return name }
      }
    case .log: return first(in: program.part(0, of: instruction), filter, that: isWanted)
    default:
      switch instruction.name.result {
      case .boolean, .booleanOrNull:
        for value in [FlagValue.bool(true), .bool(false)] {
          if let name = name(of: value, filter, isWanted) { return name }
        }
      case .operand, .value, .array: break
      }
    }
    return nil
  }

  private func name(of value: FlagValue, _ filter: Filter, _ isWanted: (String) -> Bool) -> String? {
    guard filter == .all || Optional(value).isTruthy == (filter == .truthy), let name = value.variantName else {
      return nil
    }
    return isWanted(name) ? name : nil
  }
}
