import FlagDomain

/// The flags of a document by their keys, which are compared by their code units.
package struct FlagTable: Sendable {
  /// A flag, or why there is none, and the name of the file that it is from.
  package enum Entry: Sendable {
    case flag(FlagDefinition)
    case malformed(String, file: String?)
  }

  private var keys = StringTable()
  private(set) var entries: ContiguousArray<Entry> = []
  /// The flags again, nil for malformed ones, as references that do not count.
  private var references: ContiguousArray<Unmanaged<FlagDefinition>?> = []

  func number(of key: String) -> Int? { keys.number(of: key) }

  /// Returns the number of the flag of a key, or nil; counts no reference.
  func number(of key: FlagKey) -> Int? { keys.number(of: key.utf8) }

  /// The entry of a key, or nil; an entry that is set takes the place of the one before.
  package subscript(key: String) -> Entry? {
    get { number(of: key).map { entries[$0] } }
    set {
      guard let newValue else { return }
      let number = keys.insert(key)
      if number == entries.count {
        entries.append(newValue)
        references.append(newValue.reference)
      } else {
        entries[number] = newValue
        references[number] = newValue.reference
      }
    }
  }
}

extension FlagTable {
  /// Returns what a flag answers to everyone; nil for one that takes an evaluation, and for a malformed one.
  func fixedAnswer(_ number: Int) -> FlagAnswer? { references[number]?._withUnsafeGuaranteedRef { $0.fixedAnswer } }

  /// Calls a closure with a flag, without taking hold of it: that would write to memory that all threads use.
  ///
  /// What the references lead to is alive: `entries` holds each flag of the same number, both are changed together, and
  /// the table is borrowed while this runs, so that no one can change or release it.
  func withFlag<Value>(
    _ number: Int, _ body: (FlagDefinition) throws(FlagError) -> Value
  ) throws(FlagError) -> Value {
    if let reference = references[number] {
      return try reference._withUnsafeGuaranteedRef { flag in
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
    case .flag(let flag): .passUnretained(flag)
    case .malformed: nil
    }
  }
}

extension FlagTable: Sequence {
  /// Returns the keys and their entries, in the order in which they were set first.
  package func makeIterator() -> some IteratorProtocol<(key: String, entry: Entry)> {
    entries.indices.lazy.map { (key: keys[$0], entry: entries[$0]) }.makeIterator()
  }
}
