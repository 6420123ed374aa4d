/// The name of an attribute of a context; what it means is found out once, and not at every look-up.
package struct ContextAttribute: Hashable, Sendable {
  enum Kind: Sendable {
    case targetingKey, countryCode, segments, free
  }

  let name: String
  let kind: Kind

  /// Creates the attribute that a name means.
  package init(_ name: String) {
    self.name = name
    kind =
      switch name {
      case "targetingKey": .targetingKey
      case "countryCode": .countryCode
      case "segments": .segments
      default: .free
      }
  }
}

extension EvaluationContext {
  /// The attribute, or nil: the user's first, then those around them.
  package subscript(attribute: ContextAttribute) -> FlagValue? {
    guard let user else { return attributes[attribute.name] }
    switch attribute.kind {
    case .targetingKey: return .string(user.id)
    case .countryCode: if let code = user.countryCode { return .string(code) }
    case .segments: return user.segmentValues
    case .free: break
    }
    return user.attributes[attribute.name] ?? attributes[attribute.name]
  }
}
