import FlagDomain
import FlagEvents

/// What is kept of an event until those of its unit are joined.
struct JoinRecord: Hashable, Sendable {
  let unit: Fingerprint
  /// The fingerprint of a conversion's id; nil for an exposure.
  let conversion: Fingerprint?
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
      let id = record.conversion ?? Fingerprint(low: 0, high: 0)
      let label = UInt64(record.label) << 1 | (record.conversion == nil ? 0 : 1)
      let time = UInt64(bitPattern: record.time.microseconds)
      for word in [record.unit.low, record.unit.high, id.low, id.high, time, label, record.value.bitPattern] {
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
        unit: Fingerprint(low: word(0), high: word(1)),
        conversion: label & 1 == 0 ? nil : Fingerprint(low: word(2), high: word(3)),
        time: EventTime(microseconds: Int64(bitPattern: word(4))), label: Int(label >> 1),
        value: Double(bitPattern: word(6)))
    }
  }
}
