/// The name of an attribute of a context, parsed once instead of at every look-up.
package struct ContextAttribute: Hashable, Sendable {
  enum Kind: Sendable {
    case targetingKey, countryCode, segments, visitorID, free
  }

  package let name: String
  let kind: Kind

  package init(_ name: String) {
    self.name = name
    // By code points, as all names are; comparing many combining marks by equivalence takes quadratic time.
    kind =
      if name.isIdentical(to: "targetingKey") {
        .targetingKey
      } else if name.isIdentical(to: "countryCode") {
        .countryCode
      } else if name.isIdentical(to: "segments") {
        .segments
      } else if name.isIdentical(to: EvaluationContext.visitorIDName) {
        .visitorID
      } else {
        .free
      }
  }

  package var isTargetingKey: Bool { kind == .targetingKey }
}

extension EvaluationContext {
  /// The value of the attribute, or nil: the user's first, then those of the context.
  package subscript(attribute: ContextAttribute) -> FlagValue? {
    guard let user else {
      return attributes.member(attribute.name)
        ?? (attribute.kind == .targetingKey || attribute.kind == .visitorID ? anonymousID.map(FlagValue.string) : nil)
    }
    switch attribute.kind {
    case .targetingKey: return .string(user.id)
    case .countryCode: if let code = user.countryCode { return .string(code) }
    case .segments: return user.segmentValues
    case .visitorID:
      return user.named.member(attribute.name) ?? attributes.member(attribute.name)
        ?? anonymousID.map(FlagValue.string)
    case .free: break
    }
    return user.named.member(attribute.name) ?? attributes.member(attribute.name)
  }
}
