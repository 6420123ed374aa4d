import FlagDefinitions
import FlagDomain

extension ConsoleModel {
  var facts: DefinitionFacts {
    let stored = ports.definitions?.current
    let shared = origin ?? self
    if let known = shared.latestFacts.withLock({ $0 }), known.version == stored?.version { return known }
    let facts = DefinitionFacts(of: stored)
    shared.latestFacts.withLock { $0 = facts }
    return facts
  }

  /// The tags of the shown flags, sorted.
  package var flagTags: [String] { Set(facts.tags.values.joined()).sorted() }

  /// The owners of the shown flags, sorted.
  package var owners: [String] {
    let facts = facts
    return Set(entries.all.compactMap { $0.owner(facts) }).sorted()
  }
}
