import FlagDomain
import FlagJSON

extension GrowthBookConversion {
  func condition(_ value: FlagValue) throws(Untranslatable) -> FlagValue {
    guard let members = value.fields else { throw Untranslatable(reason: "a condition is not an object") }
    var parts: [FlagValue] = []
    for (name, operand) in members.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "$and": parts += try conditions(operand)
      case "$or": parts.append(.anyOf(try conditions(operand)))
      case "$nor": parts.append(.not(.anyOf(try conditions(operand))))
      case "$not": parts.append(.not(try condition(operand)))
      default:
        guard !name.hasPrefix("$") else { throw Untranslatable(reason: "\(name) has no equivalent") }
        parts.append(try reading(name) { attribute throws(Untranslatable) in try test(operand, of: attribute) })
      }
    }
    return parts.isEmpty ? true : .allOf(parts)
  }

  private func conditions(_ value: FlagValue) throws(Untranslatable) -> [FlagValue] {
    var conditions: [FlagValue] = []
    for value in value.elements ?? [] { conditions.append(try condition(value)) }
    return conditions.isEmpty ? [true] : conditions
  }

  /// Returns a test of an attribute; if GrowthBook names one of the user's own otherwise, that one comes first.
  private func reading(
    _ name: String, _ test: (FlagValue) throws(Untranslatable) -> FlagValue
  ) throws(Untranslatable) -> FlagValue {
    let attribute = FlagValue.attribute(name)
    guard let other = ["id": "targetingKey", "country": "countryCode"][name].map(FlagValue.attribute) else {
      return try test(attribute)
    }
    let isMissing: FlagValue = ["===": [other, .null]]
    return .anyOf([.allOf([.not(isMissing), try test(other)]), .allOf([isMissing, try test(attribute)])])
  }

  private func test(_ operand: FlagValue, of attribute: FlagValue) throws(Untranslatable) -> FlagValue {
    guard let members = operand.fields, !members.isEmpty, members.keys.allSatisfy({ $0.hasPrefix("$") }) else {
      return ["===": [attribute, try comparable(operand)]]
    }
    var parts: [FlagValue] = []
    for (name, operand) in members.sorted(by: { $0.key < $1.key }) {
      parts.append(try operation(name, operand, of: attribute))
    }
    return .allOf(parts)
  }

  private func operation(
    _ name: String, _ operand: FlagValue, of attribute: FlagValue
  ) throws(Untranslatable) -> FlagValue {
    let operators = [
      "$lt": "<", "$lte": "<=", "$gt": ">", "$gte": ">=", "$veq": "=", "$vne": "!=", "$vlt": "<", "$vlte": "<=",
      "$vgt": ">", "$vgte": ">=",
    ]
    switch name {
    case "$eq": return ["===": [attribute, try comparable(operand)]]
    case "$ne": return ["!==": [attribute, try comparable(operand)]]
    case "$in": return try membership(of: attribute, operand)
    case "$nin": return .not(try membership(of: attribute, operand))
    case "$inGroup": return try membership(of: attribute, group(operand))
    case "$notInGroup": return .not(try membership(of: attribute, group(operand)))
    case "$exists": return [(operand == false ? "===" : "!=="): [attribute, .null]]
    case "$not": return .not(try test(operand, of: attribute))
    case "$lt", "$lte", "$gt", "$gte":
      // Values of other types, and missing ones, have no order.
      let conversion = operand.number == nil ? "cat" : "+"
      return .allOf([
        ["===": [[conversion: [attribute]], attribute]], [operators[name] ?? "": [attribute, try comparable(operand)]],
      ])
    case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte":
      return ["sem_ver": [attribute, .string(operators[name] ?? ""), operand]]
    default: throw Untranslatable(reason: "\(name) has no equivalent")
    }
  }

  private func comparable(_ value: FlagValue) throws(Untranslatable) -> FlagValue {
    guard value.isComparable else { throw Untranslatable(reason: "arrays and objects are not compared") }
    return value
  }

  /// Returns a test that an attribute, or an element of it, is in a list.
  private func membership(of attribute: FlagValue, _ list: FlagValue) throws(Untranslatable) -> FlagValue {
    guard let elements = list.elements, elements.allSatisfy(\.isComparable) else {
      throw Untranslatable(reason: "a list has arrays or objects, or is none")
    }
    return .anyOf([["in": [attribute, list]], ["some": [attribute, ["in": [["var": ""], list]]]]])
  }

  private func group(_ id: FlagValue) -> FlagValue {
    guard case .string(let name) = id, let group = groups[name] else { return [] }
    return group["type"] == "list" ? group["values"] ?? [] : group
  }
}
