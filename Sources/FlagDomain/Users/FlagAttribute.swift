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

extension Bool: FlagAttribute {
  /// The boolean.
  public var attributeValue: FlagValue { .bool(self) }
}

extension String: FlagAttribute {
  /// The string.
  public var attributeValue: FlagValue { .string(self) }
}

extension Double: FlagAttribute {
  /// The number.
  public var attributeValue: FlagValue { .double(self) }
}

extension Float: FlagAttribute {
  /// The number.
  public var attributeValue: FlagValue { .double(Double(self)) }
}

extension FlagAttribute where Self: FixedWidthInteger {
  /// The number.
  public var attributeValue: FlagValue { .int(Int128(self)) }
}

extension Int: FlagAttribute {}
extension Int8: FlagAttribute {}
extension Int16: FlagAttribute {}
extension Int32: FlagAttribute {}
extension Int64: FlagAttribute {}
extension UInt: FlagAttribute {}
extension UInt8: FlagAttribute {}
extension UInt16: FlagAttribute {}
extension UInt32: FlagAttribute {}
extension UInt64: FlagAttribute {}

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
