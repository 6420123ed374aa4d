import Synchronization

/// A flag's value of two words without references, read by any thread without a lock: a sequence lock.
///
/// Memory safety. A writer claims the slot by a compare-exchange of the stamp, which makes it odd, then stores type and
/// words with release order, and then the next even stamp. A reader loads the stamp, then type and words with acquire
/// order, then the stamp again: had any of them been of a later write, the second stamp would not be the first, since
/// stamps only ever grow. So the words are the bytes of one value of a flag of exactly the type that was compared,
/// which has one type of values, and never a mixture.
struct KeptWords: ~Copyable, Sendable {
  /// Twice the revision of the value; one more while a writer is at work, and 0 at first.
  private let stamp = Atomic<UInt64>(0)
  /// The identity of the type of the flag whose value's bytes the words are.
  private let owner = Atomic<UInt>(0)
  private let low = Atomic<UInt64>(0)
  private let high = Atomic<UInt64>(0)

  /// Returns the bytes of the value that a flag of a type had in a revision; nil where they were not kept.
  @inline(__always)
  borrowing func find(_ owner: Any.Type, revision: UInt64) -> Words? {
    guard stamp.load(ordering: .acquiring) == revision << 1,
      self.owner.load(ordering: .acquiring) == UInt(bitPattern: ObjectIdentifier(owner))
    else { return nil }
    let words = Words(low: low.load(ordering: .acquiring), high: high.load(ordering: .acquiring))
    guard stamp.load(ordering: .relaxed) == revision << 1 else { return nil }
    return words
  }

  /// Keeps the bytes of a value, unless those of its revision or of a later one are kept, or are being kept just now.
  borrowing func keep(_ words: Words, of owner: Any.Type, revision: UInt64) {
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

  /// Copies the bytes of a value; nil where it may hold references, or is of more than two words.
  ///
  /// Text of up to 15 bytes is kept in the string itself, without a reference. Whether it is, is asked of no layout:
  /// two strings that were made apart, and are alive, have the same bytes only where neither refers to storage of its
  /// own.
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

  /// Requires a value of at most two words.
  private init<Value>(bytesOf value: Value) {
    withUnsafeMutableBytes(of: &self) { words in
      withUnsafeBytes(of: value) { words.copyMemory(from: $0) }
    }
  }

  /// Whether every value of a type is made of two words without references.
  @inline(__always)
  static func canHold<Value>(_ type: Value.Type) -> Bool {
    _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<Words>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
  }

  /// The value; requires that the words were made from one of the same type.
  ///
  /// A function of its own, since the check of the stack that comes with it would cost all other reads, too.
  @inline(never)
  func value<Value>() -> Value {
    withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
  }
}
