import FlagConsole
import FlagDefinitions
import FlagEditing
import FlagReview

extension DefinitionSummary {
  /// The length of the rule that words are made of, in bytes: longer ones are shown by their operator.
  private static let longestRule = 2000

  /// Puts a flag's definition into words; nil if the document has none.
  init?(_ key: String, in document: any DefinitionDocument, _ found: [DefinitionComparison.Difference] = []) {
    guard let listed = document.listing(of: key) else { return nil }
    let differences = found.map(\.part)
    guard let document = document as? FlagDocument else {
      self.init(state: listed.variants.isEmpty ? "Malformed" : "Defined", differences: differences)
      return
    }
    guard case .flag(let flag)? = document.flags[key] else {
      self.init(state: "Malformed", differences: differences)
      return
    }
    self.init(
      state: flag.isEnabled ? "On" : "Off for everyone",
      defaultVariant: flag.defaultVariant.flatMap { $0.isEmpty ? nil : $0 },
      rule: flag.root.map { RuleExplanation.words(ofRule: flag.program.json($0, atMost: Self.longestRule)) },
      differences: differences)
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
