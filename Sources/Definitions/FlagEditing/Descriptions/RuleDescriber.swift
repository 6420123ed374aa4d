import FlagDomain
import FlagSupport

struct RuleDescriber {
  /// The time, in seconds since 1970-01-01 UTC, at which a rollout says its place; nil to say all of its steps.
  var now: Int64?

  /// Returns a rule as a phrase: `country code is one of es, pt`.
  static func phrase(_ rule: FlagValue) -> String { Self().phrase(rule) }

  /// Returns a rule as a phrase: `country code is one of es, pt`.
  func phrase(_ rule: FlagValue, depth: Int = 0) -> String {
    guard case .object(let members) = rule, members.count == 1, let (name, argument) = members.first, depth < 6 else {
      return literal(rule)
    }
    let parts = argument.elements ?? [argument]
    if name == "var" { return Self.variable(parts.first) }
    if let portion = SplitPortion(condition: rule) { return "the user is one of \(portion.percent) %" }
    let words = parts.map { phrase($0, depth: depth + 1) }
    return sentence(name, parts, words) ?? literal(rule)
  }

  private func sentence(_ name: String, _ parts: [FlagValue], _ words: [String]) -> String? {
    if let relation = Self.relations[name], words.count == 2 {
      return "\(words[0]) \(relation) \(time(comparedIn: parts) ?? words[1])"
    }
    switch (name, words.count) {
    case ("in", 2): return Self.membership(parts, words)
    case ("and", 1...): return words.joined(separator: " and ")
    case ("or", 1...): return words.joined(separator: " or ")
    case ("!", 1): return "not: \(words[0])"
    case ("!!", 1): return "\(words[0]) is there"
    case ("<", 3), ("<=", 3): return "\(words[1]) is between \(words[0]) and \(words[2])"
    case ("sem_ver", 3): return Self.version(words)
    case ("if", 2...):
      let words = zip(parts, words).enumerated().map { index, part in
        let isOutcome = index % 2 == 1 || index == parts.count - 1
        return isOutcome && part.0 == .null ? "the default variant" : part.1
      }
      return schedule(parts, words) ?? portion(parts, words) ?? Self.conditions(words)
    case ("fractional", _): return Self.shares(parts)
    case ("$ref", 1): return "the shared rule \(words[0])"
    default: return nil
    }
  }

  private static let relations = [
    "==": "is", "===": "is", "!=": "is not", "!==": "is not", "<": "is below", "<=": "is at most", ">": "is above",
    ">=": "is at least", "starts_with": "starts with", "ends_with": "ends with", "%": "modulo", "+": "plus",
    "-": "minus", "*": "times", "/": "divided by",
  ]

  /// Returns a membership test as a phrase: a value in a list, a name in a user's segments, a substring in a text.
  private static func membership(_ parts: [FlagValue], _ words: [String]) -> String {
    if parts[1].elements != nil { return "\(words[0]) is one of \(words[1])" }
    return "\(words[1]) include \(words[0])"
  }

  private static func version(_ words: [String]) -> String {
    let relations = [
      "=": "is version", "!=": "is not version", "<": "is before version", "<=": "is at most version",
      ">": "is after version", ">=": "is at least version", "^": "has the major version of",
      "~": "has the minor version of",
    ]
    return "\(words[0]) \(relations[words[1]] ?? words[1]) \(words[2])"
  }

  /// Returns the time that the time is compared with; nil if something else is compared.
  private func time(comparedIn parts: [FlagValue]) -> String? {
    guard parts[0].fields?["var"] == .string("$flagd.timestamp"), case .int(let seconds) = parts[1],
      (0..<RolloutSchedule.timeLimit).contains(seconds)
    else { return nil }
    return time(Int64(seconds))
  }

  private func time(_ seconds: Int64) -> String {
    now.map { seconds.words(beside: $0) } ?? "\(Timestamp(secondsSince1970: seconds))"
  }

  /// Returns a rollout with times as a phrase; nil if the operands of an `if` are something else.
  private func schedule(_ parts: [FlagValue], _ words: [String]) -> String? {
    guard let schedule = ScheduledRule(.object(["if": .array(parts)]), of: "")?.schedule else { return nil }
    let phrases = now.map(schedule.words(at:)) ?? steps(of: schedule)
    guard let rest = Self.rest(words) else { return phrases.isEmpty ? "nothing" : phrases.joined(separator: ", ") }
    return phrases.isEmpty ? rest : (phrases + ["else \(rest)"]).joined(separator: ", ")
  }

  /// Returns the steps of a rollout, a phrase for each.
  func steps(of schedule: RolloutSchedule) -> [String] {
    let phrases = schedule.steps.map { step in
      "from \(time(step.time)) \(step.percent == 100 ? "all" : "\(step.percent) %") get \(schedule.variant)"
    }
    guard let end = schedule.end else { return phrases }
    return phrases + ["until \(time(end))" + (phrases.isEmpty ? " all get \(schedule.variant)" : "")]
  }

  /// Returns the share of a rollout's step as a phrase: "10 % get on, else off"; nil if an `if` is something else.
  private func portion(_ parts: [FlagValue], _ words: [String]) -> String? {
    guard let variant = parts[1].text else { return nil }
    let rest = Self.rest(words).map { ", else \($0)" } ?? ""
    if parts[0] == ["var": "targetingKey"] { return "all with a user id get \(variant)\(rest)" }
    guard let portion = SplitPortion(condition: parts[0]), portion.variant == variant else { return nil }
    return "\(portion.percent) % get \(variant)\(rest)"
  }

  /// Returns what decides after the first branch of an `if`; nil if nothing does.
  private static func rest(_ words: [String]) -> String? {
    words.count < 3 ? nil : words.count == 3 ? words[2] : conditions(Array(words.dropFirst(2)))
  }

  private static func conditions(_ words: [String]) -> String {
    var text = ""
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      text += "\(text.isEmpty ? "if" : ", else if") \(words[index]), then \(words[index + 1])"
    }
    return words.count % 2 == 1 ? "\(text), else \(words[words.count - 1])" : text
  }

  private static func shares(_ parts: [FlagValue]) -> String {
    let weights = WeightedSplit.entries(of: parts)
    guard let sum = weights.map(WeightedSplit.sum), sum > 0, let weights else {
      return "a share of the users"
    }
    return weights.map { "\($0.weight.percent(of: sum)) get \($0.variant)" }.joined(separator: ", ")
  }

  private static func variable(_ name: FlagValue?) -> String {
    guard case .string(let name)? = name else { return "the whole context" }
    switch name {
    case "targetingKey": return "user id"
    case "countryCode": return "country"
    case "$flagd.flagKey": return "the flag's key"
    case "$flagd.timestamp": return "the time"
    case "": return "the element"
    default: return spaced(name)
    }
  }

  /// Returns a name as words: `appVersion` as `app version`.
  private static func spaced(_ name: String) -> String {
    var text = ""
    for character in name {
      if character.isUppercase, let last = text.last, last.isLowercase || last.isNumber { text += " " }
      text += character == "_" || character == "-" ? " " : character.lowercased()
    }
    return text
  }

  private func literal(_ value: FlagValue) -> String {
    switch value {
    case .array(let elements): elements.map { phrase($0, depth: 6) }.joined(separator: ", ")
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .null: "nothing"
    default: value.shortText
    }
  }
}

/// The condition that a user is in the share of a rollout's step.
struct SplitPortion {
  let percent: Int
  let variant: String

  /// Reads a condition; nil if it is another one.
  init?(condition: FlagValue) {
    var operation = condition.operation
    if let (name, parts) = operation, name == "and", parts.count == 2, parts[0] == ["var": "targetingKey"] {
      operation = parts[1].operation
    }
    guard let (name, parts) = operation, name == "===", parts.count == 2, let variant = parts[1].text,
      let split = parts[0].operation, split.name == "fractional",
      let entries = WeightedSplit.entries(of: split.arguments), entries.map(\.variant) == [variant, "not \(variant)"],
      WeightedSplit.sum(of: entries) == 100, (0...100).contains(entries[0].weight)
    else { return nil }
    (percent, self.variant) = (entries[0].weight, variant)
  }
}

extension RolloutSchedule {
  /// Returns the place of the rollout at a time and what follows, in phrases; empty if it has ended.
  fileprivate func words(at now: Int64) -> [String] {
    if let end, end <= now { return [] }
    func share(_ percent: Int) -> String { percent == 100 ? "all" : "\(percent) %" }
    let begins = steps.isEmpty || steps[0].time <= now
    var phrases = begins ? ["\(share(percent(at: now))) get \(variant) now"] : []
    for step in steps where step.time > now {
      let first = phrases.isEmpty ? " get \(variant)" : ""
      phrases.append("\(share(step.percent))\(first) from \(step.time.words(beside: now))")
    }
    return phrases + (end.map { ["until \($0.words(beside: now))"] } ?? [])
  }

  /// Returns the share of users who are given the variant at a time, in percent.
  package func percent(at now: Int64) -> Int {
    if let end, end <= now { return 0 }
    return steps.isEmpty ? 100 : steps.last { $0.time <= now }?.percent ?? 0
  }
}

extension Int64 {
  /// Returns the seconds since 1970 as a time in UTC: "28 Nov 12:00", with the year and the seconds where they tell more.
  package func words(beside now: Int64) -> String {
    func day(_ seconds: Int64) -> CalendarDay {
      CalendarDay(daysSince1970: seconds.flooredQuotientAndRemainder(dividingBy: Timestamp.secondsPerDay).quotient)
    }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let clock = Timestamp(secondsSince1970: self).description.dropFirst(11).prefix(self % 60 == 0 ? 5 : 8)
    let date = day(self)
    let year = date.year == day(now).year ? "" : " \(date.year)"
    return "\(date.day) \(months[date.month - 1])\(year) \(clock)"
  }
}
