internal import FlagDomain
internal import Synchronization

/// The values that flags had in a state, one slot a flag, read without a lock.
///
/// A slot is found by the flag key's index. It holds the value of one type, stamped with the revision that it was
/// resolved in; a read names the revision that it wants, so a change makes every slot stale by counting up, and
/// touches none. See `Docs/Reading.md` for the technique and for what was tried besides.
///
/// Memory safety. The only unsafe constructs of the package's read path are here:
/// - *Pages.* A page of slots is allocated once, published by a compare-exchange with release order, read with acquire
///   order, never moved, and freed in `deinit`, when no reader can exist, since a reader holds the table. The
///   pointer to the pages is a `let`. So sharing the table between threads is safe: hence `@unchecked Sendable`.
/// - *Plain values.* A value of at most 16 bytes without references (`_isPOD`) is kept as two atomic words. A
///   writer, of which there is one at a time, clears the stamp, stores type and words with release order, and stores the
///   new stamp. A reader loads the stamp, then type and words with acquire order, then the stamp again: had
///   any of them been of a later write, the second stamp would not be the first. A stamp is never used twice
///   for one slot. So the words are the bytes of one value of exactly the type that was compared, never a mixture.
/// - *Other values* stand in an immutable box, which is exchanged, and copied from, under the slot's lock. The
///   downcast follows a comparison of the box's type.
///
/// `KeptValuesTests` run readers against writers under the thread sanitizer.
final class KeptValues: @unchecked Sendable {
  /// Page `n` holds `64 << n` slots; 58 pages would hold every index there is.
  private static let pageCount = 32
  private let pages: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Slot>?>>

  init() {
    pages = .allocate(capacity: Self.pageCount)
    for page in 0..<Self.pageCount { (pages + page).initialize(to: Atomic(nil)) }
  }

  deinit {
    for page in 0..<Self.pageCount {
      if let slots = pages[page].load(ordering: .relaxed) { Self.free(slots, page: page) }
    }
    pages.deinitialize(count: Self.pageCount)
    pages.deallocate()
  }
}

extension KeptValues {
  /// Returns the value that a flag had in a revision, or what `missing` returns where it was not kept.
  ///
  /// Callers are generic code that is not specialised. So there is no optional of the value here, and no class that is
  /// generic over it: finding their metadata at each read took twice as long as all the rest.
  @inline(__always)
  func value<Value: Sendable>(at index: Int, revision: UInt64, else missing: () throws -> Value) rethrows -> Value {
    let (page, offset) = Self.place(of: index)
    guard let slots = pages[page].load(ordering: .acquiring) else { return try missing() }
    return try (slots + offset).pointee.value(revision: revision, else: missing)
  }

  /// Keeps the value that a flag has in a revision; callers exclude each other.
  ///
  /// The first value kept for a revision stays: where flags of two types share a key, the second is not kept.
  ///
  /// - Returns: What held the value kept before; the caller lets go of it outside of locks, since that value's own
  ///   deinit may run then.
  @discardableResult
  func keep<Value: Sendable>(_ value: Value, at index: Int, revision: UInt64) -> (any AnyObject & Sendable)? {
    let (page, offset) = Self.place(of: index)
    return slots(ofPage: page)[offset].keep(value, revision: revision)
  }

  private static func place(of index: Int) -> (page: Int, offset: Int) {
    let shifted = UInt(bitPattern: index) &+ 64
    let page = UInt.bitWidth &- 7 &- shifted.leadingZeroBitCount
    return (page, Int(bitPattern: shifted &- (64 &<< UInt(bitPattern: page))))
  }

  private func slots(ofPage page: Int) -> UnsafeMutablePointer<Slot> {
    if let slots = pages[page].load(ordering: .acquiring) { return slots }
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 64 << page)
    for offset in 0..<(64 << page) { (slots + offset).initialize(to: Slot()) }
    let (isFirst, first) = pages[page].compareExchange(
      expected: nil, desired: slots, ordering: .acquiringAndReleasing)
    if !isFirst, let first {
      Self.free(slots, page: page)
      return first
    }
    return slots
  }

  private static func free(_ slots: UnsafeMutablePointer<Slot>, page: Int) {
    slots.deinitialize(count: 64 << page)
    slots.deallocate()
  }
}

/// What is kept of one flag.
private struct Slot: ~Copyable {
  /// The revision of the value; 0 while a writer is at work, and at first.
  private let stamp = Atomic<UInt64>(0)
  /// The identity of the type whose bytes the words are; 0 where the value stands in the box.
  private let type = Atomic<UInt>(0)
  private let low = Atomic<UInt64>(0)
  private let high = Atomic<UInt64>(0)
  private let box = Locked<Box?>(nil)

  @inline(__always)
  borrowing func value<Value: Sendable>(revision: UInt64, else missing: () throws -> Value) rethrows -> Value {
    guard stamp.load(ordering: .acquiring) == revision else { return try missing() }
    let type = self.type.load(ordering: .acquiring)
    if type == Box.identity(of: Value.self) {
      let words = Words(low: low.load(ordering: .acquiring), high: high.load(ordering: .acquiring))
      guard stamp.load(ordering: .relaxed) == revision else { return try missing() }
      return words.value()
    }
    guard type == 0, let box = box.withLock({ $0 }), box.revision == revision, box.holds(Value.self) else {
      return try missing()
    }
    return box.value()
  }

  borrowing func keep<Value: Sendable>(_ value: Value, revision: UInt64) -> Box? {
    guard stamp.load(ordering: .relaxed) != revision else { return nil }
    defer { stamp.store(revision, ordering: .releasing) }
    stamp.store(0, ordering: .relaxed)
    if Words.canHold(Value.self) {
      let words = Words(value)
      type.store(Box.identity(of: Value.self), ordering: .releasing)
      low.store(words.low, ordering: .releasing)
      high.store(words.high, ordering: .releasing)
      return nil
    }
    type.store(0, ordering: .releasing)
    let new = Box(value, revision: revision)
    return box.withLock { box in
      defer { box = new }
      return box
    }
  }
}

/// The bytes of a plain value.
private struct Words {
  var low: UInt64 = 0
  var high: UInt64 = 0

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  static func canHold<Value>(_ type: Value.Type) -> Bool {
    _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<Words>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
  }

  /// Requires `canHold(Value.self)`.
  init<Value>(_ value: Value) {
    withUnsafeMutableBytes(of: &self) { $0.storeBytes(of: value, as: Value.self) }
  }

  /// Requires that the words were made from a value of the same type.
  @inline(__always)
  func value<Value>() -> Value {
    withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
  }
}

/// A value with references, as long as it is kept; not generic, see above.
///
/// Immutable, and made from a sendable value alone: hence `@unchecked Sendable`.
private final class Box: @unchecked Sendable {
  let revision: UInt64
  private let type: UInt
  private let storage: UnsafeMutableRawPointer
  private let free: @Sendable (UnsafeMutableRawPointer) -> Void

  init<Value: Sendable>(_ value: Value, revision: UInt64) {
    self.revision = revision
    type = Self.identity(of: Value.self)
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    storage = UnsafeMutableRawPointer(pointer)
    free = { storage in
      let pointer = storage.assumingMemoryBound(to: Value.self)
      pointer.deinitialize(count: 1)
      pointer.deallocate()
    }
  }

  deinit { free(storage) }

  @inline(__always)
  func holds(_ type: Any.Type) -> Bool { self.type == Self.identity(of: type) }

  /// Requires `holds(Value.self)`.
  @inline(__always)
  func value<Value>() -> Value { storage.assumingMemoryBound(to: Value.self).pointee }

  @inline(__always)
  static func identity(of type: Any.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }
}
