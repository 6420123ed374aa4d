/// What a reader did not expect in a JSON text, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// What kind of failure it is, and so where the reader is left.
  package enum Code: Hashable, Sendable {
    /// The text is not JSON; what comes after the offset cannot be read.
    case syntax
    /// The text is JSON, but the value is nothing that can be held; the reader is after it.
    case range
    /// The value is not of the kind that was asked for; the reader is before it.
    case kind
  }

  package let code: Code
  /// The count of bytes before what was found.
  package let offset: Int
  /// The path of the innermost value that had begun there.
  package let path: DocumentPath
  package let expected: String
  /// What is there, in at most 100 characters of the text.
  package let found: String
}

extension JSONError: CustomStringConvertible {
  /// What was expected and what was found, in one line.
  package var description: String { "expected \(expected), found \(found)" }
}
