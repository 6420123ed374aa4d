/// What a flag is resolved for: the user, and attributes of the app or the request around them.
public struct EvaluationContext: Hashable, Sendable {
  /// Whoever is signed in; nil for a visitor.
  public var user: User?
  /// Attributes that hold for every user of this program, such as its version.
  public var attributes: [String: FlagValue]

  /// Creates a context.
  public init(user: User? = nil, attributes: [String: FlagValue] = [:]) {
    self.user = user
    self.attributes = attributes
  }
}

extension EvaluationContext {
  /// What identifies the user to pseudorandom assignment; nil for a visitor whose context names none.
  public var targetingKey: String? {
    if let user { return user.id }
    if case .string(let key)? = attributes["targetingKey"] { return key }
    return nil
  }

  /// The attribute of a name, or nil: the user's first, then those around them.
  public subscript(name: String) -> FlagValue? { self[ContextAttribute(name)] }

  /// Every attribute by its name, as ``subscript(_:)`` gives them.
  public var values: [String: FlagValue] {
    guard let user else { return attributes }
    var values = attributes.merging(user.attributes) { _, users in users }
    values["targetingKey"] = .string(user.id)
    values["segments"] = user.segmentValues
    if let code = user.countryCode { values["countryCode"] = .string(code) }
    return values
  }
}
