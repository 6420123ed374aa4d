/// A part of a pattern.
indirect enum PatternNode {
  case scalar(Unicode.Scalar)
  /// One scalar of a class, by its index.
  case element(Int)
  case assertion(Assertion)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// A part several times; a maximum of nil is none. The column is that of the repetition.
  case repetition(PatternNode, minimum: Int, maximum: Int?, column: Int)

  /// A condition of a place between two scalars.
  enum Assertion {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary

    /// Returns whether the place between two scalars, nil at the ends of a text, meets it.
    func holds(after previous: Unicode.Scalar?, before next: Unicode.Scalar?) -> Bool {
      switch self {
      case .textStart: previous == nil
      case .textEnd: next == nil
      case .lineStart: previous.map(Self.endsLine) ?? true
      case .lineEnd: next.map(Self.endsLine) ?? true
      case .wordBoundary: Self.isWord(previous) != Self.isWord(next)
      case .noWordBoundary: Self.isWord(previous) == Self.isWord(next)
      }
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\n", "\r", "\u{2028}", "\u{2029}": true
      default: false
      }
    }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
      guard let scalar else { return false }
      return switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: false
      }
    }
  }
}
