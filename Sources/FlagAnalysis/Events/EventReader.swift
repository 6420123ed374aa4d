import FlagDomain
import FlagJSON

/// Reads events from lines of JSON.
package struct EventReader: Sendable {
  /// How many members were passed over, since nothing here knows them.
  package private(set) var unknownMembers = 0
  /// The members of the line that is read, by their numbers.
  private var values = [FlagValue?](repeating: nil, count: Member.allCases.count)

  package init() {}

  fileprivate enum Member: Int, CaseIterable {
    case schema, kind, id, time, flag, variant, value, unit, rate, name, count, version
    // What an analysis has no use for.
    case reason, provider, attributes

    var isUsed: Bool { rawValue < Member.reason.rawValue }

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
  }
}

extension EventReader {
  /// Reads a line, without its end.
  ///
  /// - Throws: An error that says the column, or the member, and what was expected there.
  package mutating func read(_ line: [UInt8]) throws(AnalysisError) -> TrackedEvent {
    for index in values.indices { values[index] = nil }
    do throws(JSONError) {
      unknownMembers += try readMembers(line)
    } catch {
      throw AnalysisError("column \(error.offset + 1): \(error)")
    }
    if let schema = values[.schema], schema != 1 {
      throw AnalysisError("schema: expected 1, found \(schema.excerpt)")
    }
    let kind = try string(.kind)
    switch kind {
    case "exposure": return .exposure(try exposure())
    case "conversion": return .conversion(try conversion())
    case "loss": return .loss(count: try lossCount())
    default: return .other(kind: kind)
    }
  }

  /// Keeps the members that are known, and returns how many others there are.
  private mutating func readMembers(_ line: [UInt8]) throws(JSONError) -> Int {
    try JSONReader.read(line) { reader throws(JSONError) in
      var unknown = 0
      try reader.enterObject()
      while let name = try reader.nextMember() {
        guard let member = Member.byName[name] else {
          unknown += 1
          continue
        }
        if member.isUsed { values[member.rawValue] = try reader.readValue() }
      }
      try reader.finish()
      return unknown
    }
  }
}

extension EventReader {
  private func exposure() throws(AnalysisError) -> TrackedEvent.Exposure {
    let rate = try number(.rate) ?? 1
    guard rate > 0, rate <= 1 else { throw AnalysisError("rate: expected a number above 0 and up to 1, found \(rate)") }
    return TrackedEvent.Exposure(
      flag: try string(.flag), variant: try variant(), unit: try string(.unit), time: try time(), rate: rate,
      version: values[.version] == nil ? nil : try string(.version))
  }

  private func variant() throws(AnalysisError) -> String {
    if values[.variant] != nil { return try string(.variant) }
    guard let value = values[.value] else { throw AnalysisError("variant: expected a string, found nothing") }
    do { return try value.jsonString() } catch { throw AnalysisError("value: \(error.message)") }
  }

  private func conversion() throws(AnalysisError) -> TrackedEvent.Conversion {
    TrackedEvent.Conversion(
      name: try string(.name), unit: try string(.unit), time: try time(), id: try string(.id),
      value: try number(.value) ?? 0)
  }

  private func lossCount() throws(AnalysisError) -> Int {
    guard case .int(let count)? = values[.count], let count = Int(exactly: count), count >= 0 else {
      throw AnalysisError("count: expected a whole number of at least 0, found \(values[.count].excerpt)")
    }
    return count
  }

  private func string(_ member: Member) throws(AnalysisError) -> String {
    guard case .string(let text)? = values[member], !text.isEmpty else {
      throw AnalysisError("\(member): expected a string that is not empty, found \(values[member].excerpt)")
    }
    return text
  }

  private func number(_ member: Member) throws(AnalysisError) -> Double? {
    switch values[member] {
    case nil, .null?: nil
    case .int(let number)?: Double(number)
    case .double(let number)?: number
    case let value?: throw AnalysisError("\(member): expected a number, found \(value.excerpt)")
    }
  }

  private func time() throws(AnalysisError) -> EventTime {
    let text = try string(.time)
    guard let time = EventTime(text) else {
      throw AnalysisError(
        "time: expected one such as 2026-11-22T06:19:25.123Z, found \(FlagValue.string(text).excerpt)")
    }
    return time
  }
}

extension [FlagValue?] {
  fileprivate subscript(member: EventReader.Member) -> FlagValue? { self[member.rawValue] }
}
