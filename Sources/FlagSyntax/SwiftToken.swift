/// A word, literal or sign of Swift source.
package struct SwiftToken: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A name or keyword, in back-ticks or not.
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

  /// How much of a string literal a token is.
  package enum Extent: Equatable, Sendable {
    /// All of a string without code inside, or all of one with code.
    case plain, interpolated
    /// The part before the first code, between two, and after the last.
    case head, middle, tail
  }

  package let kind: Kind
  /// The token as it is written.
  package let text: String
  /// The bytes of the token.
  package let range: Range<Int>
  /// The line that the token starts in, counted from 1.
  package let line: Int
  /// The byte of the line that the token starts at, counted from 1, as the compiler's index counts.
  package let column: Int
  /// Whether nothing but space precedes the token on its line.
  package let startsLine: Bool
}

extension SwiftToken {
  /// The word without back-ticks.
  package var name: String { text.utf8.first == UInt8(ascii: "`") ? String(text.dropFirst().dropLast()) : text }

  /// The text between the quotation marks of a string without code inside, escapes as they are written; nil for other
  /// tokens.
  package var content: String? {
    guard kind == .string(.plain) else { return nil }
    let margin = hashes + (isMultiline ? 3 : 1)
    return String(Substring(text.utf8.dropFirst(margin).dropLast(margin)))
  }

  /// What a string of one line says; nil for other tokens, and for strings that hold code or escapes.
  package var plainString: String? {
    guard !isMultiline, let content, !content.contains("\n") else { return nil }
    return content.contains("\\" + String(repeating: "#", count: hashes)) ? nil : content
  }

  private var hashes: Int { text.utf8.prefix { $0 == UInt8(ascii: "#") }.count }

  private var isMultiline: Bool {
    text.utf8.count >= 2 * (hashes + 3) && text.utf8.dropFirst(hashes).starts(with: "\"\"\"".utf8)
  }
}

/// A place in source where something has no end, or no partner.
package struct SourceFlaw: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case unterminated(String)
    case unbalanced(String)
  }

  package let kind: Kind
  /// The bytes where the thing starts.
  package let range: Range<Int>
}
