import FlagDomain

/// Searches for values in arrays and strings in strings. Both are charged by the length of the data that they scan.
extension Evaluation {
  /// Returns whether the first value of an operation is among those of the second, or a part of its text.
  mutating func contains(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    let part = program.part(0, of: instruction)
    let needle = try value(of: part, on: program, for: context, in: scope)
    if instruction.shortcut == .set {
      guard case .string(let text) = needle else { return false }
      try charge(text.utf8.count)
      let members = program.tables.sets[Int(instruction.payload)].sorted
      return program.tables.texts.contains(text, among: program.tables.members[members])
    }
    let haystack = try value(of: program.part(1, of: instruction), on: program, for: context, in: scope)
    try evaluateRest(from: 2, of: instruction, on: program, for: context, in: scope)
    switch haystack {
    case .array(let elements):
      if needle.hasParts, part.traits.contains(.isNew) { return false }
      return try hasElement(needle, among: elements)
    case .string(let text): return try hasPart(needle, in: text)
    case nil, .null, .bool, .int, .double, .object: return false
    }
  }

  private mutating func hasElement(_ needle: FlagValue?, among elements: [FlagValue]) throws(RuleFailure) -> Bool {
    try charge(elements.count, each: ByteCost.read)
    for element in elements where try areIdentical(needle, element) { return true }
    return false
  }

  private mutating func hasPart(_ needle: FlagValue?, in text: String) throws(RuleFailure) -> Bool {
    guard !text.isEmpty else { return false }
    let part = try self.text(of: needle)
    guard part.utf8.count <= text.utf8.count else { return false }
    try charge(part.utf8.count, each: ByteCost.needle)
    try charge(text.utf8.count, each: 2)
    return text.hasPart(part)
  }

  /// Returns whether a string begins or ends with another; nil unless the values are exactly two strings.
  mutating func hasAffix(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool? {
    let text = try value(of: program.part(0, of: instruction), on: program, for: context, in: scope)
    let part = try value(of: program.part(1, of: instruction), on: program, for: context, in: scope)
    try evaluateRest(from: 2, of: instruction, on: program, for: context, in: scope)
    guard instruction.count == 2, case .string(let text) = text, case .string(let part) = part else { return nil }
    guard part.utf8.count <= text.utf8.count else { return false }
    try charge(part.utf8.count)
    return instruction.name == .startsWith
      ? text.utf8.starts(with: part.utf8) : text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
  }
}

extension String {
  /// Returns whether this string contains another, compared by code units.
  ///
  /// The algorithm is Knuth-Morris-Pratt: its time is linear in the sum of both lengths, for any strings.
  package func hasPart(_ part: String) -> Bool {
    let part = Array(part.utf8)
    guard !part.isEmpty else { return true }
    guard part.count <= utf8.count else { return false }
    let fallbacks = Self.fallbacks(in: part)
    var matched = 0
    for byte in utf8 {
      while matched > 0, part[matched] != byte { matched = fallbacks[matched - 1] }
      if part[matched] == byte { matched += 1 }
      if matched == part.count { return true }
    }
    return false
  }

  /// Returns, for each length of a partial match, the length of the next shorter one that may still be continued.
  private static func fallbacks(in part: [UInt8]) -> [Int] {
    var fallbacks = [0]
    fallbacks.reserveCapacity(part.count)
    for byte in part.dropFirst() {
      var matched = fallbacks[fallbacks.count - 1]
      while matched > 0, part[matched] != byte { matched = fallbacks[matched - 1] }
      fallbacks.append(part[matched] == byte ? matched + 1 : 0)
    }
    return fallbacks
  }
}
