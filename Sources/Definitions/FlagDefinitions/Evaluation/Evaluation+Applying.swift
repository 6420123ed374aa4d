import FlagDomain

/// The operators that evaluate all their operands first.
extension Evaluation {
  mutating func apply(
    _ name: Operator, to operands: [FlagValue?], on program: Program, for context: EvaluationContext,
    in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    switch name {
    case .plus: try sum(of: operands)
    case .minus: try difference(of: operands)
    case .times: try product(of: operands)
    case .divide: FlagValue(number: try number(of: operands[or: 0]) / number(of: operands[or: 1]))
    case .remainder: try remainder(of: operands)
    case .min: FlagValue(number: try least(of: operands, sign: 1))
    case .max: FlagValue(number: -(try least(of: operands, sign: -1)))
    case .concatenate: try concatenation(of: operands)
    case .substring: try substring(operands)
    case .merge: try merge(operands)
    case .log: operands[or: 0]
    case .missing: .array(try missing(operands.unwrapped, on: program, for: context, in: scope))
    case .missingSome: try missingSome(operands, on: program, for: context, in: scope)
    default: preconditionFailure("\(name) evaluates its operands itself")
    }
  }

  private mutating func sum(of operands: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    var sum = 0.0
    for operand in operands { sum += try numberPrefix(of: operand) }
    return FlagValue(number: sum)
  }

  private mutating func difference(of operands: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    let left = try number(of: operands[or: 0])
    if operands[or: 1] == nil { return FlagValue(number: -left) }
    return FlagValue(number: left - (try number(of: operands[or: 1])))
  }

  private mutating func remainder(of operands: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    let divisor = try number(of: operands[or: 1])
    return FlagValue(number: try number(of: operands[or: 0]).truncatingRemainder(dividingBy: divisor))
  }

  /// Returns the product of the factors; a single factor is returned unchanged, without converting it to a number.
  private mutating func product(of factors: [FlagValue?]) throws(RuleFailure) -> FlagValue? {
    guard let first = factors.first else { throw RuleFailure.noFactors }
    if factors.count == 1 { return first }
    var product = try numberPrefix(of: first)
    for factor in factors.dropFirst() { product *= try numberPrefix(of: factor) }
    return FlagValue(number: product)
  }

  /// Returns the minimum of the operands' numbers, each multiplied by a sign; NaN if any of them is NaN.
  private mutating func least(of operands: [FlagValue?], sign: Double) throws(RuleFailure) -> Double {
    var least = Double.infinity
    for operand in operands {
      let number = sign * (try number(of: operand))
      least = least.isNaN || number.isNaN ? .nan : Swift.min(least, number)
    }
    return least
  }

  /// Charges for the length before it allocates any memory.
  private mutating func concatenation(of parts: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    var texts: [String] = []
    var count = 0
    for part in parts where part != nil && part != .null {
      let text = try text(of: part)
      count += text.utf8.count
      texts.append(text)
    }
    try charge(count)
    var whole = ""
    whole.reserveCapacity(count)
    for text in texts { whole += text }
    return .string(whole)
  }

  /// Charges for the length before it allocates any memory.
  private mutating func merge(_ parts: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    let count = parts.reduce(0) { count, part in
      if case .array(let elements) = part { count + elements.count } else { count + 1 }
    }
    try charge(count, each: ByteCost.element)
    var merged: [FlagValue] = []
    merged.reserveCapacity(count)
    for part in parts {
      if case .array(let elements) = part { merged += elements } else { merged.append(part ?? .null) }
    }
    return .array(merged)
  }

  /// Returns a part of a string, counted in UTF-16 code units as in JavaScript; a negative length counts from the end.
  private mutating func substring(_ operands: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    let text = try text(of: operands[or: 0])
    try charge(text.utf8.count, each: ByteCost.conversion)
    let units = Array(text.utf16)
    let start = try wholeNumber(of: operands[or: 1])
    let tail = units.dropFirst(Int(clamping: start < 0 ? Double(units.count) + start : start))
    let count = try operands[or: 2].map { value throws(RuleFailure) in try length(value, of: tail.count) }
    return .string(String(decoding: tail.prefix(count ?? tail.count), as: UTF16.self))
  }

  private mutating func wholeNumber(of value: FlagValue?) throws(RuleFailure) -> Double {
    let number = try number(of: value)
    return number.isNaN ? 0 : number.rounded(.towardZero)
  }

  /// Returns the number of code units that a substring's length selects out of the available ones.
  private mutating func length(_ value: FlagValue, of count: Int) throws(RuleFailure) -> Int {
    let number = try number(of: value)
    guard number < 0 else { return Int(clamping: try wholeNumber(of: value)) }
    // In JavaScript, adding a string to a number concatenates the two.
    if case .string(let text) = value { return Int(clamping: try self.number(of: .string("\(count)\(text)"))) }
    return Int(clamping: Double(count) + number)
  }

  /// Returns the names that the data has no value for: among the operands, or among the elements of the first.
  private mutating func missing(
    _ names: [FlagValue], on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> [FlagValue] {
    try charge(names.count, each: ByteCost.element)
    var missing: [FlagValue] = []
    for name in names {
      switch try value(namedBy: name, on: program, for: context, in: scope) {
      case nil, .null, .string(""): missing.append(name)
      case .bool, .int, .double, .string, .array, .object: break
      }
    }
    return missing
  }

  private mutating func missingSome(
    _ operands: [FlagValue?], on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue {
    let options = operands[or: 1]
    let missing = try missing([options].unwrapped, on: program, for: context, in: scope)
    let length = try options.map { value throws(RuleFailure) in try property("length", of: value) } ?? nil
    let (count, wanted) = (try number(of: length), try number(of: operands[or: 0]))
    return .array(count - Double(missing.count) >= wanted ? [] : missing)
  }
}

extension [FlagValue?] {
  fileprivate subscript(or index: Int) -> FlagValue? { indices.contains(index) ? self[index] : nil }

  fileprivate var unwrapped: [FlagValue] {
    if case .array(let elements)?? = first { elements } else { map { $0 ?? .null } }
  }
}

extension Int {
  /// Creates a count from a number: 0 for a negative one or NaN, and the maximum for one that is too large.
  fileprivate init(clamping number: Double) {
    self = number > 0 ? Int(exactly: number.rounded(.towardZero)) ?? .max : 0
  }
}
