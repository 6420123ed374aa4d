import FlagDomain
import FlagSupport

/// A schedule that overrides a flag's rule with a variant for some time, for all users or for a growing share.
///
/// In a document it is ordinary targeting on the time, which every evaluator provides to rules.
package struct RolloutSchedule: Hashable, Sendable {
  /// A time from which a share of the users is given the variant.
  package struct Step: Hashable, Sendable {
    /// The share in percent, from 0 to 100.
    package let percent: Int
    /// The time in seconds since 1970-01-01 UTC.
    package let time: Int64

    /// Creates a step.
    package init(percent: Int, time: Int64) {
      self.percent = percent
      self.time = time
    }
  }

  /// The name of the variant.
  package let variant: String
  /// The steps, in order; empty if all users are given the variant until the end.
  package let steps: [Step]
  /// The time when the rule takes over again, in seconds since 1970-01-01 UTC; nil for never.
  package let end: Int64?

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - variant: The name of the variant.
  ///   - steps: The steps, in order; empty if all users are given the variant until the end.
  ///   - end: The time when the rule takes over again, in seconds since 1970-01-01 UTC; nil for never.
  package init(variant: String, steps: [Step], end: Int64? = nil) {
    self.variant = variant
    self.steps = steps
    self.end = end
  }

  /// The times at which the schedule changes something, in order.
  package var times: [Int64] { steps.map(\.time) + [end].compactMap { $0 } }

  /// Checks that a schedule can be written to a rule.
  ///
  /// - Parameter variants: The names of the flag's variants.
  /// - Throws: An error if the variant is unknown, if there is no time, or if a share or the order of times is wrong.
  func check(among variants: [String]) throws(FlagError) {
    guard variants.contains(variant) else {
      throw FlagError(
        .general, "expected one of the variants \(variants.joined(separator: ", ")), found \(variant.excerpt)")
    }
    if times.isEmpty { throw FlagError(.general, "expected a step with a time, or a time for the end, found neither") }
    if let percent = steps.map(\.percent).first(where: { !(0...100).contains($0) }) {
      throw FlagError(.general, "expected a share from 0 to 100 %, found \(percent) %")
    }
    if let time = times.first(where: { !(0..<Self.timeLimit).contains(Int128($0)) }) {
      throw FlagError(.general, "expected times from 1970 to the year 9999, found \(time) s after 1970")
    }
    if let (one, next) = zip(times, times.dropFirst()).first(where: { $0 >= $1 }) {
      throw FlagError(
        .general,
        "expected ascending times, found \(Timestamp(secondsSince1970: one)), \(Timestamp(secondsSince1970: next))")
    }
  }

  /// Returns the rule of a flag with the schedule.
  ///
  /// - Parameters:
  ///   - rule: The flag's rule as JSON, which decides before, after and beside the schedule; may be empty.
  ///   - key: The flag's key.
  /// - Returns: The new rule as JSON.
  package func rule(around rule: String, of key: String) -> String {
    let otherwise = rule.isEmpty ? "" : ",\n    \(rule.replacing("\n", with: "\n    "))"
    return """
      {
        "if": [
          \(condition(salt: Self.needsSalt(beside: rule) ? Self.salt(of: key) : nil)),
          \(FlagValue.string(variant).description)\(otherwise)
        ]
      }
      """
  }

  /// The first second after the year 9999, beyond which no time can be written.
  package static let timeLimit: Int128 = 253_402_300_800

  /// Returns whether a salt must make the schedule's split independent of the rule's own splits.
  static func needsSalt(beside rule: String) -> Bool { rule.contains("fractional") || rule.contains("$ref") }

  /// Returns the text before a user's id that makes the split of a flag's schedule independent of other splits.
  static func salt(of key: String) -> String { "schedule \(key) " }

  // MARK: - The condition

  /// Returns the condition of the schedule's rule.
  ///
  /// - Parameter salt: The text before a user's id that decides the user's share; nil for the flag's usual shares.
  /// - Returns: The condition as JSON.
  func condition(salt: String?) -> String {
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
    let user = salt.map { #"{"cat": [\#(Self.json($0)), {"var": "targetingKey"}]}, "# } ?? ""
    let others = Self.json("not \(variant)")
    return #"{"fractional": [\#(user)[\#(Self.json(variant)), \#(percent)], [\#(others), \#(100 - percent)]]}"#
  }

  private static let now = #"{"var": "$flagd.timestamp"}"#
  private static func from(_ time: Int64) -> String { #"{">=": [\#(now), \#(time)]}"# }
  private static func json(_ text: String) -> String { FlagValue.string(text).description }
}
