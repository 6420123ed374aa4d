/// Where a text stops being JSON, and what stands there.
package struct JSONError: Error, Hashable, Sendable {
  /// The place, as a count of bytes from the beginning.
  package let offset: Int
  /// What would have been right there.
  package let expected: String
  /// What is there.
  package let found: String
}

extension JSONError: CustomStringConvertible {
  package var description: String { "expected \(expected), found \(found)" }
}
