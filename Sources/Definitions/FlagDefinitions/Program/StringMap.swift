/// Values by strings that are compared by code units, unlike the keys of a dictionary.
package struct StringMap<Value: Sendable>: Sendable {
  private var names = StringTable()
  private var values: ContiguousArray<Value?> = []

  package init() {}

  /// Creates a map; the last value counts if several have the same key.
  package init(_ pairs: some Sequence<(String, Value)>) { for (key, value) in pairs { self[key] = value } }

  package subscript(key: String) -> Value? {
    get { names.number(of: key).flatMap { values[$0] } }
    set {
      let number = names.insert(key)
      if number == values.count { values.append(newValue) } else { values[number] = newValue }
    }
  }

  /// The keys, in the order in which they were first set.
  package var keys: some Sequence<String> {
    values.indices.lazy.filter { values[$0] != nil }.map { names[$0] }
  }
}
