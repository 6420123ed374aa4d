import FlagDomain
import FlagDefinitions
import Foundation

extension FlagDocument {
  /// Creates a document of one flag, `flag`, with the variants `on` and `off` and this rule.
  init(rule: String, default defaultVariant: String = "off", evaluators: String = "{}") throws {
    try self.init(
      """
      {"flags": {"flag": {"state": "ENABLED", "variants": {"on": true, "off": false},
        "defaultVariant": "\(defaultVariant)", "targeting": \(rule)}}, "$evaluators": \(evaluators)}
      """)
  }

  /// Creates a document from its text.
  init(_ text: String) throws { try self.init(parsing: Data(text.utf8)) }

  /// The answer of the flag `flag` for a context: its variant and reason, or the error's code.
  func outcome(_ context: [String: FlagValue] = [:], at seconds: Int64 = 0) -> String {
    do {
      guard let answer = try evaluate("flag", in: EvaluationContext(attributes: context), at: seconds) else {
        return "absent"
      }
      return "\(answer.variant ?? "none") \(answer.reason)"
    } catch {
      return "\(error.code)"
    }
  }
}
