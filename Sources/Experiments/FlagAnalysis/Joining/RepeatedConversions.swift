import FlagDomain
import FlagEvents
import FlagSupport

/// The identity of an event, also if two units have events with the same id.
private struct EventIdentity: Hashable {
  let unit: Fingerprint
  let id: Fingerprint

  /// Creates the identity of a conversion; nil for any other record.
  init?(_ record: JoinRecord) {
    guard record.kind == .conversion || record.kind == .conversionWithoutUnit else { return nil }
    (unit, id) = (record.unit, record.id)
  }
}

extension JoinLayout {
  /// Returns the indexes of conversions that do not count, because another one with the same id does.
  ///
  /// The earliest one counts, so that the order of the events does not matter.
  func repeatedConversions(in records: [JoinRecord]) -> Set<Int> {
    var first = repeatedIdentities(in: records)
    if first.isEmpty { return [] }
    var repeated: Set<Int> = []
    for (index, record) in records.enumerated() {
      guard let event = EventIdentity(record), let other = first[event] else { continue }
      let isFirst = other < 0 || isOrdered(record, records[other])
      if other >= 0 { repeated.insert(isFirst ? other : index) }
      if isFirst { first[event] = index }
    }
    return repeated
  }

  /// Returns the identities that occur several times, each with -1; they are few, unlike all identities.
  private func repeatedIdentities(in records: [JoinRecord]) -> [EventIdentity: Int] {
    var known: Set<EventIdentity> = []
    var repeated: [EventIdentity: Int] = [:]
    for record in records {
      guard let event = EventIdentity(record) else { continue }
      if !known.insert(event).inserted { repeated[event] = -1 }
    }
    return repeated
  }

  /// Returns whether a conversion is before another one with the same id: by time, then by name and value.
  private func isOrdered(_ record: JoinRecord, _ other: JoinRecord) -> Bool {
    if record.time != other.time { return record.time < other.time }
    guard record.label != other.label else { return record.value < other.value }
    return ranks.names[record.label] < ranks.names[other.label]
  }

  /// Returns whether an exposure is before the first one of a unit at the same time: by variant, then by segment.
  func isOrdered(_ exposure: JoinRecord, _ unit: UnitJoin.Unit) -> Bool {
    guard exposure.label == unit.variant else {
      return ranks.variants[exposure.label] < ranks.variants[unit.variant]
    }
    return exposure.segment != unit.segment && ranks.segments[exposure.segment] < ranks.segments[unit.segment]
  }
}
