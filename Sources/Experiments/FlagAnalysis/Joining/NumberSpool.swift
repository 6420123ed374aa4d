import FlagFiles

/// Numbers that are stored in a temporary file if they are many, to find the one at a place of their order.
struct NumberSpool {
  private static let size = MemoryLayout<UInt64>.size
  private static let levels = 4
  private static let buckets = 1 << 16

  private let memory: JoinMemory
  /// The keys of the numbers, which are in the same order as these.
  private var buffer: [UInt64] = []
  private var file: TemporaryFile?
  private(set) var count = 0

  init(_ memory: JoinMemory) { self.memory = memory }

  mutating func add(_ number: Double) throws(FileError) {
    buffer.append(Self.key(of: number))
    count += 1
    guard buffer.count >= memory.buffer else { return }
    if file == nil { file = try TemporaryFile(in: memory.directory) }
    try file?.append(buffer.withUnsafeBytes { Array($0) })
    buffer.removeAll(keepingCapacity: true)
  }

  /// Returns the number at a place of the order, from 1 to their count; nil at any other place.
  ///
  /// Each pass counts the numbers by the next 16 bits, so that memory does not depend on how many there are.
  func number(at place: Int) throws(FileError) -> Double? {
    guard (1...max(1, count)).contains(place), count > 0 else { return nil }
    var (prefix, rest) = (UInt64(0), place)
    for level in 1...Self.levels {
      let shift = UInt64(64 - 16 * level)
      var counts = [Int](repeating: 0, count: Self.buckets)
      try forEachKey { key in
        if level == 1 || key >> (shift + 16) == prefix { counts[Int(key >> shift & 0xffff)] += 1 }
      }
      var bucket = 0
      while rest > counts[bucket] {
        rest -= counts[bucket]
        bucket += 1
      }
      prefix = prefix << 16 | UInt64(bucket)
    }
    return Self.number(of: prefix)
  }

  private func forEachKey(_ body: (UInt64) -> Void) throws(FileError) {
    file?.rewind()
    while let bytes = try file?.next(memory.buffer * Self.size), !bytes.isEmpty {
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count, by: Self.size) {
          body(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
      }
    }
    buffer.forEach(body)
  }

  private static func key(of number: Double) -> UInt64 {
    let bits = number.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  private static func number(of key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}

extension JoinLayout {
  /// Sets the largest value of a unit for each name: the quantile of all units with conversions under it.
  mutating func measureCaps(_ quantile: CapQuantile, of partitions: inout Partitions) throws(FileError) {
    var layout = self
    layout.plan.measuresDays = false
    var spools = names.map { _ in NumberSpool(partitions.memory) }
    try partitions.take(keeping: true) { records throws(FileError) in
      var join = UnitJoin(layout)
      var days = DaySums(variants: 0, names: 0)
      join.join(records, days: &days)
      try join.forEachValue { name, value throws(FileError) in try spools[name].add(value) }
    }
    for (name, spool) in spools.enumerated() {
      caps[name] = try spool.number(at: quantile.place(among: spool.count)) ?? .infinity
    }
  }
}
