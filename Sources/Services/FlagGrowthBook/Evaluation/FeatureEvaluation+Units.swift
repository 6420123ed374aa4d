import FlagDomain

extension FeatureEvaluation {
  /// The value that assigns a user to buckets, and the attribute that has it.
  struct Unit {
    let text: String
    let isFallback: Bool
  }

  /// Returns the value of an attribute or, if its user has none, of the fallback; nil if both are missing.
  mutating func assignedUnit(
    of attribute: UnitAttribute, usesFallback: Bool, in payload: Payload
  ) throws(EvaluationFailure) -> Unit? {
    if let text = try unit(of: attribute.main, in: payload) { return Unit(text: text, isFallback: false) }
    if usesFallback, let fallback = attribute.fallback, let text = try unit(of: fallback, in: payload) {
      return Unit(text: text, isFallback: true)
    }
    if payload.conditions.paths[Int(attribute.main.literal)].alias?.isTargetingKey == true { missesTargetingKey = true }
    return nil
  }

  /// Returns the value of an attribute as text; nil if it is missing or, as JavaScript sees it, falsy.
  mutating func unit(of attribute: UnitAttribute.Name, in payload: Payload) throws(EvaluationFailure) -> String? {
    var value = contextValue(ofPath: Int(attribute.literal), in: payload)
    if value == nil, let path = attribute.path { value = self.value(ofPath: Int(path), for: .context, in: payload) }
    switch value {
    case .string(let text)?: return text.isEmpty ? nil : text
    case nil, .null?, .bool(false)?, .int(0)?: return nil
    case .double(let number, _)? where number == 0 || number.isNaN: return nil
    case let value?: return try text(of: value)
    }
  }

  /// Returns the attribute with the first name of a path; nil if the context has none.
  func contextValue(ofPath number: Int, in payload: Payload) -> FlagValue? {
    if let alias = payload.conditions.paths[number].alias, let value = context[alias] { return value }
    return context[payload.conditions.paths[number].first]
  }
}
