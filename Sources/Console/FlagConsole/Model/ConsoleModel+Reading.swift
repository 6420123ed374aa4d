package import FlagDomain
import FlagSupport

extension ConsoleModel {
  /// Returns the flags that match a query, all resolved from one snapshot.
  public func list(_ query: FlagQuery = FlagQuery()) -> FlagList {
    let (revision, entries) = (revision, entries)
    let moment = Moment(self)
    let candidates = candidates(for: query, in: entries, moment.facts)
    var items = ListItems(query, entries, moment.overrides)
    if query.needsValues {
      let rows = candidates.compactMap { entry in
        let row = moment.row(of: entry)
        return query.matches(row) ? row : nil
      }
      for row in query.order == .state ? rows.sortedByState : rows { items.add { described(row) } }
    } else {
      for entry in candidates where !items.fold(entry) { items.add { described(moment.row(of: entry)) } }
    }
    return FlagList(
      rows: items.rows, sections: FlagSection.sections(of: items.all, without: query.knownGroups),
      group: items.row(of: query.group, candidates), matched: items.matched, omitted: items.omitted,
      total: entries.all.count { !$0.isInternal }, overrides: moment.overrides.count,
      clearingQuestion: clearingQuestion(moment.overrides, entries), waiting: moment.waiting.count, revision: revision)
  }

  /// Returns a row with the words of its definition, which take longer than the rest of it.
  private func described(_ row: FlagRow) -> FlagRow {
    var row = row
    row.definition = definitions?.summary(of: row.key.name, in: nil)
    return row
  }

  private func candidates(
    for query: FlagQuery, in entries: CatalogEntries, _ facts: DefinitionFacts
  ) -> [CatalogEntries.Entry] {
    let words = query.text.foldedForSearch.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    let found = entries.all.filter { entry in
      if entry.isInternal, !query.includesInternal { return false }
      if !query.group.isEmpty, !entry.group.name.path.starts(with: query.group) { return false }
      if !query.tags.isEmpty, !query.tags.isSubset(of: facts.tags[entry.flag.key.name] ?? []) { return false }
      if let owner = query.owner, entry.owner(facts) != owner { return false }
      if query.filters.contains(.stale), staleness(of: entry, facts).isEmpty { return false }
      return words.allSatisfy(entry.searchText.includes)
    }
    guard query.order == .name else { return found }
    return found.sorted { Array("\($0.title.foldedForSearch) \($0.flag.key)".utf8) }
  }

  fileprivate func staleness(of entry: CatalogEntries.Entry, _ facts: DefinitionFacts) -> [FlagStaleness] {
    entry.staleness(facts, options.today, unread: options.unreadKeys())
  }

  private func clearingQuestion(
    _ overrides: [FlagKey: FlagValue], _ entries: CatalogEntries
  ) -> FlagQuestion? {
    guard !access.isReadOnly else { return nil }
    let questions = Self.clearable(overrides, entries).keys.map { entries[$0.name]?.flag.metadata.changingQuestion }
    return questions.isEmpty ? nil : .clearing(questions.count, someAfterRestart: questions.contains { $0 != nil })
  }

  /// Returns the overrides that clearing all would remove.
  static func clearable(_ overrides: [FlagKey: FlagValue], _ entries: CatalogEntries) -> [FlagKey: FlagValue] {
    overrides.filter { entries[$0.key.name]?.isLocked != true }
  }

  /// The groups that a list can be narrowed to, in order: top-level groups and those with a list of their own.
  package var groups: [FlagGroupName] { entries.groups }

  /// The tags of the shown flags, sorted.
  package var flagTags: [String] { Set(facts.tags.values.joined()).sorted() }

  /// The owners of the shown flags, sorted.
  package var owners: [String] {
    let facts = facts
    return Set(entries.all.compactMap { $0.owner(facts) }).sorted()
  }

  fileprivate var facts: DefinitionFacts { definitions?.facts ?? DefinitionFacts() }

  /// The names of the providers, in the order in which they are queried; empty while no flags are shown.
  package var providers: [String] {
    guard let flag = entries.all.first?.flag else { return [] }
    return snapshot().answers(for: flag).map(\.provider)
  }

  /// Returns the flag of a key, or nil if no shown flag has it.
  public func row(_ key: String) -> FlagRow? { entry(key).map { described(Moment(self).row(of: $0)) } }

  /// Returns the flag of a key with all details, or nil if no shown flag has the key.
  package func detail(_ key: String) -> FlagDetail? {
    guard let entry = entry(key) else { return nil }
    let moment = Moment(self)
    let row = described(moment.row(of: entry))
    return FlagDetail(
      row: row, answers: moment.flags.answers(for: entry.flag),
      writableProviders: (ports.writing?.writableProviders ?? []).filter { name in
        access.permission >= .edit && !entry.isLocked && entry.flag.metadata.queries(name)
      },
      keptVariants: keptVariants(of: row)?.variants.values.sorted() ?? [],
      definition: definitions?.summary(of: key, in: context))
  }

  /// Returns the variants that the user whom the console asks as keeps in a flag's experiment, by its names, and whose
  /// they are; nil if there are none.
  func keptVariants(of row: FlagRow) -> (unit: StickyBucketUnit, variants: [String: String])? {
    let metadata = row.resolution.metadata
    guard let store = ports.stickyBuckets, let own = StickyBucketUnit(of: metadata, in: context) else { return nil }
    // A vendor's experiment has a name of its own, and another name for the user's id.
    let name = "\(metadata["experimentKey"]?.text ?? row.key.name)__"
    for unit in [own, StickyBucketUnit(attribute: "id", value: own.value)] {
      let variants = store.assignments(of: unit).filter { $0.key.hasPrefix(name) }
      if !variants.isEmpty { return (unit, variants) }
    }
    return nil
  }

  func entry(_ key: String) -> CatalogEntries.Entry? { entries[key] }

  /// Returns the reason why a flag cannot be overridden here, as a sentence; nil if it can.
  func lockReason(of entry: CatalogEntries.Entry) -> String? {
    if entry.isLocked { return "The flag is locked: it can be changed only in code." }
    if !entry.flag.metadata.isOverridable { return "The flag cannot be overridden." }
    if access.permission < .override { return access.refusal }
    guard let overriding = ports.overriding else { return "Overrides are turned off in this console." }
    return overriding.areOverridesAllowed ? nil : "Overrides are not allowed here, and have no effect."
  }

  /// Returns the value of a flag without its override; nil if it is known only for another user.
  fileprivate func original(of flag: any FeatureFlag) -> FlagValue? {
    ownUser != nil ? nil : ports.overriding?.overrideState(of: flag).original
  }
}

private struct Moment {
  let flags: any FlagSnapshot
  let overrides: [FlagKey: FlagValue]
  let waiting: Set<FlagKey>
  let facts: DefinitionFacts
  private let console: ConsoleModel

  init(_ console: ConsoleModel) {
    self.console = console
    flags = console.snapshot()
    facts = console.facts
    overrides = console.ports.overriding?.overrides ?? [:]
    waiting = console.ports.overriding?.keysAwaitingRestart ?? []
  }

  func row(of entry: CatalogEntries.Entry) -> FlagRow {
    let (flag, metadata, options) = (entry.flag, entry.flag.metadata, console.options)
    let resolution = flags.resolution(of: flag)
    let isOverridden = resolution.reason == .override
    var row = FlagRow(
      key: flag.key, title: entry.title, groups: entry.group.name.titles, summary: metadata.description,
      dataType: entry.dataType,
      control: entry.control, value: resolution.value, defaultValue: defaultValue(of: flag), resolution: resolution,
      isOverridden: isOverridden, storedOverride: overrides[flag.key],
      original: isOverridden ? console.original(of: flag) : nil,
      isWaitingForRestart: waiting.contains(flag.key),
      isExpired: options.today.flatMap { today in metadata.expires.map { $0 < today } } ?? false,
      isLocked: entry.isLocked, lockReason: console.lockReason(of: entry), isDefaultKnown: options.knowsDefaults,
      metadata: metadata)
    row.metadataTags = facts.tags[flag.key.name] ?? []
    row.staleness = console.staleness(of: entry, facts)
    row.reach = facts.reaches[flag.key.name] ?? row.ownReach
    row.mark = options.mark(row)
    return row
  }

  private func defaultValue(of flag: some FeatureFlag) -> FlagValue {
    FlagValue(describing: flags.defaultValue(of: flag))
  }
}

extension [FlagRow] {
  /// The rows that are on, then those that are off, then others by their values; each in their order.
  fileprivate var sortedByState: [FlagRow] {
    func rank(_ row: FlagRow) -> UInt8 { row.isOn.map { $0 ? 0 : 1 } ?? 2 }
    return sorted { row -> [UInt8] in [rank(row)] + (row.isOn == nil ? Array<UInt8>(row.valueText.utf8) : []) }
  }
}

extension Array {
  /// Returns the elements in the order of texts, and in their own if these are the same; only positions are moved.
  fileprivate func sorted(by text: (Element) -> [UInt8]) -> [Element] {
    let texts = map(text)
    return indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }.map { self[$0] }
  }
}

extension OverrideState {
  fileprivate var original: Value? { if case .overridden(_, let original) = self { original } else { nil } }
}

private struct ListItems {
  private(set) var all: [FlagSection.Item] = []
  private(set) var rows: [FlagRow] = []
  private(set) var matched = 0
  private(set) var omitted = 0
  private let query: FlagQuery
  private let entries: CatalogEntries
  private let overrides: [FlagKey: FlagValue]
  private var groups: [[String]: Int] = [:]

  init(_ query: FlagQuery, _ entries: CatalogEntries, _ overrides: [FlagKey: FlagValue]) {
    (self.query, self.entries, self.overrides) = (query, entries, overrides)
  }

  /// Adds a flag, or counts it as omitted if the limit is reached.
  mutating func add(_ row: () -> FlagRow) {
    matched += 1
    guard rows.count < query.limit else {
      omitted += 1
      return
    }
    rows.append(row())
    all += rows.suffix(1).map { .flag($0) }
  }

  /// Counts a flag in the row of the group that replaces it; returns false if there is no such row.
  mutating func fold(_ entry: CatalogEntries.Entry) -> Bool {
    guard query.allowsGroupRows, query.text.allSatisfy(\.isWhitespace),
      let depth = entry.group.ownLists.first(where: { $0 > query.group.count })
    else { return false }
    let path = Array(entry.group.name.path.prefix(depth))
    let index = groups[path] ?? all.count
    var (flags, overridden) = (0, 0)
    if index < all.count, case .group(let row) = all[index] { (flags, overridden) = (row.flags, row.overrides) }
    guard let row = group(path, flags: flags + 1, overrides: overridden + count(entry)) else { return false }
    matched += 1
    groups[path] = index
    all.replaceSubrange(index..<min(index + 1, all.count), with: [.group(row)])
    return true
  }

  /// Returns the row of the group that the list was narrowed to, counting the matching flags in it.
  func row(of path: [String], _ candidates: [CatalogEntries.Entry]) -> FlagGroupRow? {
    group(path, flags: candidates.count, overrides: candidates.count { count($0) > 0 })
  }

  private func count(_ entry: CatalogEntries.Entry) -> Int { overrides[entry.flag.key] == nil ? 0 : 1 }

  private func group(_ path: [String], flags: Int, overrides: Int) -> FlagGroupRow? {
    entries.outline(of: path).map { outline in
      FlagGroupRow(
        name: outline.name, summary: outline.metadata.description, icon: outline.metadata.presentation.icon,
        flags: flags, overrides: overrides)
    }
  }
}

/// A flag with all its details.
package struct FlagDetail: Sendable {
  /// The flag's row in a list.
  package let row: FlagRow
  /// The answers of the providers, in the order in which they are queried.
  package let answers: [ProviderAnswer<FlagValue>]
  /// The providers that the flag's value can be written to.
  package let writableProviders: [String]
  /// The writable providers that have a value, which can be removed.
  package var removableProviders: [String] {
    writableProviders.filter { name in
      answers.contains { answer in
        guard answer.provider == name, case .success(let resolution) = answer.outcome else { return false }
        return resolution != nil
      }
    }
  }
  /// The variants that the user keeps in the flag's experiment: one, or none.
  package let keptVariants: [String]
  /// The definition in words, for the user whom the console asks as; nil if there is none.
  package let definition: DefinitionSummary?

  /// Returns the value that a provider has; nil for none.
  package func value(of provider: String) -> FlagValue? {
    let answer = answers.first { $0.provider == provider }
    return if case .success(let resolution)? = answer?.outcome { resolution?.value } else { nil }
  }

  /// Returns the answer of a provider in a word or two.
  package func answerText(of provider: String) -> String {
    guard let answer = answers.first(where: { $0.provider == provider }) else { return "nothing" }
    if answer.isExcluded { return "not queried" }
    switch answer.outcome {
    case .success(let resolution): return resolution?.value.shortText ?? "nothing"
    case .failure: return "error"
    }
  }
}
