/// Gives the words of a command line one by one; `--name=value` counts as two.
struct OptionReader {
  private var words: [String]

  init(_ words: some Sequence<String>) { self.words = words.reversed() }

  /// Returns the next word, or nil at the end.
  mutating func next() -> String? {
    guard let word = words.popLast() else { return nil }
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return word }
    words.append(String(word[word.index(after: sign)...]))
    return String(word[..<sign])
  }

  /// Returns the word after an option.
  mutating func value(of option: String) throws(UsageError) -> String {
    guard let word = words.popLast() else { throw UsageError(message: "\(option) needs a value") }
    return word
  }
}
