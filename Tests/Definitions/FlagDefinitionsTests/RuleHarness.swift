import FlagJSON
import FlagDomain

@testable import FlagDefinitions

/// Evaluates rules on any data, as flags evaluate theirs on a context.
enum RuleHarness {
  /// Returns what a rule gives for data of any shape.
  static func evaluate(_ rule: FlagValue, on data: FlagValue) throws(RuleFailure) -> FlagValue {
    var compiler = RuleCompiler()
    let rule = compiler.rule(rule)
    let key = compiler.builder.key("flag")
    let program = compiler.program(metadata: [:])
    var evaluation = Evaluation(of: EvaluatedFlag(key: key, of: program, bucketing: .v3))
    return try evaluation.value(of: rule, on: program, for: EvaluationContext(), in: .element(data)) ?? .null
  }

  /// Returns what a rule gives for data of any shape, both as JSON.
  static func evaluate(_ rule: String, on data: String = "null") throws -> FlagValue {
    try evaluate(FlagValue(json: Array(rule.utf8)), on: FlagValue(json: Array(data.utf8)))
  }
}
