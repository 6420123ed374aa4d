import FlagDomain
import Foundation

extension FlagValue {
  /// Creates the value of an object that Foundation's JSON parser made.
  init(parsed object: Any) {
    switch object {
    case let string as String: self = .string(string)
    case let fields as [String: Any]: self = .object(fields.mapValues(FlagValue.init(parsed:)))
    case let elements as [Any]: self = .array(elements.map(FlagValue.init(parsed:)))
    case let decimal as NSDecimalNumber: self.init(numeral: decimal.description)
    case let number as NSNumber: self.init(number)
    default: self = .null
    }
  }

  /// The parser keeps apart how a number was written: booleans are of type `c`, those with a fraction of type `d`.
  private init(_ number: NSNumber) {
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c"): self = .bool(number.boolValue)
    case UInt8(ascii: "d"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q"): self = .int(Int128(number.uint64Value))
    default: self = .int(Int128(number.int64Value))
    }
  }

  /// Long numerals arrive as decimal numbers, whose own conversion to a double is off by several units; so they are
  /// read again from their digits.
  private init(numeral: String) {
    if let whole = Int128(numeral) {
      self = .int(whole)
    } else {
      self = Double(numeral).map(FlagValue.double) ?? .null
    }
  }
}
