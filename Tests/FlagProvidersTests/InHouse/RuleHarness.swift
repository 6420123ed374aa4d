import FlagDomain

@testable import FlagProviders

/// Evaluates rules on any data, as flags evaluate theirs on a context.
enum RuleHarness {
  /// Returns what a rule gives for data of any shape.
  static func evaluate(_ rule: FlagValue, on data: FlagValue) throws(RuleFailure) -> FlagValue {
    var compiler = RuleCompiler()
    var evaluation = Evaluation(
      of: "flag", in: EvaluationContext(), at: 0, bucketing: .v3)
    return try evaluation.value(of: compiler.rule(rule), in: .element(data)) ?? .null
  }

  /// Returns what a rule gives for data of any shape, both as JSON.
  static func evaluate(_ rule: String, on data: String = "null") throws -> FlagValue {
    try evaluate(FlagValue(json: Array(rule.utf8)), on: FlagValue(json: Array(data.utf8)))
  }
}
