import FlagDomain
import FlagSupport

enum RuleDescriber {
  /// Returns a rule as a phrase: `country code is one of es, pt`.
  static func phrase(_ rule: FlagValue, depth: Int = 0) -> String {
    guard case .object(let members) = rule, members.count == 1, let (name, argument) = members.first, depth < 6 else {
      return literal(rule)
    }
    let parts = argument.elements ?? [argument]
    if name == "var" { return variable(parts.first) }
    let words = parts.map { phrase($0, depth: depth + 1) }
    return sentence(name, parts, words) ?? literal(rule)
  }

  private static func sentence(_ name: String, _ parts: [FlagValue], _ words: [String]) -> String? {
    if let relation = relations[name], words.count == 2 {
      return "\(words[0]) \(relation) \(time(comparedIn: parts) ?? words[1])"
    }
    switch (name, words.count) {
    case ("in", 2): return membership(parts, words)
    case ("and", 1...): return words.joined(separator: " and ")
    case ("or", 1...): return words.joined(separator: " or ")
    case ("!", 1): return "not: \(words[0])"
    case ("!!", 1): return "\(words[0]) is there"
    case ("<", 3), ("<=", 3): return "\(words[1]) is between \(words[0]) and \(words[2])"
    case ("sem_ver", 3): return version(words)
    case ("if", 2...): return schedule(parts, words) ?? conditions(words)
    case ("fractional", _): return shares(parts)
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
  private static func time(comparedIn parts: [FlagValue]) -> String? {
    guard parts[0].fields?["var"] == .string("$flagd.timestamp"), case .int(let seconds) = parts[1],
      (0..<RolloutSchedule.timeLimit).contains(seconds)
    else { return nil }
    return "\(Timestamp(secondsSince1970: Int64(seconds)))"
  }

  /// Returns a rollout with times as a phrase; nil if the operands of an `if` are something else.
  private static func schedule(_ parts: [FlagValue], _ words: [String]) -> String? {
    guard let schedule = ScheduledRule(.object(["if": .array(parts)]), of: "")?.schedule else { return nil }
    func time(_ seconds: Int64) -> String { "\(Timestamp(secondsSince1970: seconds))" }
    var phrases = schedule.steps.map { step in
      "from \(time(step.time)) \(step.percent == 100 ? "all" : "\(step.percent) %") get \(schedule.variant)"
    }
    if let end = schedule.end {
      phrases.append("until \(time(end))" + (phrases.isEmpty ? " all get \(schedule.variant)" : ""))
    }
    if words.count == 3 { phrases.append("else \(words[2])") }
    if words.count > 3 { phrases.append("else \(conditions(Array(words.dropFirst(2))))") }
    return phrases.joined(separator: ", ")
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

  private static func literal(_ value: FlagValue) -> String {
    switch value {
    case .array(let elements): elements.map { phrase($0, depth: 6) }.joined(separator: ", ")
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .null: "nothing"
    default: value.shortText
    }
  }
}
