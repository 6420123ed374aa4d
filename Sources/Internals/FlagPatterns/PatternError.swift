/// An error in a regular expression.
package struct PatternError: Error, Hashable, Sendable {
  /// The kind of error.
  package enum Code: Hashable, Sendable {
    /// The text is no pattern: an open bracket, a repetition of nothing.
    case syntax
    /// The text may be a pattern elsewhere: look-around, back-references, possessive and atomic groups.
    case unsupported
    /// The pattern has too many instructions, or too many groups in each other.
    case size
  }

  package let code: Code
  /// The number of the Unicode scalar at which the error is, from 1.
  package let column: Int
  /// The error in words, without its place.
  package let message: String
}

extension PatternError: CustomStringConvertible {
  /// The place and the error, in one line.
  package var description: String { "column \(column): \(message)" }
}
