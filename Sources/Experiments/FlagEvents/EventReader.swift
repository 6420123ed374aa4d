package import FlagDomain
import FlagJSON

/// A reader of events from lines of JSON.
package struct EventReader: Sendable {
  /// The origin of the lines.
  package enum Source: Sendable {
    /// A tracker's queue: every event is parsed completely, and one without an id cannot be sent.
    case queue
    /// A file by any writer: an analysis parses the members that it counts, and tolerates missing ones that it does not
    /// need.
    case file
  }

  /// The version of the schema that events are written in.
  static var schema: Int128 { 1 }

  /// The number of events that were skipped because their kind is unknown.
  package private(set) var unknownKinds = 0
  /// The number of members that were skipped because their names are unknown.
  package private(set) var unknownMembers = 0
  private let source: Source
  private let readsAttributes: Bool
  /// The members of the current line, indexed by member.
  private var values = [FlagValue?](repeating: nil, count: Member.allCases.count)

  /// Creates a reader; of a file, it reads the attributes of events only on request.
  package init(_ source: Source, readsAttributes: Bool = false) {
    (self.source, self.readsAttributes) = (source, readsAttributes || source == .queue)
  }

  /// The members of events, in the order in which they are usually written: by name.
  fileprivate enum Member: Int, CaseIterable {
    case attributes, count, error, flag, id, kept, kind, name, of, provider, rate, reason, schema, set, time, unit
    case unitAttribute, units, value, variant, version

    private static let names = allCases.map { "\($0)" }

    /// Whether an analysis reads the member.
    var isCounted: Bool {
      switch self {
      case .attributes, .error, .provider, .reason, .set: false
      default: true
      }
    }

    /// Returns the member with a name; the likely one is compared first, which is faster than hashing names.
    static func named(_ name: String, likely start: Int) -> Member? {
      for distance in 0..<names.count {
        let index = (start + distance) % names.count
        if names[index] == name { return Member(rawValue: index) }
      }
      return nil
    }
  }

  /// Reads a line, without its line ending; returns nil for an event of an unknown kind in a file.
  ///
  /// - Throws: An error that names the column or the member, and the expected value.
  package mutating func read(_ line: [UInt8]) throws(FlagError) -> TrackedEvent? {
    for index in values.indices { values[index] = nil }
    do throws(JSONError) {
      unknownMembers += try readMembers(line)
    } catch {
      throw FlagError(.parseError, "column \(error.offset + 1): \(error)")
    }
    switch values[.schema] {
    case .int(Self.schema)?: break
    case nil where source == .file: break
    default: throw mismatch(.schema, "\(Self.schema)")
    }
    guard let content = try content() else {
      unknownKinds += 1
      return nil
    }
    // A file may omit members that its analysis does not need.
    switch content {
    case .loss where source == .file:
      return TrackedEvent(id: try optionalString(.id) ?? "", time: EventTime(microseconds: 0), content: content)
    case .exposure where source == .file: return TrackedEvent(id: "", time: try time(), content: content)
    default: return TrackedEvent(id: try string(.id), time: try time(), content: content)
    }
  }

  /// Stores the known members, and returns the number of unknown ones.
  private mutating func readMembers(_ line: [UInt8]) throws(JSONError) -> Int {
    try JSONReader.read(line) { reader throws(JSONError) in
      var (unknown, likely) = (0, 0)
      try reader.enterObject()
      while let name = try reader.nextMember() {
        guard let member = Member.named(name, likely: likely) else {
          unknown += 1
          continue
        }
        likely = member.rawValue + 1
        if source == .queue || member.isCounted || (member == .attributes && readsAttributes) {
          values[member.rawValue] = try reader.readValue()
        }
      }
      try reader.finish()
      return unknown
    }
  }

  private func content() throws(FlagError) -> TrackedEvent.Content? {
    switch try string(.kind) {
    case "exposure": .exposure(try exposure())
    case "conversion": .conversion(try conversion())
    case "loss": .loss(try loss())
    case _ where source == .file: nil
    default: throw mismatch(.kind, "an exposure, a conversion or a loss")
    }
  }

  private func exposure() throws(FlagError) -> TrackedExposure {
    let rate = try number(.rate) ?? 1
    guard rate > 0, rate <= 1 else {
      throw FlagError(.parseError, "rate: expected a number above 0 and up to 1, found \(rate)")
    }
    let (flag, variant) = (try string(.flag), try optionalString(.variant))
    if variant == nil, values[.value] == nil { throw mismatch(.variant, "a string") }
    var exposure = TrackedExposure(
      flag: flag, variant: variant, value: variant == nil ? values[.value] : nil, unit: try string(.unit),
      reason: try optionalString(.reason).map { ResolutionReason(rawValue: $0) } ?? .unknown,
      version: try optionalString(.version), rate: rate)
    exposure.unitAttribute = try optionalString(.unitAttribute) ?? EvaluationContext.targetingKeyName
    exposure.units = try units()
    exposure.set = try optionalString(.set)
    exposure.provider = try optionalString(.provider)
    exposure.error = try optionalString(.error).map { FlagError.Code(rawValue: $0) }
    exposure.attributes = attributes
    return exposure
  }

  private func conversion() throws(FlagError) -> Conversion {
    var units = try units()
    if units.isEmpty || values[.unit] != nil { units[EvaluationContext.targetingKeyName] = try string(.unit) }
    return Conversion(name: try string(.name), units: units, value: try number(.value), attributes: attributes)
  }

  private func loss() throws(FlagError) -> TrackedLoss {
    guard let count = try wholeNumber(.count) else { throw mismatch(.count, "a whole number of at least 0") }
    let kept = try number(.kept)
    if let kept, !(0...1).contains(kept) { throw mismatch(.kept, "a number from 0 to 1") }
    return TrackedLoss(count: count, total: try wholeNumber(.of), kept: kept, unit: try optionalString(.unit))
  }

  private func mismatch(_ member: Member, _ expected: String) -> FlagError {
    FlagError(.parseError, "\(member): expected \(expected), found \(values[member].excerpt)")
  }

  /// Returns a text; an event may have an empty one in a queue, but an analysis cannot refer to an empty name.
  private func string(_ member: Member) throws(FlagError) -> String {
    guard case .string(let text)? = values[member], source == .queue || !text.isEmpty else {
      throw mismatch(member, "a string that is not empty")
    }
    return text
  }

  private func optionalString(_ member: Member) throws(FlagError) -> String? {
    values[member] == nil ? nil : try string(member)
  }

  /// Returns the ids by the names of their attributes.
  private func units() throws(FlagError) -> [String: String] {
    guard let value = values[.units] else { return [:] }
    guard case .object(let members) = value else { throw mismatch(.units, "an object of strings") }
    var units: [String: String] = [:]
    for (name, value) in members {
      guard case .string(let unit) = value, source == .queue || !unit.isEmpty else {
        // Engines write a missing member as null.
        if value == .null { continue }
        throw mismatch(.units, "an object of strings that are not empty")
      }
      units[name] = unit
    }
    return units
  }

  private func number(_ member: Member) throws(FlagError) -> Double? {
    switch values[member] {
    case nil, .null?: nil
    case .int(let number)?: Double(number)
    case .double(let number, _)?: number
    default: throw mismatch(member, "a number")
    }
  }

  private func wholeNumber(_ member: Member) throws(FlagError) -> Int? {
    if values[member] == nil { return nil }
    guard case .int(let number)? = values[member], let number = Int(exactly: number), number >= 0 else {
      throw mismatch(member, "a whole number of at least 0")
    }
    return number
  }

  private func time() throws(FlagError) -> EventTime {
    guard let time = EventTime(try string(.time)) else {
      throw mismatch(.time, "one such as 2026-11-22T06:19:25.123Z")
    }
    return time
  }

  private var attributes: [String: FlagValue] {
    if case .object(let members)? = values[.attributes] { members } else { [:] }
  }
}

extension [FlagValue?] {
  fileprivate subscript(member: EventReader.Member) -> FlagValue? { self[member.rawValue] }
}

extension FlagValue {
  /// The value for messages: its JSON, shortened if it is long.
  package var excerpt: String { "\(self)".excerpt }
}

extension FlagValue? {
  package var excerpt: String { self?.excerpt ?? "nothing" }
}
