import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagConsole

/// The flags of several documents, and what differs between the first one and the others.
struct EnvironmentComparison: Sendable {
  let versions: [DefinitionVersion?]
  private let documents: [(any DefinitionDocument)?]
  private let flags: [Flag]
  /// The differences from the first document, by key, for each document.
  private let differences: [StringMap<[DefinitionComparison.Difference]>]

  private struct Flag: Sendable {
    let key: String
    let summary: String
    let searchText: [UInt8]
    var differs = false

    init(_ listed: ListedFlag) {
      key = listed.key
      summary = listed.metadata["description"]?.text ?? ""
      searchText = Array("\(key) \(summary)".foldedForSearch.utf8)
    }
  }

  /// Compares documents in time linear in their sizes.
  init(of stored: [StoredDefinitions?]) {
    versions = stored.map { $0?.version }
    documents = stored.map { $0?.document }
    var (flags, indices) = ([Flag](), StringMap<Int>())
    for listed in documents.flatMap({ $0?.listed ?? [] }) where indices[listed.key] == nil {
      indices[listed.key] = flags.count
      flags.append(Flag(listed))
    }
    var differences: [StringMap<[DefinitionComparison.Difference]>] = []
    for document in documents {
      let found = Self.differences(from: documents.first ?? nil, to: document)
      for (key, _) in found { if let index = indices[key] { flags[index].differs = true } }
      differences.append(StringMap(found.map { ($0.key, $0.differences) }))
    }
    (self.flags, self.differences) = (flags, differences)
  }

  /// Returns the differences of all flags that differ; a document that is not there has no flags.
  private static func differences(
    from old: (any DefinitionDocument)?, to new: (any DefinitionDocument)?
  ) -> [(key: String, differences: [DefinitionComparison.Difference])] {
    switch (old, new) {
    case (nil, nil): return []
    case (let old?, nil): return old.listed.map { ($0.key, [.removed]) }
    case (nil, let new?): return new.listed.map { ($0.key, [.added]) }
    case (let old?, let new?):
      return DefinitionComparison.ownDifferences(from: old, to: new)
    }
  }

  func list(_ query: EnvironmentQuery) -> EnvironmentList {
    let words = query.text.foldedForSearch.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    let matching = flags.filter { flag in
      (flag.differs || !query.onlyDifferent) && words.allSatisfy(flag.searchText.includes)
    }
    return EnvironmentList(
      rows: matching.dropFirst(query.offset).prefix(query.limit).map(row), matched: matching.count,
      total: flags.count)
  }

  private func row(_ flag: Flag) -> EnvironmentRow {
    let definitions = documents.indices.map { index in
      documents[index].flatMap { DefinitionSummary(flag.key, in: $0, differences[index][flag.key] ?? []) }
    }
    return EnvironmentRow(key: flag.key, summary: flag.summary, definitions: definitions, differs: flag.differs)
  }
}
