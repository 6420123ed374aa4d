import FlagDomain

/// A structured value whose parts are flags' values: a field that has a flag's whole key as its name, or the part that
/// the key leads to as a path.
struct ValueTree: ProviderSnapshot {
  var root: FlagValue

  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    (root[ValuePath([key.name])] ?? root[ValuePath(key.name)]).map { FlagAnswer($0) }
  }
}

extension ValueTree: LiveContent {
  func changes(since old: ValueTree) -> ChangedKeys? {
    guard root != old.root else { return nil }
    var names: Set<String> = []
    Self.collect(&names, from: old.root, to: root, at: ValuePath())
    return .some(Set(names.compactMap { FlagKey($0) }))
  }

  /// Collects the paths at which two values differ, and the plain names of fields at the top.
  private static func collect(_ names: inout Set<String>, from old: FlagValue?, to new: FlagValue?, at path: ValuePath)
  {
    guard old != new else { return }
    names.insert(path.description)
    if path.components.count == 1 { names.formUnion(path.components) }
    for name in Set((old?.childNames ?? []) + (new?.childNames ?? [])) {
      let step = ValuePath([name])
      collect(&names, from: old?[step], to: new?[step], at: ValuePath(path.components + [name]))
    }
  }
}
