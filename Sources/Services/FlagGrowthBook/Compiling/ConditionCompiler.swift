import FlagDefinitions
import FlagDomain
import FlagJSON

/// Conditions: what an object fulfils, and the tests that its values pass.
extension PayloadCompiler {
  /// The maximum nesting of conditions.
  private static let maximumLevels = 50

  /// Compiles the condition at the current path, and returns the number of its node.
  mutating func condition(_ value: FlagValue, level: Int = 0) -> UInt32 {
    guard level < Self.maximumLevels else { return broken("conditions nest more than \(Self.maximumLevels) levels") }
    levels = max(levels, level)
    guard case .object(let members) = value else {
      return broken("expected an object with the parts of a condition, found \(value.summary)")
    }
    if members.isEmpty { return node(.always) }
    return all(
      members.inOrder.map { name, part in
        at(.member(name)) { $0.condition(named: name, part, level: level) }
      })
  }

  private mutating func condition(named name: String, _ part: FlagValue, level: Int) -> UInt32 {
    switch name {
    case "$and", "$or", "$nor":
      guard case .array(let conditions) = part else {
        return broken("expected an array of conditions, found \(part.summary)")
      }
      let children = conditions.enumerated().map { index, condition in
        at(.element(index)) { $0.condition(condition, level: level + 1) }
      }
      if name == "$and" { return all(children) }
      let any = node(.any, children)
      return name == "$or" ? any : node(.not, any)
    case "$not":
      return node(.not, condition(part, level: level + 1))
    case "$savedGroup": return savedGroup(part)
    // GrowthBook's own name of an attribute, as its cases have it.
    case _ where name.hasPrefix("$") && name != "$groups": return broken("unknown operator")
    default:
      let test = test(part, level: level + 1)
      return node(.attribute, pathNumber(name), test)
    }
  }

  private mutating func savedGroup(_ reference: FlagValue) -> UInt32 {
    guard case .object(let members) = reference, let id = members.text("id") else {
      return broken(expected: "an object with the \"id\" of a saved group", found: reference)
    }
    let attribute = members.text("attributeKey")
    guard attribute != nil || members["attributeKey"] == nil else {
      return broken(expected: "the name of an attribute as \"attributeKey\"", found: reference)
    }
    return node(.belongsToGroup, groupNumber(GroupUse(id: id, isReference: true, attribute: attribute)))
  }

  /// Compiles the test of a value: a constant to be equal to, or operators.
  private mutating func test(_ value: FlagValue, level: Int, ignoresCase: Bool = false) -> UInt32 {
    guard level < Self.maximumLevels else { return broken("conditions nest more than \(Self.maximumLevels) levels") }
    levels = max(levels, level)
    switch value {
    case .null: return node(.isNull)
    case .bool, .int, .double: return node(.identical, tables.conditions.values.number(of: value))
    case .string(let text):
      let text = ignoresCase ? text.lowercased() : text
      return node(ignoresCase ? .textIgnoringCase : .text, tables.conditions.texts.number(of: text))
    case .array: return sameJSON(value)
    case .object(let members):
      guard members.keys.contains(where: { $0.hasPrefix("$") }) else {
        return members.isEmpty ? broken(expected: "a value or operators", found: value) : sameJSON(value)
      }
      return all(
        members.inOrder.map { name, operand in
          at(.member(name)) { $0.operation(name, operand, level: level + 1) }
        })
    }
  }

  private mutating func sameJSON(_ value: FlagValue) -> UInt32 {
    node(.sameJSON, tables.conditions.values.number(of: value), UInt32(value.partCount))
  }

  mutating func node(_ kind: ConditionNode.Kind, _ operand: UInt32 = 0, _ count: UInt32 = 0) -> UInt32 {
    tables.conditions.nodes.number(of: ConditionNode(kind: kind, operand: operand, count: count))
  }

  mutating func node(_ kind: ConditionNode.Kind, _ children: [UInt32]) -> UInt32 {
    let start = UInt32(tables.conditions.children.count)
    tables.conditions.children += children
    return node(kind, start, UInt32(children.count))
  }

  private mutating func all(_ children: [UInt32]) -> UInt32 {
    children.count == 1 ? children[0] : node(.all, children)
  }

  /// Reports why the current part cannot be evaluated, which makes its feature malformed; returns any node.
  mutating func broken(_ message: String) -> UInt32 {
    fail(message)
    return node(.never)
  }

  mutating func broken(expected: String, found value: FlagValue) -> UInt32 {
    broken("expected \(expected), found \(value.summary)")
  }

  // MARK: Operators

  /// The names in an element's test that make it a condition on the element's members.
  private static let conditionOperators: Set = ["$and", "$or", "$nor", "$savedGroup"]

  /// Compiles an operator on a value.
  private mutating func operation(_ name: String, _ operand: FlagValue, level: Int) -> UInt32 {
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
  /// The number of scalars, arrays and objects in the value.
  fileprivate var partCount: Int {
    var count = 0
    walk { value in
      count += 1
      return value.parts
    }
    return count
  }

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
