import FlagConsole
import FlagDefinitions
import FlagSupport
import FlagDomain
import FlagReview

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
