import FlagDomain

/// The words of a command line that are neither options nor their values.
struct Operands {
  let words: [String]

  /// Checks that there are at most a number of operands.
  func check(atMost count: Int = 0) throws(UsageError) {
    if words.count > count { throw UsageError("unknown argument \(words[count].excerpt)") }
  }

  /// Returns an operand; the error for a missing one contains its name, which starts with an article.
  func required(_ index: Int, _ name: String) throws(UsageError) -> String {
    guard index < words.count else { throw UsageError("\(name) is missing") }
    return words[index]
  }

  /// Returns the only operand; the name is for errors.
  func one(_ name: String) throws(UsageError) -> String {
    let word = try required(0, "a \(name)")
    if words.count > 1 { throw UsageError("one \(name) is enough, found \(words[1].excerpt) as well") }
    return word
  }

  /// Returns the operands, at least one; the name is for errors.
  func some(_ name: String) throws(UsageError) -> [String] {
    _ = try required(0, "a \(name)")
    return words
  }
}
