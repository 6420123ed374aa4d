/// The name of an attribute of a context, parsed once instead of at every look-up.
package struct ContextAttribute: Hashable, Sendable {
  enum Kind: String, CaseIterable {
    case targetingKey, countryCode, segments, visitorID
  }

  package let name: String
  /// The meaning of the name; nil for an attribute of the user's or the context's own.
  let kind: Kind?

  package init(_ name: String) {
    self.name = name
    // By code points, as all names are; comparing many combining marks by equivalence takes quadratic time.
    kind = Kind.allCases.first { $0.rawValue.isIdentical(to: name) }
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
    case nil: break
    }
    return user.named.member(attribute.name) ?? attributes.member(attribute.name)
  }
}
