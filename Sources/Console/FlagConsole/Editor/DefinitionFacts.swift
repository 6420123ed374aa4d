import FlagDefinitions
import FlagDomain
import FlagEditing

/// The facts that lists need of the definitions: tags and owners, and which flags may have done their work.
///
/// They are found once for each version of the document.
struct DefinitionFacts: Sendable {
  let version: DefinitionVersion?
  /// The tags in the metadata of the flags that have some, by key.
  private(set) var tags: [String: [String]] = [:]
  /// The owners in the metadata, by key.
  private(set) var owners: [String: String] = [:]
  private(set) var staleness: [String: FlagStaleness] = [:]

  init(of stored: StoredDefinitions?) {
    version = stored?.version
    guard let document = stored?.document else { return }
    for flag in document.listed {
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
    if case .constant? = flag.spread { return .oneVariant }
    return nil
  }
}

extension CatalogEntries.Entry {
  /// Returns the owner: the one in the code, or else the one in the definition.
  func owner(_ facts: DefinitionFacts) -> String? { flag.metadata.owner ?? facts.owners[flag.key.name] }

  /// Returns the reasons why the flag may have done its work.
  func staleness(_ facts: DefinitionFacts, _ today: CalendarDay?, unread: Set<String>) -> [FlagStaleness] {
    let isExpired = today.flatMap { today in flag.metadata.expires.map { $0 < today } } ?? false
    let isUnread = unread.contains(flag.key.name)
    return (isExpired ? [.expired] : []) + [facts.staleness[flag.key.name]].compactMap { $0 }
      + (isUnread ? [.unread] : [])
  }
}
