import FlagDomain

/// JavaScript's comparisons. They are charged by the length of the values that they compare.
extension Evaluation {
  mutating func areEqual(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    let (first, second) = (program.part(0, of: instruction), program.part(1, of: instruction))
    let left = try value(of: first, on: program, for: context, in: scope)
    if instruction.shortcut == .text, trace == nil, case .string(let text) = left {
      try charge(text.utf8.count)
      return program.tables.texts.isText(Int(instruction.payload), text)
    }
    let right = try value(of: second, on: program, for: context, in: scope)
    try evaluateRest(from: 2, of: instruction, on: program, for: context, in: scope)
    // Arrays and objects that the rule itself creates are never equal to others, whatever their elements.
    if left.hasParts, right.hasParts, first.traits.union(second.traits).contains(.isNew) { return false }
    let isStrict = instruction.name == .identical || instruction.name == .notIdentical
    return isStrict ? try areIdentical(left, right) : try areEqual(left, right)
  }

  mutating func areOrdered(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    let left = try value(of: program.part(0, of: instruction), on: program, for: context, in: scope)
    let right = try value(of: program.part(1, of: instruction), on: program, for: context, in: scope)
    let last = try value(of: program.part(2, of: instruction), on: program, for: context, in: scope)
    try evaluateRest(from: 3, of: instruction, on: program, for: context, in: scope)
    let name = instruction.name
    let isBetween = (name == .less || name == .lessOrEqual) && last != nil
    guard try isOrdered(name, left, right) else { return false }
    return isBetween ? try isOrdered(name, right, last) : true
  }

  /// Returns whether both values have the same kind and are equal, as `===` does.
  ///
  /// JavaScript distinguishes arrays and objects by identity. Values have no identity here: those with equal parts are
  /// the same.
  mutating func areIdentical(_ left: FlagValue?, _ right: FlagValue?) throws(RuleFailure) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    guard left.hasParts, right.hasParts else { return try areIdenticalScalars(left, right) }
    var pairs = [(left, right)]
    while let (left, right) = pairs.popLast() {
      switch (left, right) {
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        try charge(left.count, each: 2 * ByteCost.element)
        pairs.append(contentsOf: zip(left, right))
      case (.object(let left), .object(let right)):
        guard left.count == right.count else { return false }
        try charge(left.count, each: ByteCost.member)
        for (name, value) in left {
          try charge(name.utf8.count, each: ByteCost.name)
          guard let other = right.member(name) else { return false }
          pairs.append((value, other))
        }
      default: if try !areIdenticalScalars(left, right) { return false }
      }
    }
    return true
  }

  private mutating func areIdenticalScalars(_ left: FlagValue, _ right: FlagValue) throws(RuleFailure) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): return try areIdentical(left, right)
    case (.bool(let left), .bool(let right)): return left == right
    case (.int, .int), (.int, .double), (.double, .int), (.double, .double):
      return try number(of: left) == number(of: right)
    case (.null, .null): return true
    default: return false
    }
  }

  mutating func areIdentical(_ left: String, _ right: String) throws(RuleFailure) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    try charge(left.utf8.count)
    return left.isIdentical(to: right)
  }

  /// Returns whether the values are equal after JavaScript's conversions, as `==` does.
  private mutating func areEqual(_ left: FlagValue?, _ right: FlagValue?) throws(RuleFailure) -> Bool {
    switch (left, right) {
    case (nil, nil), (nil, .null), (.null, nil), (.null, .null): return true
    case (nil, _), (.null, _), (_, nil), (_, .null): return false
    case (.string, .string), (.array, .array), (.object, .object): return try areIdentical(left, right)
    case (.array, .object), (.object, .array): return false
    case (.array, .string), (.object, .string), (.string, .array), (.string, .object):
      return try areIdentical(text(of: left), text(of: right))
    default: return try number(of: left) == number(of: right)
    }
  }

  /// Returns whether a comparison holds: text is compared by code units, everything else as numbers.
  private mutating func isOrdered(
    _ name: Operator, _ left: FlagValue?, _ right: FlagValue?
  ) throws(RuleFailure) -> Bool {
    guard left.isTextual, right.isTextual else { return try name.holds(number(of: left), number(of: right)) }
    let (left, right) = (try text(of: left), try text(of: right))
    try charge(min(left.utf8.count, right.utf8.count), each: ByteCost.conversion)
    return name.holds(left.order(to: right), 0)
  }
}

extension Operator {
  fileprivate func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    default: left >= right
    }
  }
}
