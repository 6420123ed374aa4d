/// A type whose values can be attributes of a user or context.
///
/// It allows plain values as attributes: `["plan": plan, "age": 42, "isBeta": true]`.
public protocol FlagAttribute: Sendable {
  /// The value as rules see it.
  var attributeValue: FlagValue { get }
}

extension FlagValue: FlagAttribute {
  /// The value itself.
  public var attributeValue: FlagValue { self }
}

extension FlagAttribute where Self: FixedWidthInteger {
  /// The number.
  public var attributeValue: FlagValue { .int(Int128(self)) }
}

extension Optional: FlagAttribute where Wrapped: FlagAttribute {
  /// The value, or null.
  public var attributeValue: FlagValue { self?.attributeValue ?? .null }
}

extension Array: FlagAttribute where Element: FlagAttribute {
  /// The elements.
  public var attributeValue: FlagValue { .array(map(\.attributeValue)) }
}

extension Dictionary: FlagAttribute where Key == String, Value: FlagAttribute {
  /// The fields.
  public var attributeValue: FlagValue { .object(mapValues(\.attributeValue)) }
}
