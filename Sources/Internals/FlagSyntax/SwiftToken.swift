/// A token of Swift source: a word, a literal or a sign.
package struct SwiftToken: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A name or keyword, in backticks or not.
    case word
    /// A number without its sign.
    case number
    /// A string literal of any form, or a part of one.
    case string(Extent)
    /// A regular expression between slashes.
    case regex
    /// One of `( [ {`.
    case opening
    /// One of `) ] }`.
    case closing
    /// A word after a number sign, such as `#if`.
    case directive
    /// A run of operator characters, or one other sign.
    case sign
  }

  /// The part of a string literal that a token covers.
  package enum Extent: Equatable, Sendable {
    /// A whole string, without or with interpolations.
    case plain, interpolated
    /// The part before the first interpolation, between two, and after the last.
    case head, middle, tail
  }

  package let kind: Kind
  /// The text of the token as written.
  package let text: String
  /// The bytes of the token.
  package let range: Range<Int>
  /// The line that the token starts in, counted from 1.
  package let line: Int
  /// The byte of the line that the token starts at, counted from 1, as the compiler counts.
  package let column: Int
  /// Whether only whitespace precedes the token on its line.
  package let startsLine: Bool

  /// The word without backticks.
  package var name: String { text.utf8.first == UInt8(ascii: "`") ? String(text.dropFirst().dropLast()) : text }

  /// The text between the quotation marks of a string without interpolations, escapes as written; nil for other tokens.
  package var content: String? {
    guard kind == .string(.plain) else { return nil }
    let margin = hashes + (isMultiline ? 3 : 1)
    return String(Substring(text.utf8.dropFirst(margin).dropLast(margin)))
  }

  /// The value of a single-line string, with its escapes replaced; nil for other tokens, and for strings with
  /// interpolations or invalid escapes.
  package var plainString: String? {
    guard !isMultiline, let content, !content.contains("\n") else { return nil }
    var rest = Substring(content).unicodeScalars
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == "\\", rest.starts(with: String(repeating: "#", count: hashes).unicodeScalars) else {
        value.append(scalar)
        continue
      }
      rest.removeFirst(hashes)
      guard let escaped = Self.escapedScalar(from: &rest) else { return nil }
      value.append(escaped)
    }
    return String(value)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "0": "\0", "\\": "\\", "t": "\t", "n": "\n", "r": "\r", "\"": "\"", "'": "'",
  ]

  /// Returns the scalar that an escape stands for, and removes what follows its backslash; nil if it is invalid.
  private static func escapedScalar(from rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard let kind = rest.popFirst() else { return nil }
    guard kind == "u" else { return escapes[kind] }
    guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
    let digits = String(rest[..<end])
    rest = rest[rest.index(after: end)...]
    guard (1...8).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
  }

  private var hashes: Int { text.utf8.prefix { $0 == UInt8(ascii: "#") }.count }

  private var isMultiline: Bool {
    text.utf8.count >= 2 * (hashes + 3) && text.utf8.dropFirst(hashes).starts(with: "\"\"\"".utf8)
  }
}

/// A position in source of an unterminated token or an unbalanced bracket.
package struct SourceFlaw: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case unterminated(String)
    case unbalanced(String)
  }

  package let kind: Kind
  /// The bytes at which the flaw starts.
  package let range: Range<Int>
}
