package import Synchronization

/// A list of keys with values to which others are only added, read without a lock and without reference counting.
///
/// Memory safety: a node never changes. It is published by a compare-exchange with release order, read with acquire
/// order, and released in `deinit`, when no thread can be inside a method, since that borrows the list.
@safe
package struct GrowingList<Key: Equatable & Sendable, Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let last = unsafe Atomic<Unmanaged<Node>?>(nil)

  @safe @usableFromInline
  final class Node: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let value: Value
    @safe @usableFromInline let previous: Unmanaged<Node>?

    @inlinable
    init(_ value: Value, for key: Key, after previous: Unmanaged<Node>?) {
      unsafe (self.key, self.value, self.previous) = (key, value, previous)
    }
  }

  package init() {}

  deinit {
    var node = unsafe last.load(ordering: .acquiring)
    while let current = unsafe node {
      unsafe node = current._withUnsafeGuaranteedRef { $0.previous }
      unsafe current.release()
    }
  }

  /// Returns whether a key has a value.
  @inlinable
  package func contains(_ key: Key) -> Bool { unsafe node(of: key, upTo: last.load(ordering: .acquiring)) != nil }

  /// Returns the value of a key, or nil if there is none yet.
  @inlinable
  package func value(of key: Key) -> Value? {
    unsafe node(of: key, upTo: last.load(ordering: .acquiring))?._withUnsafeGuaranteedRef { $0.value }
  }

  /// Adds the value of a key, and returns true, unless the key has one.
  @inlinable
  package func add(_ value: Value, for key: Key) -> Bool {
    var previous = unsafe last.load(ordering: .acquiring)
    while unsafe node(of: key, upTo: previous) == nil {
      let node = unsafe Unmanaged.passRetained(Node(value, for: key, after: previous))
      let (isAdded, now) = unsafe last.compareExchange(
        expected: previous, desired: node, ordering: .acquiringAndReleasing)
      if isAdded { return true }
      unsafe node.release()
      unsafe previous = now
    }
    return false
  }

  /// The keys and values, from the first one that was added.
  package var elements: [(key: Key, value: Value)] {
    var elements: [(Key, Value)] = []
    var node = unsafe last.load(ordering: .acquiring)
    while let current = unsafe node {
      unsafe node = current._withUnsafeGuaranteedRef { node in
        elements.append((node.key, node.value))
        return node.previous
      }
    }
    return elements.reversed()
  }

  @inlinable
  func node(of key: Key, upTo last: Unmanaged<Node>?) -> Unmanaged<Node>? {
    var node = unsafe last
    while let current = unsafe node, unsafe current._withUnsafeGuaranteedRef({ $0.key != key }) {
      unsafe node = current._withUnsafeGuaranteedRef { $0.previous }
    }
    return unsafe node
  }
}

/// A hash table of growing lists; the caller computes the hashes, whose low bits choose the list.
///
/// Memory safety, hence `@unchecked Sendable`: the pointer to the lists is a `let`. They are initialized in `init`, and
/// freed in `deinit`, when no thread can be inside a method, since the caller retains the map.
@safe
package final class GrowingMap<Key: Equatable & Sendable, Value: Sendable>: @unchecked Sendable {
  @usableFromInline let lists: UnsafeMutablePointer<GrowingList<Key, Value>>
  @usableFromInline let mask: Int

  /// Creates an empty map of a number of lists, which is a power of two.
  package init(listCount: Int) {
    mask = listCount - 1
    unsafe lists = .allocate(listCount) { GrowingList() }
  }

  deinit { unsafe lists.free(count: mask + 1) }

  /// Returns the value of a key, or nil if there is none yet.
  @inlinable
  package func value(of key: Key, hash: Int) -> Value? { unsafe lists[hash & mask].value(of: key) }

  /// Adds the value of a key, and returns true, unless the key has one.
  @inlinable
  package func add(_ value: Value, for key: Key, hash: Int) -> Bool { unsafe lists[hash & mask].add(value, for: key) }

  /// The keys and values.
  package var elements: [(key: Key, value: Value)] { (0...mask).flatMap { unsafe lists[$0].elements } }
}
