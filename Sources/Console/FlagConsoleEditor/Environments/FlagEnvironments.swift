public import FlagConsole
import FlagDefinitions
public import FlagDomain
import FlagReview

/// The consoles of several environments, such as development and production, side by side.
///
/// ```swift
/// let environments = try FlagEnvironments([("dev", console), ("prod", other)])
/// ```
///
/// All members may be called from any thread.
public final class FlagEnvironments: Sendable {
  /// An environment.
  package struct Environment: Sendable {
    /// The name, which is a part of the addresses of its pages.
    package let name: String
    /// The console of its flags.
    package let console: ConsoleModel
    /// Whether its flags are those of the people who use the product, which every page says.
    package var isProduction = false
  }

  /// The environments, in order; the others are compared with the first one.
  package let all: [Environment]
  private let latest = Locked<EnvironmentComparison?>(nil)

  /// Creates environments.
  ///
  /// - Parameters:
  ///   - consoles: The names and consoles; at least one.
  ///   - production: The names of those whose pages are marked as production's; nil for `prod` and `production`.
  /// - Throws: An error if there is none, if two have one name, if a name has anything but letters and digits of ASCII
  ///   and `-._`, or if one is marked that there is not.
  public init(
    _ consoles: [(name: String, console: ConsoleModel)], production: Set<String>? = nil
  ) throws(FlagError) {
    if consoles.isEmpty { throw FlagError(.general, "expected an environment, found none") }
    for (index, (name, _)) in consoles.enumerated() {
      try Self.check(name)
      if consoles[..<index].contains(where: { $0.name == name }) {
        throw FlagError(.general, "expected environments of different names, found two of the name “\(name)”")
      }
    }
    if let name = production?.sorted().first(where: { name in !consoles.contains { $0.name == name } }) {
      throw FlagError(.general, "expected the name of an environment as production, found “\(name)”")
    }
    all = consoles.map { name, console in
      let isProduction = production?.contains(name) ?? ["prod", "production"].contains(name.lowercased())
      return Environment(name: name, console: console, isProduction: isProduction)
    }
  }

  /// Creates the environment of a console that is alone, which has no name.
  package init(alone console: ConsoleModel) { all = [Environment(name: "", console: console)] }

  /// Whether the environments have names, which their pages are below.
  package var areNamed: Bool { all[0].name != "" }

  /// Checks the name of an environment.
  package static func check(_ name: String) throws(FlagError) {
    let isName = name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains(scalar))
    }
    if isName, (1...64).contains(name.utf8.count), name.first != ".", !reserved.contains(name) { return }
    throw FlagError(
      .general,
      "expected the name of an environment, of at most 64 letters, digits and -._, found “\(name.prefix(100))”")
  }

  /// The names of pages that stand beside those of the environments.
  private static let reserved: Set = ["environments", "start", "icon.svg", "console.css", "console.js"]

  /// Returns the flags of all environments that match a query.
  package func list(_ query: EnvironmentQuery = EnvironmentQuery()) -> EnvironmentList {
    let definitions = all.map { $0.console.editor?.store.current }
    let versions = definitions.map { $0?.version }
    let known = latest.withLock { $0 }.flatMap { $0.versions == versions ? $0 : nil }
    let comparison = known ?? EnvironmentComparison(of: definitions)
    latest.withLock { $0 = comparison }
    return comparison.list(query, at: all.lazy.compactMap(\.console.editor).first?.options.now() ?? 0)
  }
}

/// A query for the flags of several environments.
package struct EnvironmentQuery: Hashable, Sendable {
  /// The words, all of which must occur in the key or the description; case and accents are ignored.
  package var text: String
  /// Whether only flags that differ between the environments are listed.
  package var onlyDifferent: Bool
  /// The number of matching flags to leave out at the beginning.
  package var offset: Int
  /// The maximum number of rows.
  package var limit: Int

  /// Creates a query.
  package init(_ text: String = "", onlyDifferent: Bool = false, offset: Int = 0, limit: Int = 100) {
    (self.text, self.onlyDifferent, self.offset, self.limit) = (text, onlyDifferent, max(0, offset), max(0, limit))
  }
}

/// The flags of several environments that match a query.
package struct EnvironmentList: Hashable, Sendable {
  /// The flags, in the order of the first environment, then those that only others have.
  package let rows: [EnvironmentRow]
  /// The number of matching flags.
  package let matched: Int
  /// The number of flags in all environments, each key once.
  package let total: Int
}

/// A flag in several environments.
package struct EnvironmentRow: Hashable, Sendable, Identifiable {
  /// The flag's key.
  package let key: String
  /// The description, in the first environment that has one.
  package let summary: String
  /// The flag in each environment, in their order; nil if an environment does not have it.
  package let definitions: [DefinitionSummary?]
  /// Whether it differs between the environments.
  package let differs: Bool

  /// The flag's key.
  package var id: String { key }
}

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

  func list(_ query: EnvironmentQuery, at now: Int64) -> EnvironmentList {
    let words = query.text.foldedForSearch.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    let matching = flags.filter { flag in
      (flag.differs || !query.onlyDifferent) && words.allSatisfy(flag.searchText.includes)
    }
    return EnvironmentList(
      rows: matching.dropFirst(query.offset).prefix(query.limit).map { row($0, at: now) }, matched: matching.count,
      total: flags.count)
  }

  private func row(_ flag: Flag, at now: Int64) -> EnvironmentRow {
    let definitions = documents.indices.map { index in
      documents[index].flatMap { DefinitionSummary(flag.key, in: $0, at: now, differences[index][flag.key] ?? []) }
    }
    return EnvironmentRow(key: flag.key, summary: flag.summary, definitions: definitions, differs: flag.differs)
  }
}
