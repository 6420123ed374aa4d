package import FlagDomain

/// A table of strings in one buffer, each stored once, and looked up by its bytes.
///
/// Strings are compared by code units. Lookups and comparisons copy no string.
package struct StringTable: Sendable {
  struct Entry: Sendable {
    let start: UInt32
    let count: UInt32
  }

  private(set) var entries: ContiguousArray<Entry> = []
  private var bytes: ContiguousArray<UInt8> = []
  /// The hash table: the number of an entry plus one in each slot; 0 for an empty slot.
  ///
  /// The number of slots is a power of two.
  private var slots = ContiguousArray<UInt32>(repeating: 0, count: 16)
  /// The seed of hashes, which differs in each process, so that no document can be crafted with colliding strings.
  private let seed = UInt64(truncatingIfNeeded: Hasher().finalize())

  package init() {}

  package var count: Int { entries.count }

  package func number(of text: String) -> Int? {
    text.withBytes { number(of: $0) }
  }

  /// Returns the number of a text, given as UTF-8, or nil if it is not in the table.
  package func number(of text: borrowing BorrowedBytes) -> Int? {
    let slot = slots[slot(of: text)]
    return slot == 0 ? nil : Int(slot) - 1
  }

  /// Returns the number of a string, and adds it if it is not in the table yet.
  package mutating func insert(_ text: String) -> Int {
    if entries.count * 2 >= slots.count { grow() }
    return text.withBytes { text -> Int in
      let slot = self.slot(of: text)
      if slots[slot] == 0 {
        append(text)
        slots[slot] = UInt32(entries.count)
      }
      return Int(slots[slot]) - 1
    }
  }

  package subscript(number: Int) -> String {
    withText(number) { $0.text(in: 0..<$0.count) }
  }

  func isText(_ number: Int, _ text: String) -> Bool {
    guard text.utf8.count == Int(entries[number].count) else { return false }
    return text.withBytes { isText(number, $0) }
  }

  /// Returns whether a string is a text, given as UTF-8.
  func isText(_ number: Int, _ text: borrowing BorrowedBytes) -> Bool {
    withText(number) { $0.isIdentical(to: text) }
  }

  /// Calls a closure with the bytes of a string, which are valid only during the call.
  func withText<Result>(_ number: Int, _ body: (borrowing BorrowedBytes) -> Result) -> Result {
    let entry = entries[number]
    return unsafe bytes.withUnsafeBufferPointer { all in
      unsafe body(BorrowedBytes(rebasing: all[Int(entry.start)..<Int(entry.start) + Int(entry.count)]))
    }
  }

  /// Returns the numbers of the strings with others than ASCII characters.
  func nonASCII() -> [Int] {
    // Most documents have none: one pass without branches finds that out.
    guard !bytes.withBytes({ $0.isASCII }) else { return [] }
    return entries.indices.filter { !withText($0) { $0.isASCII } }
  }

  /// Returns numbers in the order of their strings' lengths, and then of their bytes, for ``contains(_:among:)``.
  func sorted(_ numbers: some Sequence<UInt32>) -> [UInt32] {
    numbers.sorted { left, right in
      withText(Int(left)) { left in withText(Int(right)) { right in left.order(to: right) < 0 } }
    }
  }

  /// Returns whether a string is among those with given numbers, which are in the order of ``sorted(_:)``.
  ///
  /// Inlined, since a call would retain the numbers, which all threads share.
  @inline(__always)
  func contains(_ text: String, among numbers: some RandomAccessCollection<UInt32>) -> Bool {
    text.withBytes { text in
      var (low, high) = (numbers.startIndex, numbers.endIndex)
      while low < high {
        let middle = numbers.index(low, offsetBy: numbers.distance(from: low, to: high) / 2)
        let order = withText(Int(numbers[middle])) { $0.order(to: text) }
        if order == 0 { return true }
        if order < 0 { low = numbers.index(after: middle) } else { high = middle }
      }
      return false
    }
  }

  private mutating func append(_ text: borrowing BorrowedBytes) {
    entries.append(Entry(start: UInt32(bytes.count), count: UInt32(text.count)))
    text.append(to: &bytes)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: slots.count * 2)
    for number in entries.indices {
      let slot = withText(number) { self.slot(of: $0) }
      if slots[slot] == 0 { slots[slot] = UInt32(number) + 1 }
    }
  }

  /// Returns the slot of a string, or the empty slot for inserting it.
  private func slot(of text: borrowing BorrowedBytes) -> Int {
    var slot = Self.hash(of: text, seed: seed) & (slots.count - 1)
    while slots[slot] != 0, !withText(Int(slots[slot]) - 1, { $0.isIdentical(to: text) }) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// Returns the hash of a string.
  ///
  /// It multiplies eight bytes at a time and combines both halves of the product, like Wang Yi's wyhash.
  private static func hash(of bytes: borrowing BorrowedBytes, seed: UInt64) -> Int {
    var hash = seed ^ UInt64(bytes.count)
    var offset = 0
    while bytes.count - offset >= 8 {
      hash = mix(hash ^ bytes.load(at: offset, as: UInt64.self), 0xa076_1d64_78bd_642f)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return Int(truncatingIfNeeded: mix(mix(hash ^ rest, 0xe703_7ed1_a0b4_28db), seed | 1))
  }

  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return high ^ low
  }
}
