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
      members.sorted { $0.key < $1.key }.map { name, part in
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
  mutating func test(_ value: FlagValue, level: Int, ignoresCase: Bool = false) -> UInt32 {
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
        members.sorted { $0.key < $1.key }.map { name, operand in
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
}

extension FlagValue {
  /// The number of scalars, arrays and objects in the value.
  fileprivate var partCount: Int {
    var rest = [self]
    var count = 0
    while let value = rest.popLast() {
      count += 1
      if let elements = value.elements { rest += elements }
      if let fields = value.fields { rest += fields.values }
    }
    return count
  }
}
