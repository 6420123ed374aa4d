public import FlagDomain

extension FlagDocument: DefinitionDocument {
  /// The in-house format.
  public var format: any DefinitionFormat { InHouseFormat(bucketing: bucketing, stickyBuckets: stickyBuckets) }

  /// The flags in the order of the document, including malformed ones.
  public var listed: [ListedFlag] { flags.map { ListedFlag($0, $1) } }

  /// Returns the flag with a key, which is compared by code units; nil if the document has no such flag.
  public func listing(of key: String) -> ListedFlag? { flags[key].map { ListedFlag(key, $0) } }

  /// Returns the names of the attributes that a flag's rule reads; a nested one's name has dots.
  public func attributes(of key: String) -> Set<String> {
    guard case .flag(let flag)? = flags[key], let root = flag.root else { return [] }
    return flag.program.attributes(of: root)
  }

  /// The names of the attributes that experiments count by; those that are disabled count nobody.
  public var unitAttributes: Set<String> {
    var names: Set<String> = []
    for case (_, .flag(let flag)) in flags where flag.isEnabled {
      if let name = flag.metadata.unitAttribute { names.insert(name) }
    }
    return names
  }

  /// The keys of the flags that are malformed, or whose rules have a part that cannot be evaluated.
  public var brokenKeys: Set<String> { flags.brokenKeys }

  /// Returns a document of some flags alone; the shared rules that they use are in place.
  public func excerpt(of keys: Set<String>) -> any DefinitionDocument { containing(only: keys) }

  /// Returns the keys of the flags that only one of two documents defines, or that they define differently.
  ///
  /// If the older document has another format, it returns all keys of both.
  public func changedKeys(from older: any DefinitionDocument) -> Set<String> {
    if let older = older as? FlagDocument { return Set(changedKeyList(from: older)) }
    return Set(keys).union(older.listed.map(\.key))
  }
}

// MARK: - Time

extension FlagDocument {
  /// Evaluates a flag that code reads, without updating a reference count that other threads use.
  ///
  /// The answers of rules that only compare the time with numbers stay the same until the next instant at which the
  /// result of a comparison changes, and can be cached like all others. Rules that use the time in other ways are
  /// evaluated at the current time.
  public func evaluate(
    _ key: FlagKey, in context: EvaluationContext, at moment: Int64?, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = flags.number(of: key) else { return nil }
    if let answer = flags.fixedAnswer(number) { return answer }
    return try flags.withFlag(number) { flag throws(FlagError) in
      guard flag.dependsOnTime, flag.changesAtInstants, let moment else {
        return keeping(try flag.ruledAnswer(in: context, at: now), of: flag, in: context)
      }
      do throws(FlagError) {
        var answer = try flag.ruledAnswer(in: context) { moment }
        answer.isTransient = false
        return keeping(answer, of: flag, in: context)
      } catch {
        var error = error
        error.isTransient = false
        throw error
      }
    }
  }

  /// Returns the next time at which the result of a comparison of the time with a number changes; nil if none does.
  public func nextInstant(after seconds: Int64) -> Int64? {
    timedProgram?.tables.instants.lazy.filter { $0 > seconds }.min()
  }

  /// Returns the keys of the flags with a rule in which the result of a comparison changes between two times.
  public func changedKeys(after start: Int64, through end: Int64) -> Set<String> {
    guard let program = timedProgram, var passage = TimePassage(of: program, after: start, through: end) else {
      return []
    }
    var changed: Set<String> = []
    for case (let key, .flag(let flag)) in flags where flag.dependsOnTime {
      if let root = flag.root, passage.changes(root) { changed.insert(key) }
    }
    return changed
  }

  /// The program of the flags; nil if none of them depends on the time.
  private var timedProgram: Program? {
    for case (_, .flag(let flag)) in flags where flag.dependsOnTime { return flag.program }
    return nil
  }
}

extension ListedFlag {
  fileprivate init(_ key: String, _ entry: FlagTable.Entry) {
    switch entry {
    case .flag(let flag):
      self.init(key: key, variants: flag.variants.map { ($0.name, $0.value) }, metadata: flag.metadata)
    case .malformed: self.init(key: key, variants: [])
    }
  }
}

extension DefinitionDocument {
  /// Returns the keys of ``changedKeys(from:)``; of this format, also two that differ in their Unicode form alone.
  package func changedKeyList(from older: any DefinitionDocument) -> [String] {
    guard let new = self as? FlagDocument, let old = older as? FlagDocument else {
      return Array(changedKeys(from: older))
    }
    return new.changedKeyList(from: old)
  }
}
