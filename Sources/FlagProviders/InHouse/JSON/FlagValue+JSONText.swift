package import FlagDomain
import Foundation

extension FlagValue {
  /// Reads a value from JSON text.
  package init(json bytes: [UInt8]) throws(JSONError) {
    var scanner = JSONScanner(bytes)
    let depth = try scanner.skipValue()
    try scanner.skipEnd()
    guard depth <= JSONLimits.depth else { throw JSONError(tooDeep: depth, at: 0) }
    try self.init(json: bytes[...])
  }

  /// Reads a value from JSON text that the scanner has gone over.
  init(json bytes: ArraySlice<UInt8>) throws(JSONError) {
    do {
      self.init(parsed: try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    } catch {
      // The text is JSON, and yet Foundation has no value for it: a number beyond every double, half a character.
      throw JSONError(
        offset: bytes.startIndex, expected: "numbers and characters that can be represented", found: error.reason)
    }
  }
}

extension JSONError {
  init(tooDeep depth: Int, at offset: Int) {
    self.init(
      offset: offset, expected: "at most \(JSONLimits.depth) levels of arrays and objects", found: "\(depth) levels")
  }
}

extension Error {
  /// What Foundation's parser says of a failure.
  fileprivate var reason: String {
    (self as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? localizedDescription
  }
}
