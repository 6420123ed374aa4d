import FlagDomain
import FlagProviders

extension Command {
  /// Reads the words of a command line, the program's name left out.
  init(_ words: [String]) throws(UsageError) {
    guard let name = words.first else { throw UsageError(message: "a command is missing; see flagctl --help") }
    if Self.isHelp(name) {
      self = .help(nil)
      return
    }
    guard let topic = Topic(rawValue: name) else {
      throw UsageError(message: "\(name) is not one of the commands \(Topic.list); see flagctl --help")
    }
    if words.contains(where: Self.isHelp) {
      self = .help(topic)
      return
    }
    do {
      self = try Self.parse(topic, OptionReader(words.dropFirst()))
    } catch {
      throw UsageError(message: "\(error.message); see flagctl \(name) --help")
    }
  }

  private static func isHelp(_ word: String) -> Bool { ["--help", "-h"].contains(word) }

  private static func parse(_ topic: Topic, _ words: OptionReader) throws(UsageError) -> Command {
    switch topic {
    case .validate: try parseValidate(words)
    case .evaluate: try parseEvaluate(words)
    case .explain: try parseExplain(words)
    case .expired: try parseExpired(words)
    }
  }
}

extension Command {
  private static func parseValidate(_ words: OptionReader) throws(UsageError) -> Command {
    var words = words
    var files: [String] = []
    while let word = words.next() { files.append(try word.operand()) }
    guard !files.isEmpty else { throw UsageError(message: "a FILE is missing") }
    return .validate(files: files)
  }

  private static func parseEvaluate(_ words: OptionReader) throws(UsageError) -> Command {
    var words = words
    var evaluate = Evaluate()
    while let word = words.next() {
      if try evaluate.source.take(word, from: &words) { continue }
      guard word == "--cases" else { throw UsageError(message: "unknown argument \(word)") }
      let cases = try words.value(of: word)
      evaluate.cases = cases == "-" ? nil : cases
    }
    try evaluate.source.check()
    return .evaluate(evaluate)
  }

  private static func parseExpired(_ words: OptionReader) throws(UsageError) -> Command {
    var words = words
    var expired = Expired()
    while let word = words.next() {
      if word == "--today" {
        let text = try words.value(of: word)
        guard let day = CalendarDay(text) else {
          throw UsageError(message: "--today is a day such as 2027-01-31, found \(text)")
        }
        expired.today = day
      } else {
        expired.files.append(try word.operand())
      }
    }
    guard !expired.files.isEmpty else { throw UsageError(message: "a FILE is missing") }
    return .expired(expired)
  }

  private static func parseExplain(_ words: OptionReader) throws(UsageError) -> Command {
    var words = words
    var explain = Explain()
    while let word = words.next() {
      if try explain.source.take(word, from: &words) { continue }
      switch word {
      case "--context": explain.context = try words.value(of: word)
      case "--json": explain.isJSON = true
      default:
        guard explain.flag.isEmpty else { throw UsageError(message: "one FLAG is enough, found \(word) as well") }
        explain.flag = try word.operand()
      }
    }
    try explain.source.check()
    guard !explain.flag.isEmpty else { throw UsageError(message: "a FLAG is missing") }
    return .explain(explain)
  }
}

extension Command.Source {
  /// Reads an option that names documents or says how to use them; returns false for any other word.
  fileprivate mutating func take(_ word: String, from words: inout OptionReader) throws(UsageError) -> Bool {
    switch word {
    case "--flags": files.append(try words.value(of: word))
    case "--bucketing": bucketing = try Self.bucketing(words.value(of: word))
    case "--timestamp": timestamp = try Self.timestamp(words.value(of: word))
    default: return false
    }
    return true
  }

  fileprivate func check() throws(UsageError) {
    if files.isEmpty { throw UsageError(message: "--flags FILE is missing") }
  }

  private static func bucketing(_ word: String) throws(UsageError) -> Bucketing {
    guard let bucketing = Bucketing(rawValue: word) else {
      throw UsageError(message: "--bucketing is v2 or v3, found \(word)")
    }
    return bucketing
  }

  private static func timestamp(_ word: String) throws(UsageError) -> Int64 {
    guard let seconds = Int64(word) else {
      throw UsageError(message: "--timestamp is a whole number of seconds, found \(word)")
    }
    return seconds
  }
}

extension Command.Topic {
  fileprivate static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension String {
  /// The word, where it is no option.
  fileprivate func operand() throws(UsageError) -> String {
    if hasPrefix("-"), count > 1 { throw UsageError(message: "unknown option \(self)") }
    return self
  }
}
