import FlagEvents

/// What is kept of an event until those of its unit are joined.
struct JoinRecord: Hashable, Sendable {
  let unit: Digest
  /// The digest of a conversion's id; nil for an exposure.
  let conversion: Digest?
  let time: EventTime
  /// The number of the variant, or of the conversion's name.
  let label: Int
  let value: Double
}

extension JoinRecord {
  /// The bytes of a record.
  static let size = 56

  /// Returns the bytes of records.
  static func encoded(_ records: [JoinRecord]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(records.count * size)
    for record in records {
      let id = record.conversion ?? Digest(high: 0, low: 0)
      let label = UInt64(record.label) << 1 | (record.conversion == nil ? 0 : 1)
      let time = UInt64(bitPattern: record.time.microseconds)
      for word in [record.unit.high, record.unit.low, id.high, id.low, time, label, record.value.bitPattern] {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

  /// Returns the records of bytes that are whole ones.
  static func decoded(_ bytes: [UInt8]) -> [JoinRecord] {
    stride(from: 0, to: bytes.count, by: size).map { start in
      func word(_ index: Int) -> UInt64 {
        let first = start + 8 * index
        return (first..<first + 8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
      }
      let label = word(5)
      return JoinRecord(
        unit: Digest(high: word(0), low: word(1)),
        conversion: label & 1 == 0 ? nil : Digest(high: word(2), low: word(3)),
        time: EventTime(microseconds: Int64(bitPattern: word(4))), label: Int(label >> 1),
        value: Double(bitPattern: word(6)))
    }
  }
}
