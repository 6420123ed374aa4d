/// A regular expression that is searched for in linear time, whatever it is and wherever it is searched.
///
/// It has what vendors' documents use: literals, `.`, classes (`[a-z]`, `[^a]`, `\d \w \s`, `[[:alpha:]]`, `\p{L}`),
/// groups, alternatives, repetition with its lazy forms, `^ $ \A \z \b \B`, and the flags `(?imsU)`. JavaScript and
/// RE2 agree about nearly all of it; where they do not, `.`, `\s`, `^` and `$` are JavaScript's, and what one of them
/// refuses is an error. Text is searched by Unicode scalars. Without a vendor's document one writes Swift's `Regex`,
/// which knows more, and has no limit of steps.
///
/// - SeeAlso: `PatternError.Code`, for what is not supported.
package struct Pattern: Sendable {
  /// The most instructions that a pattern may have.
  package static let maximumSize = 10_000

  package let text: String
  package let isCaseInsensitive: Bool
  private let program: PatternProgram

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - text: The pattern, without delimiters.
  ///   - isCaseInsensitive: Whether `a` finds `A`, as after `(?i)`.
  /// - Throws: The first error, with its column.
  package init(_ text: String, isCaseInsensitive: Bool = false) throws(PatternError) {
    self.text = text
    self.isCaseInsensitive = isCaseInsensitive
    var parser = PatternParser(text, ignoresCase: isCaseInsensitive)
    program = try PatternProgram(try parser.pattern(), classes: parser.classes.elements)
  }

  /// The number of its instructions, which a loader of many patterns adds up: each takes eight bytes.
  package var size: Int { program.instructions.count }

  /// Returns whether the pattern is found anywhere in a text.
  package func matches(_ text: String) -> Bool {
    var steps = Int.max
    return matches(text, within: &steps) == true
  }

  /// Returns whether the pattern is found anywhere in a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - steps: The most steps that the search may take; those that it took are subtracted. A search takes at most
  ///     twice its `size` for each scalar of the text, and usually a few.
  /// - Returns: Nil if there were too few steps.
  package func matches(_ text: String, within steps: inout Int) -> Bool? {
    program.matches(text, within: &steps)
  }
}

extension Pattern: Hashable {
  package static func == (first: Self, second: Self) -> Bool {
    first.isCaseInsensitive == second.isCaseInsensitive && first.text.utf8.elementsEqual(second.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(isCaseInsensitive)
  }
}
