import Synchronization

/// A map from keys to the keys derived from them, read without a lock and without reference counting.
///
/// A hash table of lists that only grow: keys' numbers are small and dense, so their low bits are the hash.
///
/// Memory safety, hence `@unchecked Sendable`: the pointer to the lists is a `let`. A node never changes; it is
/// published by a compare-exchange with release order, read with acquire order, and freed in `deinit`, when no thread
/// can be inside a method, since the caller retains the table.
package final class DerivedKeys: @unchecked Sendable {
  private let lists: UnsafeMutablePointer<Atomic<Unmanaged<Node>?>>
  private static var listCount: Int { 256 }

  private final class Node: Sendable {
    let key: FlagKey
    let derived: FlagKey
    let next: Unmanaged<Node>?

    init(_ derived: FlagKey, of key: FlagKey, before next: Unmanaged<Node>?) {
      self.key = key
      self.derived = derived
      self.next = next
    }
  }

  package init() {
    lists = .allocate(capacity: Self.listCount)
    for index in 0..<Self.listCount { (lists + index).initialize(to: Atomic(nil)) }
  }

  deinit {
    for index in 0..<Self.listCount {
      var node = lists[index].load(ordering: .acquiring)
      while let last = node {
        node = last._withUnsafeGuaranteedRef { $0.next }
        last.release()
      }
    }
    lists.deinitialize(count: Self.listCount)
    lists.deallocate()
  }

  /// Returns the key that was derived from a key, or nil if there is no such key yet.
  package func key(of key: FlagKey) -> FlagKey? {
    var node = lists[key.index % Self.listCount].load(ordering: .acquiring)
    while let current = node {
      let (known, derived, next) = current._withUnsafeGuaranteedRef { ($0.key, $0.derived, $0.next) }
      if known == key { return derived }
      node = next
    }
    return nil
  }

  /// Stores the key derived from a key; all threads derive the same one.
  package func note(_ derived: FlagKey, of key: FlagKey) {
    let list = lists + key.index % Self.listCount
    while self.key(of: key) == nil {
      let first = list.pointee.load(ordering: .acquiring)
      let node = Unmanaged.passRetained(Node(derived, of: key, before: first))
      if list.pointee.compareExchange(expected: first, desired: node, ordering: .acquiringAndReleasing).exchanged {
        return
      }
      node.release()
    }
  }
}
