import FlagDefinitions
import FlagDomain

extension FeatureEvaluation {
  /// The value that assigns a user to buckets, and the attribute that has it.
  struct Unit {
    let text: String
    let isFallback: Bool
  }

  /// Returns the value of an attribute or, if its user has none, of the fallback; nil if both are missing.
  mutating func assignedUnit(of attribute: UnitAttribute, usesFallback: Bool, in payload: Payload) -> Unit? {
    if let text = unit(of: attribute.main, in: payload) { return Unit(text: text, isFallback: false) }
    if usesFallback, let fallback = attribute.fallback, let text = unit(of: fallback, in: payload) {
      return Unit(text: text, isFallback: true)
    }
    if payload.conditions.paths[Int(attribute.main.path)].alias?.isTargetingKey == true { missesTargetingKey = true }
    return nil
  }

  /// Returns the value of an attribute as text; nil if it is neither a text with characters nor a number but 0.
  func unit(of attribute: UnitAttribute.Name, in payload: Payload) -> String? {
    switch contextValue(ofPath: Int(attribute.path), in: payload) {
    case .string(let text)? where !text.isEmpty: text
    case let value? where value.number.map { $0 != 0 && $0.isFinite } == true: value.scalarText
    default: nil
    }
  }

  /// Returns the attribute with the first name of a path; nil if the context has none.
  func contextValue(ofPath number: Int, in payload: Payload) -> FlagValue? {
    if let alias = payload.conditions.paths[number].alias, let value = context[alias] { return value }
    return context[payload.conditions.paths[number].first]
  }
}
