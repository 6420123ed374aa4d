public import FlagDefinitions
public import FlagDomain
import FlagJSON

/// How an in-house definition comes to its value for one user, in words.
public struct RuleExplanation: Hashable, Sendable {
  /// What was looked at, and what came of it.
  public struct Step: Hashable, Sendable {
    /// What became of a part of a rule.
    public enum Outcome: Hashable, Sendable {
      /// A condition that holds, or does not.
      case condition(holds: Bool)
      /// A value.
      case value(FlagValue)
      /// Nothing, because of an error.
      case failed
    }

    /// The part in words.
    public let phrase: String
    /// What became of it.
    public let outcome: Outcome
    /// Which share the user is in: "bucket 37 of 100"; nil where there was no split.
    public let share: String?
    /// The parts that were looked at, in order.
    public let parts: [Step]
  }

  /// What came of it all, in a sentence.
  public let summary: String
  /// The value; nil where it is the code's default.
  public let value: FlagValue?
  /// The name of the variant; nil where there is none.
  public let variant: String?
  /// What was looked at; none for a flag without a rule.
  public let steps: [Step]
  /// How many steps are left out.
  public let omittedSteps: Int
  /// What failed; nil where nothing did.
  public let error: FlagError?
}

extension RuleExplanation {
  /// Creates the words for an explanation.
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
    if answer.isMissingTargetingKey { return "The rule needs to know who asks, and nobody is signed in." }
    switch answer.reason {
    case .disabled: return "The flag is switched off, so the default in the code is used."
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
    // What only looks something up says no more than the condition that it is part of.
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
  /// Returns a rule in words; nil where it is empty or not JSON.
  public static func words(ofRule text: String) -> String? {
    do throws(FlagError) {
      return text.isEmpty ? nil : RuleWords.phrase(try FlagValue.reading(json: text))
    } catch {
      return nil
    }
  }

  /// Returns a rule in words.
  public static func words(ofRule rule: FlagValue) -> String { RuleWords.phrase(rule) }

  /// Returns a share from 0 to 1 as a percentage with at most one digit after the point.
  public static func percent(_ share: Double) -> String {
    RuleWords.percent(Int((share * 1_000_000).rounded()), of: 1_000_000)
  }

  /// Returns a part of a sum as a percentage with at most one digit after the point.
  public static func percent(_ part: Int, of sum: Int) -> String { RuleWords.percent(part, of: sum) }
}
