import FlagDomain
import FlagEvents
import FlagSupport

/// A compact record of an event for the join, without padding between its parts.
struct JoinRecord: Hashable, Sendable, BitwiseCopyable {
  enum Kind: UInt64 {
    /// An exposure of the unit to the variant of the label; the value is the unit's position among all units.
    case exposure
    /// A conversion under the name of the label.
    case conversion
    /// A loss of events, as many as the value; in place of a unit it has the loss's own id.
    case loss
    /// A unit whose events are incomplete.
    case incompleteUnit
  }

  let unit: Fingerprint
  /// The fingerprint of a conversion's id; of an exposure, the label of its segment.
  let id: Fingerprint
  let time: EventTime
  let value: Double
  /// The label, with the kind in the lowest bits.
  private let tag: UInt64

  init(
    _ kind: Kind, unit: Fingerprint, id: Fingerprint = Fingerprint(low: 0, high: 0),
    time: EventTime = EventTime(microseconds: 0), label: Int = 0, value: Double = 0
  ) {
    (self.unit, self.id, self.time, self.value) = (unit, id, time, value)
    tag = UInt64(label) << 2 | kind.rawValue
  }

  var kind: Kind { Kind(rawValue: tag & 3) ?? .exposure }
  /// The label of an exposure's value of the plan's attribute.
  var segment: Int { Int(truncatingIfNeeded: id.low) }
  /// The index of the variant, or of the conversion's name.
  var label: Int { Int(tag >> 2) }
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
