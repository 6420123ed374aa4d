import FlagDomain
import FlagEvents
import FlagJSON
import FlagSupport

// The file begins with two slots, of which a change overwrites the older one. A program that is killed meanwhile leaves
// a slot whose checksum is wrong, and the state before the change in the other.
extension QueueState {
  static let slotBytes = 2048
  static let headerBytes = 2 * slotBytes
  /// The maximum length of a unit's name in a slot, in bytes of UTF-8; of a longer one only its position counts.
  static let unitBytes = 128

  /// The offset of the slot that this version belongs to.
  var slotOffset: Int { version % 2 == 0 ? 0 : Self.slotBytes }

  /// The slot: a line of JSON and its checksum, padded with spaces.
  var slot: [UInt8] {
    get throws(FlagError) {
      let json = try FlagValue.object(members).json()
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
    do throws(JSONError) {
      guard case .object(let members) = try FlagValue(json: json) else { return nil }
      self.init(members)
    } catch {
      return nil
    }
  }

  private var members: [String: FlagValue] {
    var members: [String: FlagValue] = ["queue": .int(Int128(version)), "start": .int(Int128(start))]
    members["claim"] = claim.map { ["id": .string($0.id), "end": .int(Int128($0.end))] }
    members["report"] = report.map {
      ["id": .string($0.id), "time": .int(Int128($0.time)), "losses": .object($0.losses.members)]
    }
    if kept < 1 { members["kept"] = .double(kept) }
    if losses != QueueLosses() { members["losses"] = .object(losses.members) }
    if holdsReport { members["holdsReport"] = true }
    return members
  }

  private init?(_ members: [String: FlagValue]) {
    guard let version = members["queue"]?.whole, let start = members["start"]?.whole else { return nil }
    (self.version, self.start) = (version, Int(clamping: start))
    if let claim = members["claim"]?.members {
      guard let id = claim["id"]?.text, let end = claim["end"]?.whole else { return nil }
      self.claim = Claim(id: id, end: Int(clamping: end))
    }
    if let report = members["report"]?.members {
      guard let id = report["id"]?.text, let time = report["time"]?.whole else { return nil }
      self.report = Report(id: id, time: time, losses: QueueLosses(report["losses"]?.members ?? [:]))
    }
    kept = members["kept"]?.number ?? 1
    losses = QueueLosses(members["losses"]?.members ?? [:])
    holdsReport = members["holdsReport"] == true
  }
}

extension QueueLosses {
  fileprivate var members: [String: FlagValue] {
    var members: [String: FlagValue] = ["tracked": .int(Int128(tracked))]
    if dropped.count > 0 { members["dropped"] = .int(Int128(dropped.count)) }
    if refused > 0 { members["refused"] = .int(Int128(refused)) }
    members["kept"] = dropped.kept.map(FlagValue.double)
    members["unit"] = dropped.unit.map(FlagValue.string)
    return members
  }

  fileprivate init(_ members: [String: FlagValue]) {
    let count = { (name: String) in Int(clamping: members[name]?.whole ?? 0) }
    (refused, tracked) = (count("refused"), count("tracked"))
    dropped = TrackedLoss(count: count("dropped"), kept: members["kept"]?.number, unit: members["unit"]?.text)
  }
}

extension FlagValue {
  fileprivate var whole: Int64? { if case .int(let number) = self { Int64(exactly: number) } else { nil } }
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var members: [String: FlagValue]? { if case .object(let members) = self { members } else { nil } }

  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number, _): number
    default: nil
    }
  }
}
