import FlagDefinitions
import FlagDomain
import FlagJSON

extension PayloadCompiler {
  /// The names in an element's test that make it a condition on the element's members.
  private static let conditionOperators: Set = ["$and", "$or", "$nor", "$savedGroup"]

  /// Compiles an operator on a value.
  mutating func operation(_ name: String, _ operand: FlagValue, level: Int) -> UInt32 {
    switch name {
    case "$eq", "$ne":
      guard operand.isScalar else { return broken(expected: "a string, a number, a boolean or null", found: operand) }
      let test = node(.identical, tables.conditions.values.number(of: operand))
      return name == "$eq" ? test : node(.not, test)
    case "$lt", "$lte", "$gt", "$gte": return order(name, operand)
    case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte": return version(name, operand)
    case "$in", "$nin", "$ini", "$nini", "$inGroup", "$notInGroup": return membership(name, operand)
    case "$all", "$alli", "$elemMatch", "$size": return elements(name, operand, level: level)
    case "$regex", "$regexi", "$notRegex", "$notRegexi": return pattern(name, operand)
    case "$exists":
      guard case .bool(let isThere) = operand else { return broken(expected: "true or false", found: operand) }
      return isThere ? node(.not, node(.isNull)) : node(.isNull)
    case "$type":
      guard let type = operand.name else { return broken(expected: "the name of a type", found: operand) }
      return node(.type, tables.conditions.texts.number(of: type))
    case "$not":
      guard operand.isTest else { return broken(expected: "an object with operators", found: operand) }
      return node(.not, test(operand, level: level))
    default: return broken("unknown operator")
    }
  }

  private mutating func order(_ name: String, _ operand: FlagValue) -> UInt32 {
    guard operand.isNameOrNumber, let comparison = Comparison(name) else {
      return broken(expected: "a string or a number", found: operand)
    }
    return node(.ordered, tables.conditions.values.number(of: operand), comparison.rawValue)
  }

  private mutating func version(_ name: String, _ operand: FlagValue) -> UInt32 {
    guard operand.isNameOrNumber else { return broken(expected: "a version", found: operand) }
    let version = tables.conditions.versions.number(of: PaddedVersion(operand))
    if name == "$vne" { return node(.not, node(.version, version, Comparison.equal.rawValue)) }
    return node(.version, version, (Comparison(name) ?? .equal).rawValue)
  }

  private mutating func membership(_ name: String, _ operand: FlagValue) -> UInt32 {
    let test: UInt32
    if name == "$inGroup" || name == "$notInGroup" {
      guard let id = operand.name else { return broken(expected: "the id of a saved group", found: operand) }
      test = node(.isInGroup, groupNumber(GroupUse(id: id)))
    } else {
      guard let values = operand.scalars else {
        return broken(expected: "an array of strings, numbers, booleans or nulls", found: operand)
      }
      let isFolded = name.hasSuffix("i")
      let set = tables.conditions.sets.number(of: ValueSet(values, isFolded: isFolded))
      test = node(isFolded ? .isInIgnoringCase : .isIn, set)
    }
    return name.hasPrefix("$n") ? node(.not, test) : test
  }

  private mutating func elements(_ name: String, _ operand: FlagValue, level: Int) -> UInt32 {
    switch name {
    case "$size":
      guard operand.isSize else { return broken(expected: "a number or an object with operators", found: operand) }
      return node(.size, test(operand, level: level))
    case "$elemMatch":
      guard operand != .object([:]) else { return broken(expected: "a condition", found: operand) }
      let isTest = operand.isTest && operand.fields?.keys.contains(where: Self.conditionOperators.contains) == false
      return isTest
        ? node(.elementPasses, test(operand, level: level)) : node(.elementFulfils, condition(operand, level: level))
    default:
      guard case .array(let values) = operand else { return broken(expected: "an array", found: operand) }
      let children = values.enumerated().map { index, value in
        at(.element(index)) { $0.test(value, level: level, ignoresCase: name == "$alli") }
      }
      return node(.containsAll, children)
    }
  }

  private mutating func pattern(_ name: String, _ operand: FlagValue) -> UInt32 {
    guard let text = operand.name else { return broken(expected: "a pattern, which is a string", found: operand) }
    guard let pattern = pattern(text, isCaseInsensitive: name.hasSuffix("i")) else { return node(.never) }
    let test = node(.pattern, tables.conditions.patterns.number(of: pattern))
    return name.hasPrefix("$n") ? node(.not, test) : test
  }
}

extension FlagValue {
  /// The text, unless it is empty.
  fileprivate var name: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  fileprivate var isNameOrNumber: Bool { name != nil || number != nil }

  /// Whether it is an object with operators, and nothing else.
  fileprivate var isTest: Bool {
    guard case .object(let members) = self else { return false }
    return !members.isEmpty && members.keys.allSatisfy { $0.hasPrefix("$") }
  }

  /// Whether a number of elements can be compared with it.
  fileprivate var isSize: Bool { number != nil || isTest }

  fileprivate var isScalar: Bool {
    switch self {
    case .null, .bool, .int, .double, .string: true
    case .array, .object: false
    }
  }

  /// The elements of an array of scalars; nil for any other value.
  var scalars: [FlagValue]? { elements.flatMap { $0.allSatisfy(\.isScalar) ? $0 : nil } }
}
