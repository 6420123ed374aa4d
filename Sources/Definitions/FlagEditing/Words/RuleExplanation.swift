public import FlagDefinitions
public import FlagDomain
import FlagJSON

/// The explanation of how an in-house definition is evaluated for one user, in words.
public struct RuleExplanation: Hashable, Sendable {
  /// A part of a rule that was evaluated, and its result.
  public struct Step: Hashable, Sendable {
    /// The result of evaluating a part of a rule.
    public enum Outcome: Hashable, Sendable {
      /// The result of a condition.
      case condition(holds: Bool)
      /// A value.
      case value(FlagValue)
      /// No result, because of an error.
      case failed
    }

    /// The part of the rule in words.
    public let phrase: String
    /// The result.
    public let outcome: Outcome
    /// The share that the user is in: "bucket 37 of 100"; nil if the part is not a split.
    public let share: String?
    /// The parts that were evaluated, in order.
    public let parts: [Step]
  }

  /// The overall result in a sentence.
  public let summary: String
  /// The value; nil if the code's default is used.
  public let value: FlagValue?
  /// The name of the variant; nil without a variant.
  public let variant: String?
  /// The evaluated parts of the rule; empty for a flag without a rule.
  public let steps: [Step]
  /// The number of steps that are left out.
  public let omittedSteps: Int
  /// The error; nil if evaluation succeeded.
  public let error: FlagError?
}

extension RuleExplanation {
  /// Describes the explanation of an evaluation in words.
  public init(_ explanation: FlagExplanation) {
    summary = Self.summary(explanation)
    value = explanation.answer?.value
    variant = explanation.answer?.variant
    steps = explanation.steps.map(Step.init)
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
  fileprivate init(_ step: FlagExplanation.Step) {
    let name = step.rule.fields.flatMap { $0.count == 1 ? $0.first?.key : nil } ?? ""
    // A mere variable lookup adds nothing to the condition that it is part of.
    let parts = step.parts.filter { $0.rule.fields.map { !$0.keys.contains("var") } ?? false }
    phrase = Self.headings[name].flatMap { parts.isEmpty ? nil : $0 } ?? RuleWords.phrase(step.rule)
    share = step.bucket.map { "bucket \($0.number) of \($0.count)" }
    self.parts = parts.map(Self.init)
    outcome =
      switch step.value {
      case nil: .failed
      case .bool(let holds)?: .condition(holds: holds)
      case let value?: .value(value)
      }
  }

  private static let headings = [
    "if": "The first condition that holds decides", "and": "All of these hold", "or": "At least one of these holds",
    "!": "This does not hold",
  ]
}

extension RuleExplanation {
  /// Returns a rule in words; nil if it is empty or not JSON.
  public static func words(ofRule text: String) -> String? {
    do throws(FlagError) {
      return text.isEmpty ? nil : RuleWords.phrase(try FlagValue.reading(json: text))
    } catch {
      return nil
    }
  }

  /// Returns a rule in words.
  public static func words(ofRule rule: FlagValue) -> String { RuleWords.phrase(rule) }

  /// Returns a share from 0 to 1 as a percentage: with one decimal place, or as many as tell it from none and from all.
  public static func percent(_ share: Double) -> String {
    RuleWords.percent(Int64((share * 1_000_000_000).rounded()), of: 1_000_000_000)
  }

  /// Returns a part of a sum as a percentage: with one decimal place, or as many as tell it from none and from all.
  public static func percent(_ part: Int, of sum: Int) -> String { RuleWords.percent(Int64(part), of: Int64(sum)) }

  /// Returns the number of a percentage, without the sign, as a person may enter it.
  package static func percentNumber(_ part: Int, of sum: Int) -> String {
    Percentage.typed(Int64(part), in: Int64(sum))
  }
}
