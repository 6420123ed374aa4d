import Synchronization

/// A map from enums to the keys of their cases, read without a lock and without reference counting.
///
/// A hash table of lists that only grow, since a program has few enums of flags. It takes the place of a static
/// property of each enum, which a generic type and an extension cannot have.
///
/// Memory safety, hence `@unchecked Sendable`: the pointer to the lists is a `let`. A node and its keys never change
/// after they were published by a compare-exchange with release order, are read with acquire order, and are never
/// freed, since the only map lives until the process ends.
@usableFromInline
final class EnumeratedKeys: @unchecked Sendable {
  static let shared = EnumeratedKeys()
  private static var listCount: Int { 64 }

  private let lists: UnsafeMutablePointer<Atomic<Unmanaged<Node>?>>

  private final class Node: @unchecked Sendable {
    let type: ObjectIdentifier
    let keys: UnsafeMutableBufferPointer<FlagKey?>
    let next: Unmanaged<Node>?

    init(_ keys: [FlagKey?], of type: ObjectIdentifier, before next: Unmanaged<Node>?) {
      self.type = type
      self.next = next
      self.keys = .allocate(capacity: keys.count)
      _ = self.keys.initialize(from: keys)
    }

    deinit {
      keys.deinitialize()
      keys.deallocate()
    }
  }

  private init() {
    lists = .allocate(capacity: Self.listCount)
    for index in 0..<Self.listCount { (lists + index).initialize(to: Atomic(nil)) }
  }

  /// The pattern of a value that is not of one byte, and so not in a table.
  @usableFromInline static var noPattern: Int { -1 }

  /// Returns the byte in which an enum of up to 256 cases without associated values is stored; zero for a single case.
  ///
  /// It differs from case to case and never changes while the program runs.
  @inlinable @inline(__always)
  static func pattern<Case>(of value: Case) -> Int {
    guard MemoryLayout<Case>.size <= 1 else { return -1 }
    return withUnsafeBytes(of: value) { Int($0.first ?? 0) }
  }

  /// Returns the key of an enum's case, or nil if it was not made yet.
  @usableFromInline static func key(of type: ObjectIdentifier, pattern: Int) -> FlagKey? {
    guard let keys = shared.keys(of: type), keys.indices.contains(pattern) else { return nil }
    return keys[pattern]
  }

  func contains(_ type: ObjectIdentifier) -> Bool { keys(of: type) != nil }

  private func keys(of type: ObjectIdentifier) -> UnsafeMutableBufferPointer<FlagKey?>? {
    var node = list(of: type).pointee.load(ordering: .acquiring)
    while let current = node {
      let (known, keys, next) = current._withUnsafeGuaranteedRef { ($0.type, $0.keys, $0.next) }
      if known == type { return keys }
      node = next
    }
    return nil
  }

  /// Stores the keys of an enum's cases by pattern, unless another thread has.
  func note(_ keys: [FlagKey?], of type: ObjectIdentifier) {
    let list = list(of: type)
    while !contains(type) {
      let first = list.pointee.load(ordering: .acquiring)
      let node = Unmanaged.passRetained(Node(keys, of: type, before: first))
      if list.pointee.compareExchange(expected: first, desired: node, ordering: .acquiringAndReleasing).exchanged {
        return
      }
      node.release()
    }
  }

  private func list(of type: ObjectIdentifier) -> UnsafeMutablePointer<Atomic<Unmanaged<Node>?>> {
    // The metadata of types are aligned to at least eight bytes.
    lists + Int(bitPattern: type) >> 3 & (Self.listCount - 1)
  }
}
