import FlagDomain

/// A plain table of values.
struct ValueTable: ProviderSnapshot {
  var values: [FlagKey: FlagValue]

  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { values[key].map { FlagAnswer($0) } }
}

extension ValueTable {
  /// Sets values, and removes those that are nil.
  mutating func merge(_ changes: [FlagKey: FlagValue?]) {
    for (key, value) in changes { values[key] = value }
  }
}

extension ValueTable: LiveContent {
  func changes(since old: ValueTable) -> ChangedKeys? {
    let keys = Set(values.keys).union(old.values.keys).filter { values[$0] != old.values[$0] }
    return keys.isEmpty ? nil : .some(keys)
  }
}
