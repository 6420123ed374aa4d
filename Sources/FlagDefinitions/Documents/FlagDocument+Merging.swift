import FlagDomain

extension FlagDocument {
  /// Returns a document with the flags of both; if both define a flag, the other document's definition is used.
  ///
  /// Each flag's rule uses the shared rules of the document that defines it.
  public func merging(_ other: FlagDocument) -> FlagDocument {
    var merged = self
    for (key, entry) in other.flags { merged.flags[key] = entry }
    merged.diagnostics += other.diagnostics
    merged.omittedDiagnostics += other.omittedDiagnostics
    return merged
  }

  /// Returns the keys of the flags that only one of the documents defines, or that they define differently.
  public func changedKeys(from older: FlagDocument) -> Set<String> {
    var rules = RuleComparison.All()
    var changed: Set<String> = []
    for (key, entry) in flags {
      if let other = older.flags[key], older.bucketing == bucketing, entry.isIdentical(to: other, comparing: &rules) {
        continue
      }
      changed.insert(key)
    }
    for (key, _) in older.flags where flags[key] == nil { changed.insert(key) }
    return changed
  }
}

extension FlagTable.Entry {
  fileprivate func isIdentical(to other: Self, comparing rules: inout RuleComparison.All) -> Bool {
    switch (self, other) {
    case (.flag(let flag), .flag(let other)): flag.isIdentical(to: other, comparing: &rules)
    case (.malformed(let reason, _), .malformed(let other, _)): reason.isIdentical(to: other)
    case (.flag, .malformed), (.malformed, .flag): false
    }
  }
}
