import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

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

extension DefinitionFacts {
  /// Finds the facts of a document, which are none without a document.
  init(of document: (any DefinitionDocument)?) {
    self.init()
    for flag in document?.listed ?? [] {
      let tags = flag.metadata["tags"]?.text.map(Self.tags) ?? []
      if !tags.isEmpty { self.tags[flag.key] = tags }
      owners[flag.key] = flag.metadata["owner"]?.text
      staleness[flag.key] =
        flag.metadata["retired"] == .bool(true)
        ? .retired : (document as? FlagDocument).flatMap { Self.staleness(of: flag.key, in: $0) }
    }
  }

  /// Returns the tags that a text names, separated by commas, each once.
  private static func tags(_ text: String) -> [String] {
    var tags: [String] = []
    for part in text.split(separator: ",").prefix(maximumTags) {
      let tag = String(part).trimmingSpaces
      if !tag.isEmpty, !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }

  private static let maximumTags = 50

  private static func staleness(of key: String, in document: FlagDocument) -> FlagStaleness? {
    guard case .flag(let flag)? = document.flags[key] else { return nil }
    if !flag.isEnabled { return .offForEveryone }
    return flag.hasOneAnswer ? .oneVariant : nil
  }
}
