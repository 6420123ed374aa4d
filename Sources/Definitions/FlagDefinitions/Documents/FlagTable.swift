import FlagDomain

/// The flags of a document by their keys, which are compared by code units.
@safe
package struct FlagTable: Sendable {
  /// A flag, or the reason why it is malformed and the name of its file.
  package enum Entry: Sendable {
    case flag(FlagDefinition)
    case malformed(String, file: String?)
  }

  private var keys = StringTable()
  private(set) var entries: ContiguousArray<Entry> = []
  /// The same flags as unretained references; nil for malformed ones.
  private var references: ContiguousArray<Unmanaged<FlagDefinition>?> = unsafe []

  func number(of key: String) -> Int? { keys.number(of: key) }

  func key(_ number: Int) -> String { keys[number] }

  /// Returns the number of the flag with a key, or nil; retains nothing.
  func number(of key: FlagKey) -> Int? { keys.number(of: key.utf8) }

  /// Returns the number that a flag has in another table, or nil: usually the same one.
  func number(of number: Int, in other: FlagTable) -> Int? {
    keys.withText(number) { key in
      number < other.entries.count && other.keys.isText(number, key) ? number : other.keys.number(of: key)
    }
  }

  /// The entry of a key, or nil; setting an entry replaces the previous one.
  package subscript(key: String) -> Entry? {
    get { number(of: key).map { entries[$0] } }
    set {
      guard let newValue else { return }
      let number = keys.insert(key)
      if number == entries.count {
        entries.append(newValue)
        unsafe references.append(newValue.reference)
      } else {
        entries[number] = newValue
        unsafe references[number] = newValue.reference
      }
    }
  }

  /// Returns a flag's answer for all users; nil if it depends on an evaluation, or the flag is malformed.
  func fixedAnswer(_ number: Int) -> FlagAnswer? {
    unsafe references[number]?._withUnsafeGuaranteedRef { $0.fixedAnswer }
  }

  /// Calls a closure with a flag without retaining it: a retain would write to memory that all threads share.
  ///
  /// The referenced flags are alive: `entries` retains the flag with the same number, both arrays are changed together,
  /// and the table is borrowed during the call, so nothing can change or release it.
  func withFlag<Value>(
    _ number: Int, _ body: (FlagDefinition) throws(FlagError) -> Value
  ) throws(FlagError) -> Value {
    if let reference = unsafe references[number] {
      return try unsafe reference._withUnsafeGuaranteedRef { flag in
        Result { () throws(FlagError) in try body(flag) }
      }.get()
    }
    return try body(entries[number].get())
  }
}

extension FlagTable.Entry {
  func get() throws(FlagError) -> FlagDefinition {
    switch self {
    case .flag(let flag): return flag
    case .malformed(let reason, let file): throw FlagError(.parseError, file.map { "\($0): \(reason)" } ?? reason)
    }
  }

  fileprivate var reference: Unmanaged<FlagDefinition>? {
    switch self {
    case .flag(let flag): unsafe .passUnretained(flag)
    case .malformed: nil
    }
  }
}

extension FlagTable: Sequence {
  /// Returns an iterator over the keys and their entries, in the order in which they were first set.
  package func makeIterator() -> some IteratorProtocol<(key: String, entry: Entry)> {
    entries.indices.lazy.map { (key: keys[$0], entry: entries[$0]) }.makeIterator()
  }
}
