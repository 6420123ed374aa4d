import FlagDomain
import FlagSupport

/// A placeholder of an option's value, as help names it and shells complete it.
enum OptionPlaceholder: Sendable {
  /// The path of a file, or of several: the operands that follow are further ones.
  case file
  case files
  /// One of several words.
  case choice([String])
  /// Any other text, with a name.
  case text(String)

  var text: String {
    switch self {
    case .file: "FILE"
    case .files: "FILE..."
    case .choice(let words): words.joined(separator: "|")
    case .text(let name): name
    }
  }
}

/// A kind of option value: its placeholder, and its parser.
struct OptionValue<Value>: Sendable {
  let placeholder: OptionPlaceholder
  /// The parser of a text; its error starts with the option's name.
  let read: @Sendable (_ option: String, _ text: String) throws(UsageError) -> Value

  init(
    _ placeholder: OptionPlaceholder,
    read: @escaping @Sendable (_ option: String, _ text: String) throws(UsageError) -> Value
  ) {
    self.placeholder = placeholder
    self.read = read
  }

  /// Creates a value from a function that returns nil for an invalid text; the error is "OPTION EXPECTED, found TEXT".
  init(_ name: String, _ expected: String, _ read: @escaping @Sendable (_ text: String) -> Value?) {
    self.init(.text(name)) { (option, text) throws(UsageError) in
      guard let value = read(text) else { throw UsageError("\(option) \(expected), found \(text.excerpt)") }
      return value
    }
  }

  /// Creates a value from a throwing parser, whose error describes the expected text.
  static func parsed<Failure: Error>(
    _ name: String, _ parse: @escaping @Sendable (_ text: String) throws(Failure) -> Value
  ) -> Self {
    Self(.text(name)) { (option, text) throws(UsageError) in
      return try mapError(try parse(text)) { (error: Failure) in UsageError("\(option): \(error)") }
    }
  }
}

extension OptionValue<String> {
  static var file: Self { Self(.file) { $1 } }
  static var files: Self { Self(.files) { $1 } }

  static func text(_ name: String) -> Self { Self(.text(name)) { $1 } }
}

extension OptionValue<Int> {
  static func integer(_ name: String = "NUMBER", in range: ClosedRange<Int>) -> Self {
    Self(name, "is a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  static var port: Self { integer("PORT", in: 0...65535) }
}

extension OptionValue<UInt64> {
  /// The seed of a random number generator.
  static var seed: Self {
    Self("NUMBER", "is a whole number from 0 to \(Int.max)") { Int($0).flatMap { UInt64(exactly: $0) } }
  }
}

extension OptionValue<Double> {
  static func number(_ expected: String, _ isValid: @escaping @Sendable (Double) -> Bool) -> Self {
    Self("NUMBER", "is a number \(expected)") { text in
      Double(text).flatMap { $0.isFinite && isValid($0) ? $0 : nil }
    }
  }
}

extension OptionValue<Duration> {
  /// A time in seconds, with their unit or without: 5 and 5s.
  static var seconds: Self {
    Self("SECONDS", "is a number of seconds above 0 and up to 86400") { text in
      let number = Double(text.hasSuffix("s") ? text.dropLast() : text[...])
      return number.flatMap { $0 >= 0.001 && $0 <= 86_400 ? .milliseconds(Int64($0 * 1000)) : nil }
    }
  }
}

extension OptionValue where Value: Sendable {
  /// Returns a value out of several named ones; shells complete the names unless there is a placeholder for them.
  static func choice(_ choices: [(name: String, value: Value)], called name: String? = nil) -> Self {
    let names = choices.map(\.name)
    return Self(name.map { .text($0) } ?? .choice(names)) { (option, text) throws(UsageError) in
      guard let choice = choices.first(where: { $0.name == text }) else {
        throw UsageError("\(option) is \(names.joined(separator: " or ")), found \(text.excerpt)")
      }
      return choice.value
    }
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> & Sendable {
  /// Returns a value out of the cases of a type.
  static func choice(called name: String? = nil) -> Self {
    choice(Value.allCases.map { ($0.rawValue, $0) }, called: name)
  }
}

// MARK: - Times

extension OptionValue<Int64> {
  /// A time in seconds since 1970.
  static var time: Self {
    Self("TIME", "is a time such as 2027-01-15T08:00:00Z, a day, or a number of seconds since 1970") { Int64(time: $0) }
  }
}

extension OptionValue<CalendarDay> {
  static var day: Self { Self("DAY", "is a day such as 2027-01-31") { CalendarDay(validating: $0) } }
}

extension Int64 {
  /// Parses a time: a whole number of seconds since 1970, a time of RFC 3339 with a zone, or a day, at its beginning.
  init?(time text: String) {
    if let seconds = Int64(text), seconds >= 0 {
      self = seconds
    } else if let time = Timestamp(text) ?? CalendarDay(validating: text).flatMap({ Timestamp("\($0)T00:00:00Z") }) {
      self = time.secondsSince1970
    } else {
      return nil
    }
  }

  /// The seconds since 1970 as a time of RFC 3339 in UTC.
  var time: String { "\(Timestamp(secondsSince1970: self))" }
}

extension CalendarDay {
  /// Creates the day in UTC of a time in seconds since the beginning of 1970, clamped to the first and last day.
  init(seconds: Int64) {
    let day = CalendarDay(
      daysSince1970: seconds.flooredQuotientAndRemainder(dividingBy: Timestamp.secondsPerDay).quotient)
    self = min(max(day, "0001-01-01"), "9999-12-31")
  }
}
