import FlagDomain
import FlagEvents

/// A compact record of an event for the join, without padding between its parts.
struct JoinRecord: Hashable, Sendable, BitwiseCopyable {
  let unit: Fingerprint
  private let id: Fingerprint
  let time: EventTime
  let value: Double
  /// The label, with the lowest bit set for a conversion.
  private let tag: UInt64

  /// Creates a record; `conversion` is the fingerprint of a conversion's id, and nil for an exposure.
  init(unit: Fingerprint, conversion: Fingerprint?, time: EventTime, label: Int, value: Double) {
    (self.unit, self.time, self.value) = (unit, time, value)
    id = conversion ?? Fingerprint(low: 0, high: 0)
    tag = UInt64(label) << 1 | (conversion == nil ? 0 : 1)
  }

  var conversion: Fingerprint? { tag & 1 == 0 ? nil : id }
  /// The index of the variant, or of the conversion's name.
  var label: Int { Int(tag >> 1) }
}

extension JoinRecord {
  static let size = MemoryLayout<JoinRecord>.stride

  /// Returns the bytes of records, which only this process reads.
  static func encoded(_ records: [JoinRecord]) -> [UInt8] { records.withUnsafeBytes { Array($0) } }

  static func decoded(_ bytes: [UInt8]) -> [JoinRecord] {
    bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: size).map { bytes.loadUnaligned(fromByteOffset: $0, as: JoinRecord.self) }
    }
  }
}
