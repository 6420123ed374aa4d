extension FlagDocument {
  /// Returns a document with the flags of both; where both define a flag, the other's stands.
  public func merging(_ other: FlagDocument) -> FlagDocument {
    var merged = self
    merged.entries.merge(other.entries) { _, others in others }
    merged.findings += other.findings
    return merged
  }

  /// Returns the keys of the flags that an older document defines differently, or only one of both defines.
  public func changedKeys(from older: FlagDocument) -> Set<String> {
    let changed = entries.filter { older.entries[$0.key] != $0.value || older.bucketing != bucketing }
    return Set(changed.keys).union(older.entries.keys.filter { entries[$0] == nil })
  }
}
