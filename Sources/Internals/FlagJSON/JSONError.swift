/// An error at a position in a JSON text.
package struct JSONError: Error, Hashable, Sendable {
  /// The kind of failure, which determines the position of the reader after it.
  package enum Code: Hashable, Sendable {
    /// The text is not JSON; the rest of it cannot be read.
    case syntax
    /// The text is JSON, but the value cannot be represented; the reader is after it.
    case range
    /// The value has another type than requested; the reader is before it.
    case kind
  }

  package let code: Code
  /// The number of bytes before the finding.
  package let offset: Int
  /// The path of the innermost value that begins at or before the offset.
  package let path: DocumentPath
  package let expected: String
  /// The finding, in at most 100 characters of the text.
  package let found: String
}

extension JSONError: CustomStringConvertible {
  /// The expectation and the finding, in one line.
  package var description: String { "expected \(expected), found \(found)" }
}
