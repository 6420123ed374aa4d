package import FlagDefinitions
package import FlagDomain
import FlagJSON

/// The explanation of how an in-house definition is evaluated for one user, in words.
package struct RuleExplanation: Hashable, Sendable {
  /// A part of a rule that was evaluated, and its result.
  package struct Step: Hashable, Sendable {
    /// The result of evaluating a part of a rule.
    package enum Outcome: Hashable, Sendable {
      /// The result of a condition.
      case condition(holds: Bool)
      /// A value.
      case value(FlagValue)
      /// No result, because of an error.
      case failed
    }

    /// The part of the rule in words.
    package let phrase: String
    /// The result.
    package let outcome: Outcome
    /// The share that the user is in: "bucket 37 of 100"; nil if the part is not a split.
    package let share: String?
    /// The parts that were evaluated, in order.
    package let parts: [Step]
  }

  /// The overall result in a sentence.
  package let summary: String
  /// The value; nil if the code's default is used.
  package let value: FlagValue?
  /// The name of the variant; nil without a variant.
  package let variant: String?
  /// The evaluated parts of the rule; empty for a flag without a rule.
  package let steps: [Step]
  /// The number of steps that are left out.
  package let omittedSteps: Int
  /// The error; nil if evaluation succeeded.
  package let error: FlagError?
}

extension RuleExplanation {
  /// Describes the explanation of an evaluation at a time, in seconds since 1970-01-01 UTC, in words.
  package init(_ explanation: FlagExplanation, at now: Int64) {
    summary = Self.summary(explanation)
    value = explanation.answer?.value
    variant = explanation.answer?.variant
    steps = explanation.steps.map { Step($0, at: now) }
    omittedSteps = explanation.omittedSteps
    error = explanation.error
  }

  private static func summary(_ explanation: FlagExplanation) -> String {
    guard let answer = explanation.answer else {
      return "The rule failed, so the default in the code is used."
    }
    let variant = answer.variant.map { "“\($0)”" }
    if answer.isMissingTargetingKey { return "The rule needs a user id, and nobody is signed in." }
    switch answer.reason {
    case .disabled: return "The flag is switched off, so \(variant ?? "the default in the code") is used."
    case .static: return "There is no rule: everyone gets \(variant ?? "the default")."
    case .targetingMatch: return "The rule chose \(variant ?? "a variant")."
    default:
      let why = explanation.steps.isEmpty ? "There is neither a rule nor a default variant" : "The rule chose nothing"
      return "\(why), so \(variant.map { "the default variant \($0)" } ?? "the default in the code") is used."
    }
  }
}

extension RuleExplanation.Step {
  fileprivate init(_ step: FlagExplanation.Step, at now: Int64) {
    let name = step.rule.fields.flatMap { $0.count == 1 ? $0.first?.key : nil } ?? ""
    // A mere variable lookup adds nothing to the condition that it is part of.
    let parts = step.parts.filter { $0.rule.fields.map { !$0.keys.contains("var") } ?? false }
    if name == "===", let words = Self.rollout(step.rule, at: now) {
      (phrase, self.parts, share) = (words, [], Self.share(of: step))
    } else {
      phrase = Self.headings[name].flatMap { parts.isEmpty ? nil : $0 } ?? RuleDescriber.phrase(step.rule)
      share = step.bucket.map(Self.words)
      self.parts = parts.map { Self($0, at: now) }
    }
    outcome =
      switch step.value {
      case nil: .failed
      case .bool(let holds)?: .condition(holds: holds)
      case let value?: .value(value)
      }
  }

  /// Returns the place of a rollout at a time in words; nil if a condition is something else.
  private static func rollout(_ condition: FlagValue, at now: Int64) -> String? {
    func step(_ time: Int64) -> FlagValue { TimedRule.decided(condition, at: time) }
    func portion(_ time: Int64) -> Int? { SplitPortion(condition: step(time))?.percent }
    let times = TimedRule(condition).times
    guard times.contains(where: { portion($0) != nil }) else { return nil }
    if step(now) == true { return "The rollout has reached all users" }
    let isBegun = times.contains { $0 <= now && step($0) != false && portion($0) != 0 }
    let percent = step(now) == false ? 0 : portion(now)
    if percent == 0 { return "The rollout \(isBegun ? "has been taken back" : "has not begun")" }
    return percent.map { "The rollout has reached \($0) % of the users" }
  }

  /// Returns the share that the user is in by a part of a step; nil if none of them is a split.
  private static func share(of step: FlagExplanation.Step) -> String? {
    step.bucket.map(words) ?? step.parts.lazy.compactMap(share).first
  }

  private static func words(_ bucket: FlagExplanation.Bucket) -> String { "bucket \(bucket.number) of \(bucket.count)" }

  private static let headings = [
    "if": "The first condition that holds decides", "and": "All of these hold", "or": "At least one of these holds",
    "!": "This does not hold",
  ]
}

extension RuleExplanation {
  /// Returns a rule in words; nil if it is empty or not JSON.
  package static func words(ofRule text: String) -> String? {
    do throws(FlagError) {
      return text.isEmpty ? nil : RuleDescriber.phrase(try FlagValue.reading(json: text))
    } catch {
      return nil
    }
  }

  /// Returns a rule in words, with the place of a rollout at a time in seconds since 1970-01-01 UTC, or all its steps.
  package static func words(ofRule rule: FlagValue, at now: Int64?) -> String { RuleDescriber(now: now).phrase(rule) }

  /// Returns the number of a percentage, without the sign, as a person may enter it.
  package static func percentNumber(_ part: Int, of sum: Int) -> String {
    Percentage.typed(part, in: sum)
  }
}
