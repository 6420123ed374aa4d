package import FlagDomain

extension Program {
  /// Returns the JSON of an instruction as in a document, with shared rules expanded in place.
  ///
  /// If that is too long or nests too deep, the operator is shown with "..." in place of its operands.
  package func json(_ instruction: Instruction, atMost limit: Int) -> FlagValue {
    var bytesLeft = limit
    if let json = json(instruction, &bytesLeft, levels: RuleLimits.explainedLevels) { return json }
    return switch instruction.kind {
    case .operation: .object([instruction.name.name: ["..."]])
    case .variable: ["var": ["..."]]
    case .list: ["..."]
    case .undefined, .constant, .strings, .broken: "..."
    }
  }

  /// Returns the JSON of an instruction as in a document, with shared rules expanded in place; nil if it is too long.
  func wholeJSON(_ instruction: Instruction, atMost limit: Int) -> FlagValue? {
    var bytesLeft = limit
    return json(instruction, &bytesLeft, levels: RuleLimits.levels + 1)
  }

  /// Returns the JSON, or nil if it takes more bytes than are left.
  private func json(_ instruction: Instruction, _ bytesLeft: inout Int, levels: Int) -> FlagValue? {
    bytesLeft -= 8
    guard bytesLeft >= 0, levels > 0 else { return nil }
    switch instruction.kind {
    case .undefined: return .null
    case .constant: return tables.constants[Int(instruction.payload)].bounded(&bytesLeft)
    case .strings:
      guard tables.sets[Int(instruction.payload)].listed.count < bytesLeft else { return nil }
      return FlagValue.array(tables.strings(ofSet: Int(instruction.payload))).bounded(&bytesLeft)
    case .broken: return ["broken": .string(tables.messages[Int(instruction.payload)])]
    case .list: return parts(of: instruction, &bytesLeft, levels: levels).map { .array($0) }
    case .variable: return variable(instruction, &bytesLeft, levels: levels)
    case .operation:
      return parts(of: instruction, &bytesLeft, levels: levels).map { .object([instruction.name.name: .array($0)]) }
    }
  }

  private func parts(of instruction: Instruction, _ bytesLeft: inout Int, levels: Int) -> [FlagValue]? {
    var parts: [FlagValue] = []
    for index in instruction.parts {
      guard let part = json(tables.instructions[index], &bytesLeft, levels: levels - 1) else { return nil }
      parts.append(part)
    }
    guard instruction.shortcut == .split else { return parts }
    let split = tables.splits[Int(instruction.payload)]
    guard split.shares.count < bytesLeft else { return nil }
    for share in tables.shareValues(of: split) {
      guard let share = share.bounded(&bytesLeft) else { return nil }
      parts.append(share)
    }
    return parts
  }

  private func variable(_ instruction: Instruction, _ bytesLeft: inout Int, levels: Int) -> FlagValue? {
    guard tables.variables[Int(instruction.payload)].isPathShorter(than: bytesLeft) else { return nil }
    let path = tables.variables[Int(instruction.payload)].path
    bytesLeft -= path.utf8.count
    guard bytesLeft >= 0, let parts = parts(of: instruction, &bytesLeft, levels: levels) else { return nil }
    return ["var": parts.isEmpty ? .string(path) : .array([.string(path)] + parts)]
  }
}

extension FlagValue {
  /// Returns the value, or a description of it if its JSON takes more bytes than a limit.
  func bounded(to limit: Int) -> FlagValue {
    var bytesLeft = limit
    return bounded(&bytesLeft) ?? .string("... (\(shape))")
  }

  /// Returns the value, or nil if its JSON takes more bytes than are left.
  fileprivate func bounded(_ bytesLeft: inout Int) -> FlagValue? {
    bytesLeft -= size
    guard bytesLeft >= 0 else { return nil }
    switch self {
    case .array(let elements):
      for element in elements where element.bounded(&bytesLeft) == nil { return nil }
    case .object(let members):
      for (name, value) in members {
        bytesLeft -= name.utf8.count
        if bytesLeft < 0 || value.bounded(&bytesLeft) == nil { return nil }
      }
    case .null, .bool, .int, .double, .string: break
    }
    return self
  }

  package var jsonSize: Int {
    var bytesLeft = Int.max
    _ = bounded(&bytesLeft)
    return .max - bytesLeft
  }

  private var size: Int {
    switch self {
    case .string(let text): text.utf8.count + 8
    case .array, .object: 24
    case .null, .bool, .int, .double: 8
    }
  }

  private var shape: String {
    switch self {
    case .string(let text): "a string of \(text.utf8.count) bytes"
    case .array(let elements): "an array of \(elements.count.counted("element"))"
    case .object(let members): "an object of \(members.count.counted("member"))"
    case .null, .bool, .int, .double: typeName
    }
  }
}
