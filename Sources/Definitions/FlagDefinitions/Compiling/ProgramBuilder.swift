import FlagDomain

/// A builder of a program's tables; strings, variables and messages are stored once, however often they occur.
struct ProgramBuilder {
  private(set) var tables = Program.Tables()
  /// The index of each text's constant plus one; 0 if it has no constant yet.
  private var constantsOfTexts: ContiguousArray<UInt32> = []
  private var paths = StringTable()
  /// The variable of each path; the whole data is the first variable.
  private var variablesOfPaths: ContiguousArray<UInt32> = []
  private var messages: [String: UInt32] = [:]

  init() { tables.variables.append(.whole) }

  /// Returns the number of a string that values are compared with, or nil if it is too long to be stored.
  mutating func text(_ text: String) -> Int? {
    text.utf8.count <= RuleLimits.listedText ? key(text) : nil
  }

  mutating func key(_ text: String) -> Int {
    let number = tables.texts.insert(text)
    if number == constantsOfTexts.count { constantsOfTexts.append(0) }
    return number
  }

  mutating func constant(_ value: FlagValue) -> Instruction {
    var instruction = Instruction(kind: .constant)
    if Optional(value).isTruthy { instruction.traits.insert(.isTrue) }
    if value.hasParts { instruction.traits.insert(.isNew) }
    if let name = value.variantName, let text = text(name) {
      instruction.traits.insert(.isName)
      instruction.first = UInt32(text)
      if case .string = value {
        if constantsOfTexts[text] == 0 { constantsOfTexts[text] = append(value) + 1 }
        instruction.payload = constantsOfTexts[text] - 1
        return instruction
      }
    }
    instruction.payload = append(value)
    return instruction
  }

  /// Returns the instruction that gives a variable's value; a fallback is among its parts.
  mutating func variable(_ path: String?) -> Instruction {
    var instruction = Instruction(kind: .variable)
    if let path {
      let number = paths.insert(path)
      if number == variablesOfPaths.count {
        variablesOfPaths.append(UInt32(tables.variables.count))
        tables.variables.append(Variable(path: path))
      }
      instruction.payload = variablesOfPaths[number]
    }
    if tables.variables[Int(instruction.payload)].includesTime { instruction.traits = .time }
    return instruction
  }

  mutating func broken(_ message: String) -> Instruction {
    var instruction = Instruction(kind: .broken)
    instruction.payload = messages[message] ?? UInt32(tables.messages.count)
    if instruction.payload == tables.messages.count {
      messages[message] = instruction.payload
      tables.messages.append(message)
    }
    return instruction
  }

  private mutating func append(_ value: FlagValue) -> UInt32 {
    tables.constants.append(value)
    return UInt32(tables.constants.count - 1)
  }

  /// Records whether an operator has a constant operand that it cannot read.
  mutating func noteMisreading(of instruction: Instruction) {
    if tables.misreading(of: instruction) != nil { tables.hasMisreadings = true }
  }

  /// Records the times at which a comparison of the time with numbers changes; returns whether it is such a comparison.
  mutating func noteInstants(of comparison: Instruction) -> Bool {
    guard let instants = tables.instants(of: comparison) else { return false }
    tables.instants.append(contentsOf: instants)
    return true
  }

  /// Appends parts next to each other; returns the number of the first.
  mutating func append(_ parts: ArraySlice<Instruction>) -> UInt32 {
    tables.instructions.append(contentsOf: parts)
    return UInt32(tables.instructions.count - parts.count)
  }

  /// Returns the number of a set of strings; nil if an element is not a string, or too long.
  mutating func set(_ elements: [FlagValue]) -> Int? {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      guard case .string(let name) = element, let text = text(name) else { return nil }
      numbers.append(UInt32(text))
    }
    tables.sets.append(Program.StringSet(first: UInt32(tables.members.count), count: UInt32(numbers.count)))
    tables.members.append(contentsOf: tables.texts.sorted(numbers))
    tables.members.append(contentsOf: numbers)
    return tables.sets.count - 1
  }

  /// Returns the number of a comparison with a version; nil if the value is not a version.
  mutating func version(_ relation: VersionRelation, _ value: FlagValue) -> Int? {
    guard let version = value.versionText.flatMap({ SemanticVersion($0) }) else { return nil }
    tables.versions.append(Program.Version(relation: relation, version: version))
    return tables.versions.count - 1
  }

  /// Removes the constants of parts if they were the last ones to be stored.
  mutating func takeBack(_ parts: ArraySlice<Instruction>) {
    let first = tables.constants.count - parts.count
    guard zip(parts, first...).allSatisfy({ Int($0.payload) == $1 }) else { return }
    tables.constants.removeLast(parts.count)
  }

  /// Returns the number of a split, whose shares are results with weights.
  mutating func split(hasSubject: Bool, _ shares: [(result: Instruction, weight: UInt64)]) -> Int {
    let start = tables.shares.count
    var total: UInt64 = 0
    for share in shares {
      total += share.weight
      tables.shares.append(Program.Share(end: total, result: share.result))
    }
    tables.splits.append(
      Program.Split(hasSubject: hasSubject, total: total, shares: start..<tables.shares.count))
    return tables.splits.count - 1
  }
}
