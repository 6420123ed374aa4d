import Synchronization

/// A flag's value of two words without references, read by any thread without a lock: a sequence lock.
///
/// Memory safety. A writer claims the slot by a compare-exchange of the stamp, which makes it odd, then stores type and
/// words with release order, and then the next even stamp. A reader loads the stamp, then type and words with acquire
/// order, then the stamp again: if any of them were of a later write, the two stamps would differ, since stamps only
/// ever grow. So the words are the bytes of one value of a flag of exactly the type that was compared, which has one
/// type of values, and never a mixture.
struct CachedWords: ~Copyable, Sendable {
  /// Twice the revision of the value; one more during a write, and 0 at first.
  private let stamp = Atomic<UInt64>(0)
  /// The identity of the type of the flag whose value is in the words.
  private let owner = Atomic<UInt>(0)
  private let low = Atomic<UInt64>(0)
  private let high = Atomic<UInt64>(0)

  /// Returns the bytes of the value that a flag of a type had in a revision; nil if they are not stored.
  @inline(__always)
  borrowing func find(_ owner: Any.Type, revision: UInt64) -> Words? {
    guard stamp.load(ordering: .acquiring) == revision << 1,
      self.owner.load(ordering: .acquiring) == UInt(bitPattern: ObjectIdentifier(owner))
    else { return nil }
    let words = Words(low: low.load(ordering: .acquiring), high: high.load(ordering: .acquiring))
    guard stamp.load(ordering: .relaxed) == revision << 1 else { return nil }
    return words
  }

  /// Stores the bytes of a value, unless those of its revision or of a later one are stored or being stored.
  borrowing func store(_ words: Words, of owner: Any.Type, revision: UInt64) {
    let last = stamp.load(ordering: .relaxed)
    guard last & 1 == 0, last < revision << 1,
      stamp.compareExchange(expected: last, desired: last | 1, ordering: .acquiring).exchanged
    else { return }
    self.owner.store(UInt(bitPattern: ObjectIdentifier(owner)), ordering: .releasing)
    low.store(words.low, ordering: .releasing)
    high.store(words.high, ordering: .releasing)
    stamp.store(revision << 1, ordering: .releasing)
  }
}

/// The bytes of a value that holds no reference.
struct Words: Equatable {
  fileprivate(set) var low: UInt64 = 0
  fileprivate(set) var high: UInt64 = 0

  /// Copies the bytes of a value; nil if it may hold references, or is longer than two words.
  ///
  /// Text of up to 15 bytes is stored inline in the string, without a reference. That is checked without relying on the
  /// layout: two strings that were created separately, and are alive, have the same bytes only if neither refers to
  /// separate storage.
  init?<Value>(_ value: Value) {
    if Self.canHold(Value.self) {
      self.init(bytesOf: value)
    } else if let text = value as? String, Value.self == String.self, text.utf8.count < MemoryLayout<Words>.size {
      let (one, other) = (text.copied, text.copied)
      let (words, others) = (Words(bytesOf: one), Words(bytesOf: other))
      guard withExtendedLifetime((one, other), { words == others }) else { return nil }
      self = words
    } else {
      return nil
    }
  }

  fileprivate init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Creates words from the bytes of a value; requires at most two words.
  private init<Value>(bytesOf value: Value) {
    unsafe withUnsafeMutableBytes(of: &self) { words in
      unsafe withUnsafeBytes(of: value) { unsafe words.copyMemory(from: $0) }
    }
  }

  /// Returns whether every value of a type consists of two words without references.
  @inline(__always)
  static func canHold<Value>(_ type: Value.Type) -> Bool {
    _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<Words>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
  }

  /// Returns the value; requires that the words were created from one of the same type.
  ///
  /// A separate function, since its stack check would slow down all other reads, too.
  @inline(never)
  func value<Value>() -> Value {
    unsafe withUnsafePointer(to: self) { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
  }
}
