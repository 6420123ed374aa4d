import FlagDomain
import FlagFiles
import FlagSupport

/// Records partitioned by a hash of their unit: all records of a unit are together, and a partition fits into memory.
///
/// Records that exceed the buffers go into temporary files, which no other process can open.
struct Partitions {
  private static let bits = 6
  private static let count = 1 << bits
  /// The maximum depth of nested partitions; a partition at this depth is not split, since it may be of one unit alone.
  private static let maximumLevel = 4

  private let memory: JoinMemory
  private let level: Int
  private var buffers = [[JoinRecord]](repeating: [], count: count)
  private var files = [TemporaryFile?](repeating: nil, count: count)

  init(_ memory: JoinMemory, level: Int = 0) { (self.memory, self.level) = (memory, level) }
}

/// The memory limits of a join, and the folder for its temporary files.
package struct JoinMemory: Hashable, Sendable {
  /// The folder for temporary files, which are deleted when they are closed.
  package var directory: String
  /// The maximum number of records in memory for each of 64 partitions.
  package var buffer: Int
  /// The maximum number of records that are joined at a time.
  package var batch: Int

  /// Creates limits, by default about 15 MB for the buffers, and 100 MB for the join.
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

  /// Passes all records to a closure, those of a unit in one call, and releases them unless they are kept.
  mutating func take(keeping: Bool = false, _ body: ([JoinRecord]) throws(FileError) -> Void) throws(FileError) {
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
      if keeping { file?.rewind() } else { (files[index], buffers[index]) = (nil, []) }
      if inner == nil { try body(records) } else { try inner?.take(body) }
    }
  }
}
