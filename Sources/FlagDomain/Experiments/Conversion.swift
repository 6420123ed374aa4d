/// A user's action that an experiment measures, such as a purchase.
public struct Conversion: Hashable, Sendable {
  /// The name of the action, such as `purchase`.
  public var name: String
  /// The user's targeting key, as in ``Exposure/unit``.
  public var unit: String
  /// The amount, in the unit that belongs to the name; nil if the action is only counted.
  public var value: Double?
  /// Further attributes; a tracker stores all of them, unless its options name those that it may store.
  public var attributes: [String: FlagValue]

  /// Creates a conversion.
  public init(name: String, unit: String, value: Double? = nil, attributes: [String: FlagValue] = [:]) {
    self.name = name
    self.unit = unit
    self.value = value
    self.attributes = attributes
  }
}
