package import FlagDefinitions
import FlagDomain
package import FlagReview

/// A flag's definition in words.
package struct FlagStanding: Hashable, Sendable {
  /// The state: "On", "Off for everyone", or "Malformed".
  package let state: String
  /// The variant that is served if the rule chooses none; nil for the code's default.
  package let defaultVariant: String?
  /// The rule with its shares; nil without a rule.
  package let rule: String?
  /// The parts that differ from the first environment: "rule", "default variant"; empty if nothing does, or alone.
  package let differences: [String]
}

extension FlagStanding {
  /// The length of the rule that words are made of, in bytes: longer ones are shown by their operator.
  private static let longestRule = 2000

  package init?(_ key: String, in document: any DefinitionDocument, _ found: [DefinitionComparison.Difference] = []) {
    guard let listed = document.listing(of: key) else { return nil }
    differences = found.map(\.part)
    guard let document = document as? FlagDocument else {
      (state, defaultVariant) = (listed.variants.isEmpty ? "Malformed" : "Defined", nil)
      rule = nil
      return
    }
    guard case .flag(let flag)? = document.flags[key] else {
      (state, defaultVariant, rule) = ("Malformed", nil, nil)
      return
    }
    state = flag.isEnabled ? "On" : "Off for everyone"
    defaultVariant = flag.defaultVariant.flatMap { $0.isEmpty ? nil : $0 }
    rule = flag.ruleJSON(atMost: Self.longestRule).map { RuleWords.phrase($0) }
  }
}

extension DefinitionComparison.Difference {
  /// The part that differs, in a word or two.
  fileprivate var part: String {
    switch self {
    case .added: "only here"
    case .removed: "missing"
    case .malformed: "malformed"
    case .state: "state"
    case .variants: "variants"
    case .defaultVariant: "default variant"
    case .rule: "rule"
    case .metadata: "metadata"
    }
  }
}
