import FlagDefinitions
import FlagDomain

/// The words of a command line, one by one; `--name=value` is an option and its value.
struct Arguments {
  /// The words that are left, the last one first.
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

  /// Returns the way of bucketing that is the value of an option that was read.
  mutating func bucketing(of option: String) throws(UsageError) -> Bucketing {
    try choice(of: option, Bucketing.allCases) { $0.rawValue }
  }

  /// Returns the value of an option that was read, as a whole number.
  mutating func integer(of option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
    let text = try value(of: option)
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option) is a whole number from \(range.lowerBound) to \(range.upperBound), found \(text.excerpt)")
    }
    return number
  }

  /// Returns the value of an option that was read, as a number.
  mutating func number(
    of option: String, _ expected: String, _ isValid: (Double) -> Bool
  ) throws(UsageError) -> Double {
    let text = try value(of: option)
    guard let number = Double(text), number.isFinite, isValid(number) else {
      throw UsageError("\(option) is a number \(expected), found \(text.excerpt)")
    }
    return number
  }

  /// Returns the value of an option that was read, as one of some values, by their names.
  mutating func choice<Choice>(
    of option: String, _ choices: [Choice], _ name: (Choice) -> String
  ) throws(UsageError) -> Choice {
    let text = try value(of: option)
    guard let choice = choices.first(where: { name($0) == text }) else {
      throw UsageError("\(option) is \(choices.map(name).joined(separator: " or ")), found \(text.excerpt)")
    }
    return choice
  }

  /// Returns a word that was read, unless it is an option, of which none is left that is known.
  func operand(_ word: String) throws(UsageError) -> String {
    if word.hasPrefix("-"), word != "-" { throw UsageError("unknown option \(word.excerpt)") }
    return word
  }
}

/// An invalid command line, with a message that says what is expected.
struct UsageError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}
