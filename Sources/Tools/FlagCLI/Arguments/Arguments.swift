import FlagDomain

/// The words of a command line, read one by one; `--name=value` is an option and its value.
///
/// Negative numbers are operands, and so are all words after `--`.
struct Arguments {
  private var words: [String]
  /// The last option, if a value was attached to it.
  private var optionWithValue: String?
  private var hasEndedOptions = false

  init(_ words: some Sequence<String>) { self.words = words.reversed() }

  /// Returns the next option or operand, or nil at the end.
  mutating func next() throws(UsageError) -> (word: String, isOption: Bool)? {
    if let optionWithValue { throw UsageError("\(optionWithValue) takes no value") }
    guard let word = words.popLast() else { return nil }
    if !hasEndedOptions, word == "--" {
      hasEndedOptions = true
      return try next()
    }
    guard !hasEndedOptions, word.hasPrefix("-"), word != "-", !word.isNegativeNumber else { return (word, false) }
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, true) }
    let option = String(word[..<sign])
    words.append(String(word[word.index(after: sign)...]))
    optionWithValue = option
    return (option, true)
  }

  /// Returns the value of the option that was read last.
  mutating func value(of option: String) throws(UsageError) -> String {
    optionWithValue = nil
    guard let word = words.popLast() else { throw UsageError("\(option) needs a value") }
    return word
  }
}

extension String {
  fileprivate var isNegativeNumber: Bool {
    dropFirst().first.map("0123456789.".contains) == true && Double(self) != nil
  }
}

/// An error for an invalid command line, with a message for the user.
struct UsageError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}

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
