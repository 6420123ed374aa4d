import FlagDomain

/// A table of values and their parts: a flag's value is the one under its key, or else the part of another one at the
/// key as a path.
struct ValueTable: ProviderSnapshot {
  private(set) var values: [FlagKey: FlagValue]
  /// The values that have parts, by the name that a path to them begins with.
  private var structures: [String: FlagValue]
  /// The keys that were removed, but are also paths to parts of other values.
  private var hidden: Set<FlagKey> = []

  init(values: [FlagKey: FlagValue]) {
    self.values = values
    structures = [:]
    for (key, value) in values where value.hasParts { structures[key.name] = value }
  }

  /// - Throws: A type mismatch if the key leads through something that has no such part.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    if let value = values[key] { return FlagAnswer(value) }
    guard !structures.isEmpty, !hidden.contains(key) else { return nil }
    let path = ValuePath(key.name)
    guard path.components.count > 1, let structure = structures[path.components[0]] else { return nil }
    return try FlagValue.object([path.components[0]: structure]).part(at: path).map { FlagAnswer($0) }
  }
}

extension ValueTable {
  /// Sets values, and removes those that are nil.
  mutating func merge(_ changes: [FlagKey: FlagValue?]) {
    for (key, value) in changes {
      values[key] = value
      structures[key.name] = value?.hasParts == true ? value : nil
      if value == nil { hidden.insert(key) } else { hidden.remove(key) }
    }
    // A structure that is set shows all of its parts, and a path into no structure has no value.
    let shown = Set(changes.filter { $0.value != nil }.keys.map(\.name))
    hidden = hidden.filter { key in
      let name = ValuePath(key.name).components[0]
      return structures[name] != nil && !shown.contains(name)
    }
  }
}

extension ValueTable: DiffableContent {
  func changes(since old: ValueTable) -> ChangedKeys? {
    var names = Set(hidden.symmetricDifference(old.hidden).map(\.name))
    for key in Set(values.keys).union(old.values.keys) where values[key] != old.values[key] {
      names.insert(key.name)
      let (former, new) = (old.structures[key.name], structures[key.name])
      if former != nil || new != nil { ValueTree.collect(&names, from: former, to: new, at: ValuePath([key.name])) }
    }
    return names.isEmpty ? nil : .some(names)
  }
}
