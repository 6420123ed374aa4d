import Foundation

/// Uses of `Int` in a source that fail with 32 bits, as on a watch.
///
/// Numbers and moments are looked for, line by line: what is written in a line is all that is known of its types.
enum WordSize {
  /// Returns the lines that 32 bits may not be enough for, from 1.
  static func objections(to source: String) throws -> [Int] {
    let suspect = try NSRegularExpression(
      pattern: [
        // Not in texts and comments.
        #""(?:\\.|[^"\\\n])*"|//[^\n]*"#,
        #"(<< ?\(?(?:3[1-9]|[4-9][0-9]))"#,
        // Of what is no number itself: the product of two numbers, the compiler looks at.
        #"(?<![0-9] )(\* ?(?:60|24|3_?600|86_?400|1_?000(?:_?000)*)\b(?!\.))"#,
        #"(\b(?:60|24|3_?600|86_?400|1_?000(?:_?000)*) \* ?(?![0-9]))"#,
        #"(?<![\w.])(0x[0-9A-Fa-f_]+|[0-9][0-9_]*)(?![\w.])"#,
        #"(\bInt\((?:\w+: )?[^()\n]*(?:timeInterval|time\(nil|[sS]econds))"#,
      ].joined(separator: "|"))
    let all = NSRange(location: 0, length: source.utf16.count)
    let lines = try suspect.matches(in: source, range: all).compactMap { match -> Int? in
      guard let range = (1...5).lazy.compactMap({ Range(match.range(at: $0), in: source) }).first else { return nil }
      if match.range(at: 4).location != NSNotFound, isSmall(source[range]) { return nil }
      let line = source.lineRange(for: range)
      return try isWide(source[line]) ? nil : source[..<line.lowerBound].utf8.count { $0 == 0x0A } + 1
    }
    return Set(lines).sorted()
  }

  /// Whether a literal fits in 32 bits with a sign.
  private static func isSmall(_ literal: Substring) -> Bool {
    let digits = literal.filter { $0 != "_" }
    let isHexadecimal = digits.hasPrefix("0x")
    let number = Int64(isHexadecimal ? digits.dropFirst(2) : digits[...], radix: isHexadecimal ? 16 : 10)
    return number.map { $0 <= Int64(Int32.max) } ?? false
  }

  /// Whether a line names a type of a fixed width, or uses wrapping arithmetic, which has one.
  private static func isWide(_ line: Substring) throws -> Bool {
    try NSRegularExpression(pattern: #"\b(?:U?Int64|U?Int128|UInt32|Double|Duration|TimeInterval)\b|&[*+-]| \^ |\.0"#)
      .firstMatch(in: String(line), range: NSRange(location: 0, length: line.utf16.count)) != nil
  }
}
