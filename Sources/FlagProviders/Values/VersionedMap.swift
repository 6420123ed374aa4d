/// A dictionary whose versions share what did not change: a change copies a few dozen entries, whatever the size.
///
/// It is a tree by the bits of the keys' hashes, whose leaves are small dictionaries.
struct VersionedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  fileprivate enum Node: Sendable {
    case leaf([Key: Value])
    case branch([Node])
  }

  fileprivate static var bits: Int { 4 }
  fileprivate static var leafLimit: Int { 16 }

  private var root = Node.leaf([:])

  init() {}

  init(_ entries: [Key: Value]) { root = Node(entries, depth: 0) }

  subscript(key: Key) -> Value? {
    get { root.value(of: key, hash: key.hashValue) }
    set { root.set(newValue, for: key, hash: key.hashValue, depth: 0) }
  }

  var isEmpty: Bool { if case .leaf(let entries) = root { entries.isEmpty } else { false } }

  /// All entries, collected at each call.
  var entries: [Key: Value] {
    var entries: [Key: Value] = [:]
    root.collect(into: &entries)
    return entries
  }
}

extension VersionedMap.Node {
  /// The index of a hash among the children at a depth, until its bits are used up.
  private static func index(_ hash: Int, _ depth: Int) -> Int {
    (hash >> (depth * VersionedMap.bits)) & (1 << VersionedMap.bits - 1)
  }

  fileprivate init(_ entries: [Key: Value], depth: Int) {
    guard entries.count > VersionedMap.leafLimit, (depth + 1) * VersionedMap.bits <= Int.bitWidth else {
      self = .leaf(entries)
      return
    }
    var parts = [[Key: Value]](repeating: [:], count: 1 << VersionedMap.bits)
    for (key, value) in entries { parts[Self.index(key.hashValue, depth)][key] = value }
    self = .branch(parts.map { Self($0, depth: depth + 1) })
  }

  fileprivate func value(of key: Key, hash: Int) -> Value? {
    var (node, depth) = (self, 0)
    while true {
      switch node {
      case .leaf(let entries): return entries[key]
      case .branch(let children): (node, depth) = (children[Self.index(hash, depth)], depth + 1)
      }
    }
  }

  fileprivate mutating func set(_ value: Value?, for key: Key, hash: Int, depth: Int) {
    switch self {
    case .leaf(var entries):
      entries[key] = value
      self = Self(entries, depth: depth)
    case .branch(var children):
      children[Self.index(hash, depth)].set(value, for: key, hash: hash, depth: depth + 1)
      self = .branch(children)
    }
  }

  fileprivate func collect(into all: inout [Key: Value]) {
    switch self {
    case .leaf(let entries): all.merge(entries) { first, _ in first }
    case .branch(let children): for child in children { child.collect(into: &all) }
    }
  }
}
