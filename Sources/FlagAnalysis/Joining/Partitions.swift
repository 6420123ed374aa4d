import FlagDomain
import FlagFiles

/// Records by a hash of their unit, so that all of a unit are together, and a part of all units fits into memory.
///
/// What does not fit into buffers goes into files, which no one else can open.
struct Partitions {
  private static let bits = 6
  private static let count = 1 << bits
  /// Partitions of partitions of ...: beyond that a partition is taken as it is, since it may be of one unit alone.
  private static let maximumLevel = 4

  private let memory: JoinMemory
  private let level: Int
  private var buffers = [[JoinRecord]](repeating: [], count: count)
  private var files = [TemporaryFile?](repeating: nil, count: count)

  init(_ memory: JoinMemory, level: Int = 0) { (self.memory, self.level) = (memory, level) }
}

/// How much memory joining may take, and what is to be used instead.
package struct JoinMemory: Hashable, Sendable {
  /// Where files are made that are gone when they are closed.
  package var directory: String
  /// How many records of each of 64 partitions are kept in memory.
  package var buffer: Int
  /// How many records are joined at a time.
  package var batch: Int

  /// Takes some 15 MB for the buffers, and 100 MB for the join.
  package init(directory: String, buffer: Int = 4096, batch: Int = 500_000) {
    (self.directory, self.buffer, self.batch) = (directory, buffer, batch)
  }
}

extension Partitions {
  mutating func add(_ record: JoinRecord) throws(FileError) {
    let index = Int(truncatingIfNeeded: record.unit.low >> UInt64(level * Self.bits)) & (Self.count - 1)
    buffers[index].append(record)
    guard buffers[index].count >= memory.buffer else { return }
    if files[index] == nil { files[index] = try TemporaryFile(in: memory.directory) }
    try files[index]?.append(JoinRecord.encoded(buffers[index]))
    buffers[index].removeAll(keepingCapacity: true)
  }

  /// Hands all records over, those of a unit at once, and lets go of them.
  mutating func take(_ body: ([JoinRecord]) -> Void) throws(FileError) {
    for index in 0..<Self.count {
      let file = files[index]
      let count = (file?.count ?? 0) / JoinRecord.size + buffers[index].count
      var records: [JoinRecord] = []
      var inner = count > memory.batch && level < Self.maximumLevel ? Partitions(memory, level: level + 1) : nil
      if inner == nil { records.reserveCapacity(count) }
      while let bytes = try file?.next(memory.buffer * JoinRecord.size), !bytes.isEmpty {
        for record in JoinRecord.decoded(bytes) {
          if inner == nil { records.append(record) } else { try inner?.add(record) }
        }
      }
      for record in buffers[index] {
        if inner == nil { records.append(record) } else { try inner?.add(record) }
      }
      (files[index], buffers[index]) = (nil, [])
      if inner == nil { body(records) } else { try inner?.take(body) }
    }
  }
}
