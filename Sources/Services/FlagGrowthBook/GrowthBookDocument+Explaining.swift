package import FlagDefinitions
package import FlagDomain
import FlagJSON

extension GrowthBookDocument {
  /// The maximum number of rules in an explanation.
  private static let explainedRules = 100

  /// Evaluates a feature, and records its rules up to the one that decided, each with whether it did.
  package func explain(_ key: String, in context: EvaluationContext, at seconds: Int64) -> FlagExplanation {
    var explanation = FlagExplanation(key: key)
    guard let number = payload.keys.number(of: key) else { return explanation }
    var evaluation = FeatureEvaluation(for: context, stickyBuckets)
    do throws(FlagError) {
      let outcome = try outcome(of: number, &evaluation)
      let rules = rules(of: number)
      let passed = rules.prefix(outcome.rule.map { $0 + 1 } ?? rules.count)
      explanation.steps = passed.prefix(Self.explainedRules).enumerated().map { index, rule in
        FlagExplanation.Step(rule: rule, value: .bool(index == outcome.rule))
      }
      explanation.omittedSteps = passed.count - explanation.steps.count
      explanation.answer = try answer(to: outcome, evaluation)
    } catch {
      explanation.error = error
    }
    return explanation
  }

  private func rules(of number: Int) -> [FlagValue] {
    do throws(JSONError) {
      return try FlagValue(json: text(of: number)).fields?["rules"]?.elements ?? []
    } catch {
      return []  // The feature is malformed, which is the explanation's error.
    }
  }
}
