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
    /// A conversion whose unit is unknown, by its own id; the bits of the value are the labels of attributes with which
    /// it is another record.
    case conversionWithoutUnit
    /// An event of a visitor, whose id is in place of the unit, with the unit in place of the event's id; the label is
    /// the variant of an exposure.
    case visit
  }

  let unit: Fingerprint
  /// The fingerprint of a conversion's id; of an exposure, the label of its segment.
  let id: Fingerprint
  let time: EventTime
  let value: Double
  /// The label, then the label of the attribute that the unit is of, and the kind in the lowest bits.
  private let tag: UInt64

  private static let (kindBits, attributeBits): (UInt64, UInt64) = (3, 6)

  init(
    _ kind: Kind, unit: Fingerprint, id: Fingerprint = Fingerprint(low: 0, high: 0),
    time: EventTime = EventTime(microseconds: 0), label: Int = 0, attribute: Int = 0, value: Double = 0
  ) {
    (self.unit, self.id, self.time, self.value) = (unit, id, time, value)
    tag = (UInt64(label) << Self.attributeBits | UInt64(attribute)) << Self.kindBits | kind.rawValue
  }

  var kind: Kind { Kind(rawValue: tag & (1 << Self.kindBits - 1)) ?? .exposure }
  /// The label of the attribute that the unit is of.
  var attribute: Int { Int(tag >> Self.kindBits & (1 << Self.attributeBits - 1)) }
  /// Whether a visit is an exposure, not a conversion.
  var isExposed: Bool { value > 0 }
  /// The label of an exposure's value of the plan's attribute.
  var segment: Int { Int(truncatingIfNeeded: id.low) }
  /// The index of the variant, or of the conversion's name.
  var label: Int { Int(tag >> (Self.kindBits + Self.attributeBits)) }

  /// Returns whether the record is of the attribute that an experiment counts by, or of none in particular.
  func counts(_ counted: Int?) -> Bool {
    switch kind {
    case .exposure, .loss, .incompleteUnit: true
    case .conversion, .visit: attribute == counted || isExposed && kind == .visit
    case .conversionWithoutUnit: counted.map { value.bitPattern & (1 << UInt64($0)) == 0 } ?? true
    }
  }

  static let size = MemoryLayout<JoinRecord>.stride

  /// Returns the bytes of records, which only this process reads.
  static func encoded(_ records: [JoinRecord]) -> [UInt8] { unsafe records.withUnsafeBytes { unsafe Array($0) } }

  static func decoded(_ bytes: [UInt8]) -> [JoinRecord] {
    unsafe bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: size).map {
        unsafe bytes.loadUnaligned(fromByteOffset: $0, as: JoinRecord.self)
      }
    }
  }
}
