import FlagDefinitions
public import FlagDomain

extension FlagBrowser {
  /// Returns the flags that a query wants, as they are at one moment.
  public func list(_ query: FlagQuery = FlagQuery()) -> FlagList {
    let (entries, revision) = state.withLock { ($0.entries, $0.revision) }
    let moment = Moment(self)
    let candidates = candidates(for: query, in: entries)
    var rows: [FlagRow] = []
    var matched = candidates.count
    if query.needsValues {
      let all = candidates.map { moment.row(of: $0) }.filter(query.matches)
      matched = all.count
      rows = Array(all.prefix(query.limit))
    } else {
      rows = candidates.prefix(query.limit).map { moment.row(of: $0) }
    }
    return FlagList(
      rows: rows, matched: matched, total: entries.all.count { !$0.flag.metadata.isInternal },
      overrides: moment.overrides.count, waiting: moment.waiting.count, revision: revision)
  }

  private func candidates(for query: FlagQuery, in entries: CatalogEntries) -> [CatalogEntries.Entry] {
    let words = query.text.foldedForSearch.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    let group = query.group.flatMap { name in entries.groups.first { $0.name == name }?.title } ?? query.group
    return entries.all.filter { entry in
      if entry.flag.metadata.isInternal, !query.includesInternal { return false }
      if let group, entry.groups.first != group { return false }
      return words.allSatisfy(entry.searchText.includes)
    }
  }

  /// The outermost groups, in order.
  public var groups: [FlagGroupName] { state.withLock { $0.entries.groups } }

  /// The names of the providers, in the order in which they are asked; none while no flags are shown.
  public var providers: [String] {
    guard let flag = state.withLock({ $0.entries.all.first?.flag }) else { return [] }
    return ports.snapshots.snapshot().answers(forAny: flag).map(\.provider)
  }

  /// Returns a flag, or nil where no flag that is shown has the key.
  public func row(_ key: String) -> FlagRow? { entry(key).map { Moment(self).row(of: $0) } }

  /// Returns a flag with everything that is known of it; nil where no flag that is shown has the key.
  public func detail(_ key: String) -> FlagDetail? {
    guard let entry = entry(key) else { return nil }
    let moment = Moment(self)
    let row = moment.row(of: entry)
    let excluded = entry.flag.metadata.excludedProviders
    return FlagDetail(
      row: row, answers: moment.flags.answers(forAny: entry.flag),
      original: ports.overriding?.overrideState(ofAny: entry.flag).original,
      storedOverride: moment.overrides[entry.flag.key],
      writableProviders: (ports.writing?.writableProviders ?? []).filter { row.isEditable && !excluded.contains($0) },
      explanation: explanation(of: key), canEditDefinition: canEditDefinition(of: key))
  }

  func entry(_ key: String) -> CatalogEntries.Entry? { state.withLock { $0.entries[key] } }

  private func canEditDefinition(of key: String) -> Bool {
    !options.isReadOnly && ports.definitions?.current?.document.number(of: key) != nil
  }

  private func explanation(of key: String) -> RuleExplanation? {
    guard let document = ports.definitions?.current?.document, document.number(of: key) != nil else { return nil }
    let context = EvaluationContext(user: user)
    return RuleExplanation(document.explain(key, in: context, at: options.now()))
  }
}

/// What all rows of one list are read from.
private struct Moment {
  let flags: any FlagSnapshot
  let overrides: [FlagKey: FlagValue]
  let waiting: Set<FlagKey>
  private let console: FlagBrowser

  init(_ console: FlagBrowser) {
    self.console = console
    flags = console.ports.snapshots.snapshot()
    overrides = console.ports.overriding?.overrides ?? [:]
    waiting = console.ports.overriding?.keysAwaitingRestart ?? []
  }

  func row(of entry: CatalogEntries.Entry) -> FlagRow {
    let (flag, metadata, options) = (entry.flag, entry.flag.metadata, console.options)
    let resolution = flags.resolution(ofAny: flag)
    return FlagRow(
      key: flag.key, title: entry.title, groups: entry.groups, summary: metadata.description, dataType: entry.dataType,
      editor: entry.editor, value: resolution.value, defaultValue: defaultValue(of: flag), resolution: resolution,
      isOverridden: resolution.reason == .override, isWaitingForRestart: waiting.contains(flag.key),
      isExpired: options.today.flatMap { today in metadata.expires.map { $0 < today } } ?? false,
      isEditable: !options.isReadOnly && !metadata.isLocked && console.ports.overriding != nil, metadata: metadata)
  }

  private func defaultValue(of flag: some FeatureFlag) -> FlagValue {
    FlagValue(describing: flags.defaultValue(of: flag))
  }
}

extension OverrideState {
  /// The value without the override; nil where there is none.
  fileprivate var original: Value? { if case .overridden(_, let original) = self { original } else { nil } }
}

/// A flag with everything that is known of it.
public struct FlagDetail: Sendable {
  /// The flag as a list shows it.
  public let row: FlagRow
  /// What each provider says, in the order in which they are asked.
  public let answers: [ProviderAnswer<FlagValue>]
  /// The value without the override; nil where it is not overridden.
  public let original: FlagValue?
  /// The override that is stored, which may count only from the next start; nil where there is none.
  public let storedOverride: FlagValue?
  /// The providers that the flag's value can be written to.
  public let writableProviders: [String]
  /// How the in-house definition comes to its value for who is signed in here; nil where there is none.
  public let explanation: RuleExplanation?
  /// Whether the flag's definition can be edited.
  public let canEditDefinition: Bool
}

extension FlagDetail {
  /// Returns what a provider says, in a word or two.
  public func answerText(of provider: String) -> String {
    guard let answer = answers.first(where: { $0.provider == provider }) else { return "nothing" }
    if answer.isExcluded { return "not asked" }
    switch answer.outcome {
    case .success(let resolution): return resolution?.value.shortText ?? "nothing"
    case .failure: return "error"
    }
  }
}
