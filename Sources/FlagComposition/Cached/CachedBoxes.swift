/// A cache of values of any type by the indexes of their flags, used by one thread at a time.
///
/// An open hash table: indexes are small and dense, so their low bits are the hash.
///
/// Memory safety. The entries, and the values in them, are owned by this table, and freed with it. The results of
/// ``find(_:of:revision:)`` and ``findFirst(_:of:revision:)`` are valid until the table is changed. The values are
/// sendable, so a table may pass from thread to thread as a whole: hence `@unchecked Sendable`.
@safe
struct CachedBoxes: ~Copyable, @unchecked Sendable {
  /// The entries, whose number is a power of two, with less than half of them used; nil until a value is cached.
  private var entries: UnsafeMutablePointer<CachedBox.Contents>?
  /// The number of the last entry.
  private var mask = -1
  private var count = 0

  init() { assert(MemoryLayout<CachedBox.Contents>.offset(of: \.inside) == 0) }

  deinit {
    guard let entries = unsafe entries else { return }
    for position in 0...mask { _ = unsafe CachedBox(owning: entries[position]) }
    unsafe UnsafeMutableRawPointer(entries).deallocate()
  }

  /// Returns the address of the value that a flag of a type had in a revision; nil if it is not cached.
  borrowing func find(_ index: Int, of owner: Any.Type, revision: UInt64) -> UnsafeMutableRawPointer? {
    guard let entries = unsafe entries else { return nil }
    return unsafe storage(in: entry(index, in: entries), index, of: owner, revision: revision)
  }

  /// Returns the address of the value, if its entry is the first that its index leads to, as most are.
  ///
  /// It has no loop and no calls, so that a reader need not save registers for it.
  @inline(__always)
  borrowing func findFirst(_ index: Int, of owner: Any.Type, revision: UInt64) -> UnsafeMutableRawPointer? {
    guard let entries = unsafe entries else { return nil }
    return unsafe storage(in: entries + (index & mask), index, of: owner, revision: revision)
  }

  @inline(__always)
  private borrowing func storage(
    in entry: UnsafeMutablePointer<CachedBox.Contents>, _ index: Int, of owner: Any.Type, revision: UInt64
  ) -> UnsafeMutableRawPointer? {
    guard
      unsafe entry.pointee.index == Int32(truncatingIfNeeded: index) && entry.pointee.revision == revision
        && entry.pointee.owner == owner
    else { return nil }
    let inside = UnsafeMutableRawPointer(entry)  // the first property of a box
    return unsafe entry.pointee.isOutside ? inside.load(as: UnsafeMutableRawPointer.self) : inside
  }

  /// Stores a value, unless one of the same flag and revision, or of a later revision, is stored already.
  ///
  /// - Returns: The value that was replaced or not stored. The caller releases it when the table is not in use, since
  ///   the value's own deinit may read flags.
  mutating func store(_ box: consuming CachedBox) -> CachedBox {
    let entry = unsafe entry(Int(box.contents.index), in: entriesWithRoom())
    let last = unsafe entry.pointee
    if last.index < 0 { count += 1 } else if last.revision >= box.contents.revision { return box }
    unsafe entry.pointee = box.release()
    return CachedBox(owning: last)
  }

  /// Returns the entry of a flag, or the empty one that it would have.
  private borrowing func entry(
    _ index: Int, in entries: UnsafeMutablePointer<CachedBox.Contents>
  ) -> UnsafeMutablePointer<CachedBox.Contents> {
    var entry = unsafe entries + (index & mask)
    while unsafe entry.pointee.index != Int32(truncatingIfNeeded: index) && entry.pointee.index >= 0 {
      unsafe entry = entry == entries + mask ? entries : entry + 1
    }
    return unsafe entry
  }

  /// Returns the entries, with room for one more.
  private mutating func entriesWithRoom() -> UnsafeMutablePointer<CachedBox.Contents> {
    if let entries = unsafe entries, count * 2 < mask { return unsafe entries }
    let (last, lastMask) = unsafe (entries, mask)
    mask = max(15, lastMask * 2 + 1)
    let entries = unsafe Self.allocate(mask + 1)
    if let last = unsafe last {
      for position in 0...lastMask where unsafe last[position].index >= 0 {
        unsafe entry(Int(last[position].index), in: entries).pointee = last[position]
      }
      unsafe UnsafeMutableRawPointer(last).deallocate()
    }
    unsafe self.entries = entries
    return unsafe entries
  }

  /// Allocates whole cache lines, so that no other thread's memory is in them.
  private static func allocate(_ count: Int) -> UnsafeMutablePointer<CachedBox.Contents> {
    let size = count * MemoryLayout<CachedBox.Contents>.stride
    let entries = unsafe UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 128)
      .bindMemory(to: CachedBox.Contents.self, capacity: count)
    unsafe entries.initialize(repeating: CachedBox.Contents(), count: count)
    return unsafe entries
  }
}

/// A flag's value of any type: inline if it fits, else in a separate allocation.
///
/// Not generic, since a table holds values of all types.
///
/// Memory safety. Contents are bytes that may be moved: a value is inline only if its type is bitwise movable. They
/// contain a value of exactly the type that they name, which is initialized with the box; the owner is the code that
/// has the box, or has released its contents. A flag's type has one type of values, so a value found by the flag's type
/// has the value type.
struct CachedBox: ~Copyable {
  /// The inline storage: room for a string, an array, and some more; with the rest, a box is a cache line.
  typealias Inside = (UInt64, UInt64, UInt64, UInt64)

  struct Contents {
    /// The value or its address; the first property, so that it begins at the address of the contents.
    var inside: Inside = (0, 0, 0, 0)
    /// The value's type.
    let type: Any.Type
    /// The type of the flag whose value it is.
    let owner: Any.Type
    /// The index of the flag's slot; negative if there is no value.
    let index: Int32
    /// Whether the value is in a separate allocation.
    let isOutside: Bool
    let revision: UInt64

    /// The address of a value in a separate allocation, which is required.
    @inline(__always)
    var outside: UnsafeMutableRawPointer {
      get {
        unsafe withUnsafePointer(to: inside) { unsafe UnsafeRawPointer($0).load(as: UnsafeMutableRawPointer.self) }
      }
      set {
        unsafe withUnsafeMutablePointer(to: &inside) {
          unsafe UnsafeMutableRawPointer($0).storeBytes(of: newValue, as: UnsafeMutableRawPointer.self)
        }
      }
    }
  }

  let contents: Contents

  /// Creates the box of a value; requires the type of a flag with values of that type.
  init<Value: Sendable>(_ value: Value, of owner: Any.Type, at index: Int, revision: UInt64) {
    let fits =
      MemoryLayout<Value>.size <= MemoryLayout<Inside>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Inside>.alignment && _isBitwiseTakable(Value.self)
    var contents = Contents(
      type: Value.self, owner: owner, index: Int32(truncatingIfNeeded: index), isOutside: !fits, revision: revision)
    if fits {
      _ = unsafe withUnsafeMutablePointer(to: &contents) {
        unsafe UnsafeMutableRawPointer($0).initializeMemory(as: Value.self, to: value)
      }
    } else {
      let outside = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      unsafe outside.initialize(to: value)
      unsafe contents.outside = UnsafeMutableRawPointer(outside)
    }
    self.contents = contents
  }

  init(owning contents: Contents) { self.contents = contents }

  deinit { contents.free() }

  /// Passes ownership of the contents to the caller.
  consuming func release() -> Contents {
    let contents = contents
    discard self
    return contents
  }
}

extension CachedBox.Contents {
  /// Creates an empty box.
  init() { self.init(type: Void.self, owner: Void.self, index: -1, isOutside: false, revision: 0) }

  fileprivate func free() {
    guard index >= 0 else { return }
    func free<Value>(_ type: Value.Type) {
      if isOutside {
        unsafe outside.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        unsafe outside.deallocate()
      } else {
        var contents = self
        _ = unsafe withUnsafeMutablePointer(to: &contents) {
          unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        }
      }
    }
    _openExistential(type, do: free)
  }
}
