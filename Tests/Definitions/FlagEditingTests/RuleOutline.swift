import FlagDomain
import FlagEditing

extension EditableRule {
  /// The branches in short: `if country isOneOf ["es"], then on; else default`.
  var outline: String { Self.outline(branches, otherwise) }

  private static func outline(_ branches: [Branch], _ otherwise: Outcome) -> String {
    let parts = branches.map { "if \($0.condition.outline), then \($0.outcome.content.outline)" }
    return (parts + ["else \(otherwise.content.outline)"]).joined(separator: "; ")
  }

  fileprivate static func outline(of content: Outcome.Content) -> String {
    switch content {
    case .variant(let name): name
    case .defaultVariant: "default"
    case .shares(let shares):
      "\(shares.entries.map { "\($0.weight) \($0.variant)" }.joined(separator: " + "))"
        + (shares.bucketBy.map { " by \($0)\(shares.isSameForAllFlags ? " for all flags" : "")" } ?? "")
    case .branches(let branches, let otherwise): "(\(outline(branches, otherwise)))"
    case .json(let text): "JSON \(text)"
    }
  }
}

extension EditableRule.Outcome.Content {
  var outline: String { EditableRule.outline(of: self) }
}

extension EditableRule.Condition {
  var outline: String {
    switch content {
    case .test(let test):
      "\(test.attribute) \(test.comparison)"
        + (test.operands.isEmpty && test.comparison.input == .none ? "" : " \(FlagValue.array(test.operands))")
    case .group(let kind, let conditions): "\(kind)(\(conditions.map(\.outline).joined(separator: "; ")))"
    case .shared(let name): "$\(name)"
    case .json(let text): "JSON \(text)"
    }
  }
}
