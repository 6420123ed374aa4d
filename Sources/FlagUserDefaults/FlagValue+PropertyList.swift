import FlagDomain
import FlagJSON
import FlagProviders
import FlagSupport
import Foundation

extension FlagValue {
  /// The data that represents null in property lists, which have no null.
  private static let nullData = Data("null".utf8)
  /// The maximum depth of nested arrays and objects: the same as in JSON.
  private static let maximumDepth = JSONReader.maximumDepth

  /// Creates the value of an object from a property list: data is base64 or null, a date is ISO 8601.
  init(propertyList object: Any) {
    switch object {
    case Self.nullData as Data: self = .null
    case let data as Data: self = data.flagValue
    case let date as Date: self.init(date)
    case let string as String: self = .string(string)
    case let fields as [String: Any]: self = .object(fields.mapValues(FlagValue.init(propertyList:)))
    case let elements as [Any]: self = .array(elements.map(FlagValue.init(propertyList:)))
    case let number as NSNumber: self.init(number)
    default: self = .null
    }
  }

  /// Creates the value of an object from a property list; if data may be JSON, data that is becomes its value.
  init(propertyList object: Any, readingJSON: Bool) {
    guard readingJSON, let data = object as? Data else {
      self.init(propertyList: object)
      return
    }
    do throws(JSONError) {
      self = try FlagValue(json: Array(data))
    } catch {
      self.init(propertyList: data)
    }
  }

  /// Creates a value from a date; one outside of ISO 8601 becomes a string that no flag reads as a date, and is
  /// reported.
  private init(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    self = .string(Timestamp(secondsSinceReference: seconds)?.description ?? "\(seconds) s from 2001-01-01")
  }

  /// Creates a value from a number: booleans are of type `c`, numbers with a fraction of type `d` or `f`.
  private init(_ number: NSNumber) {
    switch unsafe UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q"): self = .int(Int128(number.uint64Value))
    default: self = .int(Int128(number.int64Value))
    }
  }

  /// Returns the value as an object of a property list.
  ///
  /// - Throws: A type mismatch of the key, if a property list cannot hold the value, or it has too many levels.
  func propertyList(of key: FlagKey?, depth: Int = maximumDepth) throws(FlagError) -> Any {
    switch self {
    case .null: return Self.nullData
    case .bool(let value): return value
    case .double(let value, nil): return value
    case .double: throw FlagError(.typeMismatch, "expected a number that a double holds, found \(self)", key: key)
    case .string(let value): return value
    case .int(let value):
      if let value = Int64(exactly: value) { return value }
      if let value = UInt64(exactly: value) { return value }
      throw FlagError(.typeMismatch, "expected an integer of 64 bits, found \(self)", key: key)
    case .array(let elements):
      let depth = try lower(depth, key)
      return try elements.map { element throws(FlagError) in try element.propertyList(of: key, depth: depth) }
    case .object(let fields):
      let depth = try lower(depth, key)
      return try [String: Any](
        uniqueKeysWithValues: fields.map { name, field throws(FlagError) in
          (name, try field.propertyList(of: key, depth: depth))
        })
    }
  }

  private func lower(_ depth: Int, _ key: FlagKey?) throws(FlagError) -> Int {
    if depth > 0 { return depth - 1 }
    throw FlagError(.typeMismatch, "expected at most \(Self.maximumDepth) levels of arrays and objects", key: key)
  }
}
