extension EvaluationContext {
  /// The name of the attribute that experiments count by unless their definition names another one: the user's id.
  package static let targetingKeyName = "targetingKey"
  /// The name of the attribute with the visitor's id.
  package static let visitorIDName = "visitorID"

  /// Returns the id that an attribute has, by which an experiment may count; nil for no attribute, and for a value that
  /// is no id.
  ///
  /// - Parameter name: The name of the attribute; of one in an object, the names with dots: `organization.key`.
  /// - Returns: A text that is not empty; a whole number as its digits.
  package func unit(named name: String) -> String? {
    switch self[name] ?? nested(name) {
    case .string(let unit)?: unit.isEmpty ? nil : unit
    case .int(let number)?: String(number)
    case nil, .null?, .bool?, .double?, .array?, .object?: nil
    }
  }

  /// Returns the ids that some attributes have, by their names, and those of the user and the visitor.
  package func units(named names: Set<String>) -> [String: String] {
    var units: [String: String] = [:]
    for name in names.union([Self.targetingKeyName, Self.visitorIDName]) { units[name] = unit(named: name) }
    return units
  }

  private func nested(_ path: String) -> FlagValue? {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1 else { return nil }
    return names.dropFirst().reduce(self[names[0]]) { value, name in
      if case .object(let members)? = value { members.member(name) } else { nil }
    }
  }
}
