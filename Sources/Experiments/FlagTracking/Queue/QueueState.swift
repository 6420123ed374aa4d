import FlagDomain
import FlagEvents
import FlagJSON
import FlagSupport

/// The state of a queue: the events that are sent already, the batch that is being sent, and what was lost.
///
/// Offsets count bytes of events, from the first one in the file.
struct QueueState: Codable, Equatable, Sendable {
  /// A batch of events that belongs to one id until it is sent.
  struct Claim: Codable, Equatable, Sendable {
    var id: String
    var end: Int
  }

  /// Losses that are being sent as a batch.
  struct Report: Codable, Equatable, Sendable {
    var id: String
    /// The time, in milliseconds since the beginning of 1970.
    var time: Int64
    var losses: QueueLosses
  }

  /// The number of changes until now, by which the newer of two states is known.
  var version: Int64 = 0
  /// The offset of the first event that is not sent.
  var start = 0
  var claim: Claim?
  var report: Report?
  /// The share of units whose events are accepted.
  var kept = 1.0
  var losses = QueueLosses()
  /// Whether losses are not reported until something else is delivered, since the sink refused the last report.
  var holdsReport = false
}

// The file begins with two slots, of which a change overwrites the older one. A program that is killed meanwhile leaves
// a slot whose checksum is wrong, and the state before the change in the other.
extension QueueState {
  static let slotBytes = 4096
  static let headerBytes = 2 * slotBytes
  /// The maximum length of a unit's name in a slot, in bytes of UTF-8; of a longer one only its position counts.
  static let unitBytes = 128

  /// The offset of the slot that this version belongs to.
  var slotOffset: Int { version % 2 == 0 ? 0 : Self.slotBytes }

  /// The slot: a line of JSON and its checksum, padded with spaces.
  var slot: [UInt8] {
    get throws(FlagError) {
      let json = try FlagValue(encoding: self).json()
      var slot = json + Array(" \(Fingerprint(of: json))".utf8)
      guard slot.count < Self.slotBytes else {
        throw .tracking("expected a short state of a queue, found \(slot.count) bytes")
      }
      slot += [UInt8](repeating: UInt8(ascii: " "), count: Self.slotBytes - 1 - slot.count)
      return slot + [UInt8(ascii: "\n")]
    }
  }

  /// The beginning of a new file: the state, and an empty slot.
  var header: [UInt8] {
    get throws(FlagError) {
      let other = [UInt8](repeating: UInt8(ascii: " "), count: Self.slotBytes - 1) + [UInt8(ascii: "\n")]
      return slotOffset == 0 ? try slot + other : try other + slot
    }
  }

  /// Reads the newer state of a file's beginning; nil if there is none.
  init?(header: [UInt8]) {
    guard header.count >= Self.headerBytes else { return nil }
    let states = [header[..<Self.slotBytes], header[Self.slotBytes..<Self.headerBytes]].compactMap { Self(slot: $0) }
    guard let newest = states.max(by: { $0.version < $1.version }) else { return nil }
    self = newest
  }

  private init?(slot: ArraySlice<UInt8>) {
    guard let end = slot.lastIndex(of: UInt8(ascii: "}")) else { return nil }
    let json = Array(slot[slot.startIndex...end])
    let check = String(decoding: slot[(end + 1)...], as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard check == ["\(Fingerprint(of: json))"] else { return nil }
    do {
      self = try FlagValue(json: json).decode(as: Self.self)
    } catch {
      return nil
    }
  }
}
