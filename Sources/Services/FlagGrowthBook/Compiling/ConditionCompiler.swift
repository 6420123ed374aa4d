import FlagDefinitions
import FlagDomain
import FlagJSON

/// Conditions: what an object fulfils, and the tests that its values pass.
extension PayloadCompiler {
  /// The maximum nesting of conditions.
  private static let levels = 50

  /// Compiles the condition at the current path, and returns the number of its node.
  mutating func condition(_ value: FlagValue, level: Int = 0) -> UInt32 {
    guard level < Self.levels else { return broken("conditions nest more than \(Self.levels) levels") }
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
    case "$not": return node(.not, condition(part, level: level + 1))
    default:
      let test = test(part, level: level + 1)
      return node(.attribute, pathNumber(name), test)
    }
  }
}

extension PayloadCompiler {
  /// Compiles the test of a value: a constant to be equal to, or operators.
  mutating func test(_ value: FlagValue, level: Int, ignoresCase: Bool = false) -> UInt32 {
    guard level < Self.levels else { return broken("conditions nest more than \(Self.levels) levels") }
    switch value {
    case .null: return node(.isNull)
    case .bool(let value): return node(value ? .isTrue : .isFalse)
    case .int(let number): return node(.number, tables.conditions.numbers.number(of: Double(closestTo: number)))
    case .double(let number, _): return node(.number, tables.conditions.numbers.number(of: number))
    case .string(let text):
      let text = ignoresCase ? text.lowercased() : text
      return node(ignoresCase ? .textIgnoringCase : .text, tables.conditions.texts.number(of: text))
    case .array: return sameJSON(value)
    case .object(let members):
      guard members.keys.allSatisfy({ $0.hasPrefix("$") }) else { return sameJSON(value) }
      return all(
        members.sorted { $0.key < $1.key }.map { name, operand in
          at(.member(name)) { $0.operation(name, operand, level: level + 1) }
        })
    }
  }

  private mutating func sameJSON(_ value: FlagValue) -> UInt32 {
    node(.sameJSON, tables.conditions.values.number(of: value), UInt32(value.partCount))
  }
}

extension PayloadCompiler {
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

  /// Returns a node whose evaluation fails, and reports why.
  mutating func broken(_ message: String) -> UInt32 { node(.broken, failure(message)) }
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
