import FlagDomain

extension FlagDocument {
  /// Returns the keys of the flags that only one of the documents defines, or that they define differently.
  ///
  /// Two that differ in their Unicode form alone, which a set cannot hold, are both in the list.
  func changedKeyList(from older: FlagDocument) -> [String] {
    var rules = RuleComparison()
    var changed: [String] = []
    for (key, entry) in flags {
      if let other = older.flags[key], older.bucketing == bucketing, entry.isIdentical(to: other, comparing: &rules) {
        continue
      }
      changed.append(key)
    }
    for (key, _) in older.flags where flags[key] == nil { changed.append(key) }
    return changed
  }
}

extension FlagTable.Entry {
  fileprivate func isIdentical(to other: Self, comparing rules: inout RuleComparison) -> Bool {
    switch (self, other) {
    case (.flag(let flag), .flag(let other)): flag.isIdentical(to: other, comparing: &rules)
    case (.malformed(let reason, _), .malformed(let other, _)):
      KubernetesResource.inside(reason).isIdentical(to: KubernetesResource.inside(other))
    case (.flag, .malformed), (.malformed, .flag): false
    }
  }
}
