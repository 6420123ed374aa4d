import FlagDomain

extension FlagDocument {
  /// Returns the keys of the flags that only one of the documents defines, or that they define differently.
  ///
  /// Two that differ in their Unicode form alone, which a set cannot hold, are both in the list.
  func changedKeyList(from older: FlagDocument) -> [String] {
    var rules = RuleComparison()
    var changed: [String] = []
    let isComparable = older.bucketing == bucketing
    for number in flags.entries.indices {
      let other = flags.number(of: number, in: older.flags)
      if let other, isComparable,
        flags.entries[number].isIdentical(to: older.flags.entries[other], comparing: &rules)
      {
        continue
      }
      changed.append(flags.key(number))
    }
    for number in older.flags.entries.indices where older.flags.number(of: number, in: flags) == nil {
      changed.append(older.flags.key(number))
    }
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
