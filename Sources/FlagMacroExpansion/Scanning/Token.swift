/// A word, literal or sign of a program's text.
struct Token: Equatable {
  enum Kind: Equatable {
    /// A name or keyword, in back-ticks or not.
    case word
    /// A number without its sign.
    case number
    /// A string literal of any form; whether it holds an interpolation.
    case string(isInterpolated: Bool)
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

  var kind: Kind
  var text: String
  /// The range of the token, in bytes from the start of the text.
  var range: Range<Int>
  /// Whether nothing but space precedes it on its line.
  var startsLine: Bool
}
