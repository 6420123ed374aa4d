import FlagDomain

/// A table of values and their parts: a flag's value is the one under its key, or else the part of another one at the
/// key as a path.
///
/// A version shares with the one before it all that was not written.
struct ValueTable: ProviderSnapshot {
  /// A value that has parts.
  private struct Structure {
    var value: FlagValue
    /// The keys that were removed, but are also paths to parts of the value.
    var hidden: Set<FlagKey> = []
  }

  private var table: VersionedMap<FlagKey, FlagValue>
  /// The values that have parts, by the name that a path to them begins with.
  private var structures: VersionedMap<String, Structure>

  init(values: [FlagKey: FlagValue]) {
    table = VersionedMap(values)
    let structures = values.lazy.filter(\.value.hasParts).map { ($0.key.name, Structure(value: $0.value)) }
    self.structures = VersionedMap(Dictionary(uniqueKeysWithValues: structures))
  }

  /// Every value by its key, collected at each call.
  var values: [FlagKey: FlagValue] { table.entries }

  /// - Throws: A type mismatch if the key leads through something that has no such part.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    if let value = table[key] { return FlagAnswer(value) }
    guard !structures.isEmpty else { return nil }
    let path = ValuePath(key.name)
    guard path.components.count > 1, let structure = structures[path.components[0]], !structure.hidden.contains(key)
    else { return nil }
    return try FlagValue.object([path.components[0]: structure.value]).part(at: path).map { FlagAnswer($0) }
  }

  /// Sets values, and removes those that are nil.
  ///
  /// - Returns: The keys whose answers differ, or nil if none do.
  mutating func merge(_ changes: [FlagKey: FlagValue?]) -> ChangedKeys? {
    var names: Set<String> = []
    // Removed parts first: a structure that is set shows all of its parts.
    for (key, value) in changes where value == nil { set(nil, for: key, &names) }
    for (key, value) in changes where value != nil { set(value, for: key, &names) }
    return names.isEmpty ? nil : .some(names)
  }

  /// Sets or removes a value, and adds the names of the keys whose answers differ.
  private mutating func set(_ value: FlagValue?, for key: FlagKey, _ names: inout Set<String>) {
    let old = table[key]
    if !old.readsAs(value) {
      table[key] = value
      names.insert(key.name)
    }
    let former = structures.isEmpty ? nil : structures[key.name]
    let new = value.flatMap { $0.hasParts ? Structure(value: $0) : nil }
    if former != nil || new != nil {
      structures[key.name] = new
      names.formUnion((former?.hidden ?? []).map(\.name))
      if !(former?.value).readsAs(new?.value) {
        ValueTree.collect(&names, from: former?.value, to: new?.value, at: ValuePath([key.name]))
      }
    }
    show(key, if: value != nil, &names)
  }

  /// Shows or hides the part of a structure to which a key is a path.
  private mutating func show(_ key: FlagKey, if isShown: Bool, _ names: inout Set<String>) {
    guard !structures.isEmpty else { return }
    let name = ValuePath(key.name).components[0]
    guard name != key.name, var structure = structures[name], structure.hidden.contains(key) == isShown else { return }
    if isShown { structure.hidden.remove(key) } else { structure.hidden.insert(key) }
    structures[name] = structure
    names.insert(key.name)
  }
}
