import FlagDomain
import FlagProviders

extension FlagExplanation {
  /// The explanation for people.
  var text: String {
    let lines = ["flag: \(key)"] + outcome + (steps.isEmpty ? [] : ["rule:"] + steps.flatMap { $0.lines(indent: "  ") })
    return lines.joined(separator: "\n") + "\n"
  }

  private var outcome: [String] {
    guard let answer else {
      return ["value: the code's default", "reason: ERROR", "error: \(error.map { "\($0)" } ?? "")"]
    }
    return [
      "value: \(answer.value.map { "\($0.plain)" } ?? "the code's default")",
      answer.variant.map { "variant: \($0)" },
      "reason: \(answer.reason), \(why(answer))",
      answer.metadata.isEmpty ? nil : "metadata: \(FlagValue.object(answer.metadata).plain)",
    ].compactMap { $0 }
  }

  private func why(_ answer: FlagAnswer) -> String {
    switch answer.reason {
    case .disabled: "the flag is disabled"
    case .static: "the flag has no rule, and so its default variant stands"
    case .targetingMatch: "the rule gave the name of the variant"
    case .default where steps.isEmpty: "the flag has neither a rule nor a default variant"
    case .default where answer.variant == nil: "the rule gave null, and the flag has no default variant"
    default: "the rule gave null, and so the default variant stands"
    }
  }
}

extension FlagExplanation.Step {
  /// A line for the step, and more indented ones for its parts.
  fileprivate func lines(indent: String) -> [String] {
    let place = bucket.map { ": bucket \($0.number) of \($0.count)" } ?? ""
    let outcome = value.map { " gave \($0.plain)" } ?? " failed"
    return ["\(indent)\(shortRule)\(place)\(outcome)"] + parts.flatMap { $0.lines(indent: indent + "  ") }
  }

  /// The rule, or its operator alone where the parts below say the rest.
  private var shortRule: String {
    let whole = "\(rule.plain)"
    guard whole.count > 80, !parts.isEmpty, case .object(let fields) = rule, let name = fields.keys.first else {
      return whole
    }
    return "{\(FlagValue.string(name)):[...]}"
  }
}
