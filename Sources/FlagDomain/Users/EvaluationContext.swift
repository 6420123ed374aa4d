/// The context that a flag is resolved for: the user, and the attributes of the app or request.
public struct EvaluationContext: Sendable {
  /// The user; nil for a visitor.
  public var user: FlagUser?
  /// Attributes that apply to every user of this program, such as its version.
  public var attributes: [String: FlagValue]

  /// The id of the visitor, or nil; rules see it as `visitorID`, unless there is an attribute of this name.
  ///
  /// It stays the same while users sign in and out. While nobody is signed in, it is the targeting key, too.
  public var anonymousID: String?

  /// Creates a context.
  public init(user: FlagUser? = nil, attributes: [String: FlagValue] = [:], anonymousID: String? = nil) {
    self.user = user
    self.attributes = attributes
    self.anonymousID = anonymousID
  }

  /// Creates a context with attributes that are plain values.
  public init(user: FlagUser? = nil, attributes: [String: any FlagAttribute], anonymousID: String? = nil) {
    self.init(user: user, attributes: attributes.mapValues(\.attributeValue), anonymousID: anonymousID)
  }

  package mutating func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    for name in names { attributes[name] = nil }
    for (name, value) in values {
      // Also removes a name that is equal but in another Unicode normal form.
      attributes[name] = nil
      attributes[name] = value
    }
  }
}

extension EvaluationContext: Hashable {
  /// Returns whether two contexts are equal; strings are compared by code points.
  public static func == (left: EvaluationContext, right: EvaluationContext) -> Bool {
    left.user == right.user && FlagValue.object(left.attributes) == .object(right.attributes)
      && left.anonymousID.attributeValue == right.anonymousID.attributeValue
  }

  /// Feeds the context to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(user)
    hasher.combine(attributes)
  }
}

extension EvaluationContext {
  /// The id by which rollouts assign the user; nil for a visitor without an anonymous id.
  public var targetingKey: String? {
    if let user { return user.id }
    if case .string(let key)? = attributes["targetingKey"] { return key }
    return anonymousID
  }

  /// The attribute with a name, or nil: the user's first, then those of the context.
  public subscript(name: String) -> FlagValue? { self[ContextAttribute(name)] }

  /// Every attribute by its name, as ``subscript(_:)`` gives them.
  public var values: [String: FlagValue] {
    guard let user else {
      guard let anonymousID else { return attributes }
      let visitor = FlagValue.string(anonymousID)
      return [Self.targetingKeyName: visitor, Self.visitorIDName: visitor].merging(attributes) { $1 }
    }
    var values = attributes.merging(user.named) { _, users in users }
    values[Self.visitorIDName] = values[Self.visitorIDName] ?? anonymousID.map(FlagValue.string)
    values["targetingKey"] = .string(user.id)
    values["segments"] = user.segmentValues
    if let code = user.countryCode { values["countryCode"] = .string(code) }
    return values
  }
}
