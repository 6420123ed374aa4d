import FlagDomain

extension RuleCompiler {
  static let noRule = "expected an evaluator that is a rule, which is an object; found a value"

  mutating func operation(_ name: Operator, partsFrom start: Int) -> Instruction {
    switch name {
    // A shared value in place of a rule would be true, or a result, for everyone.
    case .condition, .and, .or, .not, .truth:
      if parts[start...].contains(where: { $0.traits.contains(.isNoRule) }) { return builder.broken(Self.noRule) }
    default: break
    }
    switch name {
    case .variable: return variable(partsFrom: start)
    case .condition: return condition(partsFrom: start)
    default:
      if name == .not, let reason = misreading(in: parts[start...]) { return builder.broken(reason) }
      var instruction = Instruction(kind: .operation, name: name, traits: traits(of: name, partsFrom: start))
      if name.isPure, parts[start...].allSatisfy(\.isConstant),
        let value = folded(instruction, parts[start...])
      {
        return builder.constant(value)
      }
      prepare(&instruction, partsFrom: start)
      place(partsFrom: start, in: &instruction)
      builder.noteMisreading(of: instruction)
      if instruction.traits.contains(.readsTime), builder.noteInstants(of: instruction) {
        instruction.traits.remove(.readsTimeFreely)
      }
      return instruction
    }
  }

  /// Stores the parts from an index on as the parts of an instruction.
  mutating func place(partsFrom start: Int, in instruction: inout Instruction) {
    instruction.count = UInt32(parts.count - start)
    instruction.first = builder.append(parts[start...])
  }

  /// Returns the traits that the parts together have with regard to the time.
  func time(of parts: ArraySlice<Instruction>) -> Instruction.Traits {
    parts.reduce(into: []) { $0.formUnion($1.traits.intersection(.time)) }
  }

  private func traits(of name: Operator, partsFrom start: Int) -> Instruction.Traits {
    let parts = parts[start...]
    var traits: Instruction.Traits = []
    switch name.result {
    case .array: traits.insert(.isNew)
    case .operand: if parts.contains(where: { $0.traits.contains(.isNew) }) { traits.insert(.isNew) }
    case .boolean, .booleanOrNull: traits.insert(.isTest)
    case .value: break
    }
    switch name {
    // The time is part of the context only, and not of the elements that operators iterate over.
    case .map, .filter, .all, .none, .some: traits.formUnion(time(of: parts.prefix(1)))
    case .reduce: traits.formUnion(time(of: parts.prefix(1)).union(time(of: parts.dropFirst(2))))
    default: traits.formUnion(time(of: parts))
    }
    return traits
  }

  /// Compiles a variable; a constant name is split when the rule is compiled, any other when it is evaluated.
  private mutating func variable(partsFrom start: Int) -> Instruction {
    let count = parts.count - start
    if count <= 2, let name = path(partsFrom: start) {
      var instruction = builder.variable(name.path)
      if count == 2 {
        instruction.traits.formUnion(time(of: parts[(start + 1)...]))
        place(partsFrom: start + 1, in: &instruction)
      }
      return instruction
    }
    var instruction = Instruction(kind: .operation, name: .variable, traits: .time)
    place(partsFrom: start, in: &instruction)
    return instruction
  }

  /// Returns the path of a variable: an inner nil for the whole data, and an outer nil if it is not known yet.
  private func path(partsFrom start: Int) -> (path: String?, Void)? {
    guard start < parts.count else { return (nil, ()) }
    guard parts[start].isConstant else { return nil }
    let name = builder.tables.constants[Int(parts[start].payload)]
    guard let path = name.scalarText else { return nil }
    return (name == .null || path.isEmpty ? nil : path, ())
  }

  private mutating func condition(partsFrom start: Int) -> Instruction {
    while parts.count - start > 1, parts[start].isConstant {
      if parts[start].traits.contains(.isTrue) { return parts[start + 1] }
      parts.removeSubrange(start..<start + 2)
    }
    switch parts.count - start {
    case 0: return builder.constant(.null)
    case 1: return parts[start]
    default:
      var instruction = Instruction(kind: .operation, name: .condition)
      instruction.traits = traits(of: .condition, partsFrom: start)
      place(partsFrom: start, in: &instruction)
      return instruction
    }
  }

  /// Returns the reason why parts do not hold for anyone: constant operands that their operators cannot read.
  ///
  /// Such an operator gives null or false, as in flagd, which is safe until it is negated.
  private func misreading(in parts: ArraySlice<Instruction>) -> String? {
    var waiting = Array(parts)
    while let part = waiting.popLast() {
      if let reason = builder.tables.misreading(of: part) { return reason }
      if part.kind == .operation, part.name == .and || part.name == .or {
        waiting += builder.tables.instructions[part.parts]
      }
    }
    return nil
  }

  private mutating func prepare(_ instruction: inout Instruction, partsFrom start: Int) {
    // Each number is computed before it is used: while a call evaluates an argument that mutates this compiler,
    // unoptimized code may hold a copy of it, and then each mutation copies whole tables.
    let shortcut: (Instruction.Shortcut, number: Int?)
    switch instruction.name {
    case .in: shortcut = (.set, set(partsFrom: start))
    case .equal, .identical, .notEqual, .notIdentical, .startsWith, .endsWith:
      shortcut = (.text, text(partsFrom: start))
    case .version: shortcut = (.version, version(partsFrom: start))
    case .fractional: shortcut = (.split, split(partsFrom: start))
    default: return
    }
    guard let number = shortcut.number else { return }
    instruction.shortcut = shortcut.0
    instruction.payload = UInt32(number)
  }

  private mutating func set(partsFrom start: Int) -> Int? {
    guard parts.count - start == 2, case .array(let elements) = constant(at: start + 1),
      let set = builder.set(elements)
    else { return nil }
    // The set replaces the array, which need not be among the constants.
    builder.takeBack(parts[(start + 1)...])
    parts[start + 1].kind = .strings
    parts[start + 1].payload = UInt32(set)
    return set
  }

  private func text(partsFrom start: Int) -> Int? {
    guard parts.count - start == 2, case .string = constant(at: start + 1), parts[start + 1].traits.contains(.isName)
    else {
      return nil
    }
    return Int(parts[start + 1].first)
  }

  private mutating func version(partsFrom start: Int) -> Int? {
    guard parts.count - start == 3, case .string(let name) = constant(at: start + 1),
      let relation = VersionRelation(rawValue: name), let version = constant(at: start + 2)
    else {
      return nil
    }
    return builder.version(relation, version)
  }

  /// Returns the number of a split whose shares have constant results and integer weights; nil for any other.
  private mutating func split(partsFrom start: Int) -> Int? {
    let hasSubject = parts.count > start && !isArray(at: start)
    let firstShare = start + (hasSubject ? 1 : 0)
    var shares: [(result: FlagValue, weight: UInt64)] = []
    for index in firstShare..<parts.count {
      guard let share = constant(at: index)?.share else { return nil }
      shares.append(share)
    }
    guard !shares.isEmpty else { return nil }
    // The split contains everything about the shares, so they need be neither parts nor constants.
    builder.takeBack(parts[firstShare...])
    parts.removeSubrange(firstShare...)
    let results = shares.map { share in (result: builder.constant(share.result), weight: share.weight) }
    return builder.split(hasSubject: hasSubject, results)
  }

  private func constant(at index: Int) -> FlagValue? { builder.tables.constant(parts[index]) }

  private func isArray(at index: Int) -> Bool {
    if case .array = constant(at: index) { true } else { parts[index].kind == .list }
  }
}
