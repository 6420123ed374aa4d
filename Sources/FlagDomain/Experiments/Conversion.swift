/// A user's action that an experiment measures, such as a purchase.
public struct Conversion: Hashable, Sendable {
  /// The name of the action, such as `purchase`.
  public var name: String
  /// The ids of those who did it, by the names of their attributes: all that an experiment may count by.
  ///
  /// They are the user's `targetingKey`, the visitor's `visitorID`, and those that running experiments name as
  /// `unitAttribute`, such as `company`. An ``Exposure`` is joined by the one of its ``Exposure/unitAttribute``.
  public var units: [String: String]
  /// The amount, in the unit that belongs to the name; nil if the action is only counted.
  public var value: Double?
  /// Further attributes; a tracker stores all of them, unless its options name those that it may store.
  public var attributes: [String: FlagValue]

  /// Creates a conversion.
  public init(name: String, units: [String: String], value: Double? = nil, attributes: [String: FlagValue] = [:]) {
    self.name = name
    self.units = units
    self.value = value
    self.attributes = attributes
  }

  /// Creates a conversion of a user, for experiments that count users.
  public init(name: String, unit: String, value: Double? = nil, attributes: [String: FlagValue] = [:]) {
    self.init(
      name: name, units: [EvaluationContext.targetingKeyName: unit], value: value, attributes: attributes)
  }

  /// The user's targeting key; nil if it is not among the units.
  public var unit: String? { units[EvaluationContext.targetingKeyName] }
}
