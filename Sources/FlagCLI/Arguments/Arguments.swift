/// The words of a command line, one by one; `--name=value` is an option and its value.
struct Arguments {
  private var words: [String]
  /// The option that was read last, where a value is attached to it.
  private var optionWithValue: String?

  init(_ words: some Sequence<String>) { self.words = words.reversed() }

  /// Returns the next option or operand, or nil at the end.
  mutating func next() throws(UsageError) -> String? {
    if let optionWithValue { throw UsageError("\(optionWithValue) takes no value") }
    guard let word = words.popLast() else { return nil }
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return word }
    let option = String(word[..<sign])
    words.append(String(word[word.index(after: sign)...]))
    optionWithValue = option
    return option
  }

  /// Returns the value of an option that was read.
  mutating func value(of option: String) throws(UsageError) -> String {
    optionWithValue = nil
    guard let word = words.popLast() else { throw UsageError("\(option) needs a value") }
    return word
  }
}

/// An invalid command line, with a message that says what is expected.
struct UsageError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}
