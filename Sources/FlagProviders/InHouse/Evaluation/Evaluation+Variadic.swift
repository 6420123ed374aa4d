import FlagDomain

extension Evaluation {
  mutating func value(
    of name: VariadicOperator, _ operands: [Rule], in scope: Scope
  ) throws(FlagError) -> FlagValue? {
    switch name {
    case .plus: return FlagValue(number: try fold(operands, in: scope, from: 0) { $0 + $1.numberPrefix })
    case .times: return try product(of: operands, in: scope)
    case .min: return FlagValue(number: try fold(operands, in: scope, from: .infinity) { .minimumOrNaN($0, $1.number) })
    case .max:
      return FlagValue(number: -(try fold(operands, in: scope, from: .infinity) { .minimumOrNaN($0, -$1.number) }))
    case .concatenate: return try concatenation(of: operands, in: scope)
    case .merge: return try merge(operands, in: scope)
    case .substring: return try substring(operands, in: scope)
    case .missing: return .array(try missing(values(of: operands, in: scope).unwrapped, in: scope))
    case .missingSome: return try missingSome(values(of: operands, in: scope), in: scope)
    }
  }

  private mutating func values(of rules: [Rule], in scope: Scope) throws(FlagError) -> [FlagValue?] {
    var values: [FlagValue?] = []
    for rule in rules { try values.append(value(of: rule, in: scope)) }
    return values
  }

  private mutating func fold(
    _ operands: [Rule], in scope: Scope, from initial: Double, _ combine: (Double, FlagValue?) -> Double
  ) throws(FlagError) -> Double {
    var result = initial
    for operand in operands { result = combine(result, try value(of: operand, in: scope)) }
    return result
  }

  /// A single factor is given back as it is.
  private mutating func product(of factors: [Rule], in scope: Scope) throws(FlagError) -> FlagValue? {
    guard let first = factors.first else { throw FlagError(.general, "\"*\" needs at least one argument, found none") }
    let value = try value(of: first, in: scope)
    if factors.count == 1 { return value }
    return FlagValue(
      number: try fold(Array(factors.dropFirst()), in: scope, from: value.numberPrefix) { $0 * $1.numberPrefix })
  }
}

extension Evaluation {
  private mutating func concatenation(of parts: [Rule], in scope: Scope) throws(FlagError) -> FlagValue? {
    var text = ""
    for part in parts {
      switch try value(of: part, in: scope) {
      case nil, .null: break
      case let value: text += value.text
      }
    }
    try charge(text.utf8.count / 8)
    return .string(text)
  }

  private mutating func merge(_ parts: [Rule], in scope: Scope) throws(FlagError) -> FlagValue? {
    var merged: [FlagValue] = []
    for part in parts {
      switch try value(of: part, in: scope) {
      case .array(let elements): merged += elements
      case let value: merged.append(value ?? .null)
      }
    }
    try charge(merged.count / 4)
    return .array(merged)
  }

  /// Counts UTF-16 code units, as JavaScript does; a negative length leaves that many off the end.
  private mutating func substring(_ operands: [Rule], in scope: Scope) throws(FlagError) -> FlagValue? {
    let values = try values(of: operands, in: scope)
    let units = Array((values.first ?? nil).text.utf16)
    try charge(units.count / 8)
    let start = (values.dropFirst().first ?? nil).wholeNumber
    let tail = units.dropFirst(Int(clamping: start < 0 ? Double(units.count) + start : start))
    guard let length = values.dropFirst(2).first ?? nil else { return .string(String(decoding: tail, as: UTF16.self)) }
    return .string(String(decoding: tail.prefix(length.length(of: tail.count)), as: UTF16.self))
  }

  private mutating func missingSome(_ operands: [FlagValue?], in scope: Scope) throws(FlagError) -> FlagValue? {
    let needed = (operands.first ?? nil).number
    let options = operands.dropFirst().first ?? nil
    let names = [options].unwrapped
    let missing = try missing(names, in: scope)
    let count = options?.property("length").map { Optional($0).number } ?? .nan
    return .array(count - Double(missing.count) >= needed ? [] : missing)
  }
}

extension [FlagValue?] {
  /// The elements of the first value where that is a list, and else the values themselves.
  fileprivate var unwrapped: [FlagValue] {
    if case .array(let elements)?? = first { return elements }
    return map { $0 ?? .null }
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

extension Double {
  /// The lesser of two numbers; not a number where one of them is none.
  fileprivate static func minimumOrNaN(_ left: Double, _ right: Double) -> Double {
    left.isNaN || right.isNaN ? .nan : Swift.min(left, right)
  }
}
