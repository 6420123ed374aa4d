import FlagDomain
import FlagJSON
import Foundation

extension FlagValue {
  /// Reads a JSON text.
  init(reading text: String, depth: Int = JSONReader.maximumDepth) throws(JSONError) {
    try self.init(json: Array(text.utf8), depth: depth)
  }
}

extension FlagValue {
  /// Returns what reading this value's text gives.
  func writtenAndRead(_ layout: JSONLayout = .compact) throws -> FlagValue {
    let text = try json(layout)
    return try FlagValue(json: text)
  }
}

extension JSONReader {
  /// Lends a reader of a string to a closure.
  static func read<Result, Failure: Error>(
    _ text: String, depth: Int = maximumDepth, _ body: (inout JSONReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try read(Array(text.utf8), depth: depth, body)
  }
}

extension JSONError {
  /// Returns what a closure throws.
  static func thrown(by body: () throws(JSONError) -> Void) -> JSONError? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Returns what reading a text as one value throws.
  static func thrown(reading text: [UInt8]) -> JSONError? {
    thrown { () throws(JSONError) in _ = try FlagValue(json: text) }
  }

  /// Returns what reading a text as one value throws.
  static func thrown(reading text: String) -> JSONError? { thrown(reading: Array(text.utf8)) }
}

extension FlagError {
  /// Returns what writing a value throws.
  static func thrown(writing value: FlagValue, depth: Int = JSONReader.maximumDepth) -> FlagError? {
    do {
      _ = try value.json(depth: depth)
      return nil
    } catch {
      return error
    }
  }
}

extension FlagValue {
  /// Whether the value equals Foundation's for the same text; numbers are compared as doubles.
  func isSame(as object: Any) -> Bool {
    switch (self, object) {
    case (.object(let members), let other as [String: Any]):
      members.count == other.count
        && members.allSatisfy { name, value in other[name].map { value.isSame(as: $0) } ?? false }
    case (.array(let elements), let other as [Any]):
      elements.count == other.count && zip(elements, other).allSatisfy { $0.isSame(as: $1) }
    case (.string(let text), let other as String): text.utf8.elementsEqual(other.utf8)
    case (.bool(let value), let other as NSNumber): value == other.boolValue
    // Some numerals are decimal numbers for Foundation, whose own conversion to a double is not exact.
    case (.int(let value), let other as NSNumber): Double(value) == Double(other.description)
    case (.double(let value, _), let other as NSNumber): value == Double(other.description)
    case (.null, _): object is NSNull
    default: false
    }
  }
}
