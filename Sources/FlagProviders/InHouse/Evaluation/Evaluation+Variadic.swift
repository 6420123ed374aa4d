import FlagDomain

extension Evaluation {
  /// Returns what an operator makes of its operands' values.
  mutating func apply(
    _ name: VariadicOperator, to operands: [FlagValue?], in scope: Scope
  ) throws(RuleFailure) -> FlagValue? {
    switch name {
    case .plus: FlagValue(number: operands.reduce(0) { $0 + $1.numberPrefix })
    case .times: try product(of: operands)
    case .min: FlagValue(number: operands.least { $0.number })
    case .max: FlagValue(number: -operands.least { -$0.number })
    case .concatenate: try concatenation(of: operands)
    case .merge: try merge(operands)
    case .substring: try substring(operands)
    case .missing: .array(try missing(operands.unwrapped, in: scope))
    case .missingSome: try missingSome(operands, in: scope)
    }
  }

  /// A single factor is given back as it is.
  private func product(of factors: [FlagValue?]) throws(RuleFailure) -> FlagValue? {
    guard let first = factors.first else { throw RuleFailure.failed("\"*\" needs at least one argument, found none") }
    if factors.count == 1 { return first }
    return FlagValue(number: factors.dropFirst().reduce(first.numberPrefix) { $0 * $1.numberPrefix })
  }

  private mutating func concatenation(of parts: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    let text = parts.reduce(into: "") { $0 += $1 == nil || $1 == .null ? "" : $1.text }
    try charge(text.utf8.count / 8)
    return .string(text)
  }

  private mutating func merge(_ parts: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    let merged = parts.flatMap { part in
      if case .array(let elements) = part { elements } else { [part ?? .null] }
    }
    try charge(merged.count / 4)
    return .array(merged)
  }

  private mutating func missingSome(_ operands: [FlagValue?], in scope: Scope) throws(RuleFailure) -> FlagValue {
    let options = operands[or: 1]
    let missing = try missing([options].unwrapped, in: scope)
    let count = (options?.property("length") ?? nil).number
    return .array(count - Double(missing.count) >= operands[or: 0].number ? [] : missing)
  }
}

extension Evaluation {
  /// Counts UTF-16 code units, as JavaScript does; a negative length leaves that many off the end.
  private mutating func substring(_ operands: [FlagValue?]) throws(RuleFailure) -> FlagValue {
    let units = Array(operands[or: 0].text.utf16)
    try charge(units.count / 8)
    let start = operands[or: 1].wholeNumber
    let tail = units.dropFirst(Int(clamping: start < 0 ? Double(units.count) + start : start))
    let count = operands[or: 2].map { $0.length(of: tail.count) } ?? tail.count
    return .string(String(decoding: tail.prefix(count), as: UTF16.self))
  }
}

extension [FlagValue?] {
  /// The value at a place; nil beyond the end.
  fileprivate subscript(or index: Int) -> FlagValue? { indices.contains(index) ? self[index] : nil }

  /// The elements of the first value where that is a list, and else the values themselves.
  fileprivate var unwrapped: [FlagValue] {
    if case .array(let elements)?? = first { elements } else { map { $0 ?? .null } }
  }

  /// The least of the numbers that a closure gives; not a number where one of them is none.
  fileprivate func least(_ number: (FlagValue?) -> Double) -> Double {
    reduce(.infinity) { least, value in
      let number = number(value)
      return least.isNaN || number.isNaN ? .nan : Swift.min(least, number)
    }
  }
}

extension FlagValue? {
  /// The number without its fraction; 0 where there is none.
  fileprivate var wholeNumber: Double { number.isNaN ? 0 : number.rounded(.towardZero) }
}

extension FlagValue {
  /// How many of so many code units a length given to a substring takes.
  fileprivate func length(of count: Int) -> Int {
    guard Optional(self).number < 0 else { return Int(clamping: Optional(self).wholeNumber) }
    // Adding text to a number joins both in JavaScript, and what that gives is no number.
    if case .string(let text) = self { return Int(clamping: NumberText.read("\(count)\(text)")) }
    return Int(clamping: Double(count) + Optional(self).number)
  }
}

extension Int {
  /// Creates a count from a number: none for what is negative or no number, and many for what is too large.
  fileprivate init(clamping number: Double) {
    self = number > 0 ? Int(exactly: number.rounded(.towardZero)) ?? .max : 0
  }
}
