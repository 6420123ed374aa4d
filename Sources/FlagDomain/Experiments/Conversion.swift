/// Something that a user did, such as a purchase: what an experiment is to change.
public struct Conversion: Hashable, Sendable {
  /// What was done, such as `purchase`.
  public var name: String
  /// Who did it: the user's targeting key, as in ``Exposure/unit``.
  public var unit: String
  /// How much of it, in the unit of measurement that the name stands for; nil where it only counts.
  public var value: Double?
  /// What else is to be known of it; it leaves the device as it is.
  public var attributes: [String: FlagValue]

  /// Creates a conversion.
  public init(name: String, unit: String, value: Double? = nil, attributes: [String: FlagValue] = [:]) {
    self.name = name
    self.unit = unit
    self.value = value
    self.attributes = attributes
  }
}
