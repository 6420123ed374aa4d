package import FlagDomain

/// A structured value whose parts are flags' values: a field whose name is a flag's whole key, or the part at the key
/// as a path.
package struct ValueTree: ProviderSnapshot {
  package var root: FlagValue
  /// Whether it is a table of whole keys first.
  ///
  /// Then a top-level field without parts does not block other keys, and a new value becomes such a field. Otherwise
  /// the key's path is created.
  package var isFlat = false

  package init(root: FlagValue, isFlat: Bool = false) { (self.root, self.isFlat) = (root, isFlat) }

  /// - Throws: A type mismatch if the key leads through something that has no such part.
  package func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try answer(for: key.name)
  }

  func answer(for key: String) throws(FlagError) -> FlagAnswer? {
    if let value = root[ValuePath([key])] { return FlagAnswer(value) }
    let path = ValuePath(key)
    if isFlat, root[ValuePath([path.components[0]])]?.hasParts != true { return nil }
    return try root.part(at: path).map { FlagAnswer($0) }
  }

  /// Sets values, and removes those that are nil.
  ///
  /// - Throws: A `FlagError` that names the key, when it leads through something that has no such part, or the value
  ///   would replace an object that has fields.
  package mutating func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    // Arrays lose their last elements first, and grow after the remaining ones.
    for key in values.keys.sorted().reversed() where values[key] == .some(nil) { try set(nil, for: key) }
    for key in values.keys.sorted() { if let value = values[key] ?? nil { try set(value, for: key) } }
  }

  private mutating func set(_ value: FlagValue?, for key: FlagKey) throws(FlagError) {
    let (field, path) = (ValuePath([key.name]), ValuePath(key.name))
    do throws(FlagError) {
      if value == nil {
        root = try root.setting(nil, at: field).setting(nil, at: path)
      } else {
        let isField = root[field] != nil || isFlat && root[path] == nil
        root = try root.setting(value, at: isField ? field : path)
      }
    } catch {
      throw FlagError(error.code, error.message, key: key)
    }
  }
}

extension ValueTree: DiffableContent {
  package func changes(since old: ValueTree) -> ChangedKeys? {
    guard !root.readsAs(old.root) else { return nil }
    var names: Set<String> = []
    Self.collect(&names, from: old.root, to: root, at: ValuePath())
    names.remove("")  // the whole value belongs to no flag
    return .some(names)
  }

  /// Collects the paths at which two values differ, and the plain names of top-level fields.
  static func collect(_ names: inout Set<String>, from old: FlagValue?, to new: FlagValue?, at path: ValuePath) {
    if old.readsAs(new) { return }
    names.insert(path.description)
    if path.components.count == 1 { names.formUnion(path.components) }
    for name in Set((old?.childNames ?? []) + (new?.childNames ?? [])) {
      let step = ValuePath([name])
      collect(&names, from: old?[step], to: new?[step], at: ValuePath(path.components + [name]))
    }
  }
}
