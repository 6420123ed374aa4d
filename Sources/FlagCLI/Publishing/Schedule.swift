import FlagDomain

/// A schedule that overrides a flag's rule with a variant for some time, for all users or for a growing share.
struct Schedule: Equatable {
  /// A time from which a share of the users is given the variant.
  struct Step: Equatable {
    let percent: Int
    /// The time in seconds since 1970.
    let time: Int64
  }

  let variant: String
  /// The steps, in order; empty if all users are given the variant at once.
  let steps: [Step]
  /// The time when the rule takes over again, in seconds since 1970; nil for never.
  let end: Int64?
}

extension Schedule {
  var times: [Int64] { steps.map(\.time) + [end].compactMap { $0 } }

  /// Returns the rule of a flag with the schedule: ordinary targeting on the time, which every evaluator provides to
  /// rules.
  ///
  /// - Parameters:
  ///   - rule: The flag's rule as JSON, which decides before, after and beside the schedule; may be empty.
  ///   - key: The flag's key.
  /// - Returns: The new rule as JSON.
  func rule(around rule: String, of key: String) -> String {
    let otherwise = rule.isEmpty ? "" : ",\n    \(rule.replacing("\n", with: "\n    "))"
    // If the existing rule splits users, too, a salt makes the schedule's split independent of it.
    let isSalted = rule.contains("fractional") || rule.contains("$ref")
    return """
      {
        "if": [
          \(condition(salt: isSalted ? key : nil)),
          \(Self.json(variant))\(otherwise)
        ]
      }
      """
  }

  private func condition(salt: String?) -> String {
    let until = end.map { #"{"<": [\#(Self.now), \#($0)]}"# }
    let conditions = [beginning(salt: salt), until].compactMap { $0 }
    return conditions.count == 1 ? conditions[0] : #"{"and": [\#(conditions.joined(separator: ", "))]}"#
  }

  private func beginning(salt: String?) -> String? {
    guard let first = steps.first else { return nil }
    if steps.count == 1, first.percent == 100 { return Self.from(first.time) }
    let branches = steps.reversed().map { "\(Self.from($0.time)), \(share($0.percent, salt: salt))" }
    let isGiven = #"{"===": [{"if": [\#(branches.joined(separator: ", "))]}, \#(Self.json(variant))]}"#
    return salt == nil ? isGiven : #"{"and": [{"var": "targetingKey"}, \#(isGiven)]}"#
  }

  /// Returns a rule that gives the variant's name to a share of the users.
  private func share(_ percent: Int, salt: String?) -> String {
    if percent == 0 { return "null" }
    if percent == 100 { return Self.json(variant) }
    let user = salt.map { #"{"cat": [\#(Self.json("schedule \($0) ")), {"var": "targetingKey"}]}, "# } ?? ""
    return
      #"{"fractional": [\#(user)[\#(Self.json(variant)), \#(percent)], [\#(Self.json("not \(variant)")), \#(100 - percent)]]}"#
  }

  private static let now = #"{"var": "$flagd.timestamp"}"#
  private static func from(_ time: Int64) -> String { #"{">=": [\#(now), \#(time)]}"# }
  private static func json(_ text: String) -> String { FlagValue.string(text).description }
}
