import FlagDomain
import FlagEvents
import FlagStatistics

struct UnitJoin {
  private struct Unit {
    var first: EventTime
    /// The variant of the first exposure; of exposures at the same time, the one whose name is first.
    var variant: Int
    var isOfSeveral = false
    /// Whether the unit has a conversion before its first exposure.
    var convertedBefore = false
    /// Whether events of the unit may have been lost.
    var isIncomplete: Bool
  }

  /// The identity of an event, also if two units have events with the same id.
  private struct Event: Hashable {
    let unit: Fingerprint
    let id: Fingerprint

    /// Creates the identity of a conversion; nil for an exposure.
    init?(_ record: JoinRecord) {
      guard record.kind == .conversion else { return nil }
      (unit, id) = (record.unit, record.id)
    }
  }

  /// The ranks of variants and of names of conversions by their texts, which decide between events of the same time.
  struct Ranks {
    let variants: [Int]
    let names: [Int]
  }

  private struct Activity {
    var count = 0.0
    var value = 0.0

    var share: Double { count > 0 ? 1 : 0 }

    mutating func add(_ amount: Double) {
      count += 1
      value += amount
    }
  }

  private let names: Int
  private let ranks: Ranks
  /// The smallest share of units that a tracker kept.
  private let kept: Double
  private let window: ConversionWindow?
  private let measuresBefore: Bool
  private var units: [Unit] = []
  private var numbers: [Fingerprint: Int] = [:]
  /// The activities of each unit, by the index of the name.
  private var activities: [Activity] = []
  /// The activities before the first exposure; empty if they are not measured.
  private var activitiesBefore: [Activity] = []
  private var excluded = ExperimentData.Excluded()
  /// The number of lost events, by the id of the loss.
  private var losses: [Fingerprint: Double] = [:]

  init(names: Int, ranks: Ranks, kept: Double, window: ConversionWindow? = nil, measuresBefore: Bool = false) {
    (self.names, self.ranks, self.kept, self.window, self.measuresBefore) = (names, ranks, kept, window, measuresBefore)
  }
}

extension UnitJoin {
  mutating func join(_ records: [JoinRecord]) {
    for record in records where record.kind == .exposure { expose(record) }
    activities = Array(repeating: Activity(), count: units.count * names)
    if measuresBefore { activitiesBefore = activities }
    let repeated = repeatedConversions(in: records)
    excluded.duplicates += repeated.count
    for (index, record) in records.enumerated() {
      switch record.kind {
      case .exposure: break
      case .conversion: if !repeated.contains(index) { convert(record) }
      case .loss: losses[record.unit] = record.value
      case .incompleteUnit: if let number = numbers[record.unit] { units[number].isIncomplete = true }
      }
    }
  }

  /// Returns the indexes of conversions that do not count, because another one with the same id does.
  ///
  /// The earliest one counts, so that the order of the events does not matter.
  private func repeatedConversions(in records: [JoinRecord]) -> Set<Int> {
    var known: Set<Event> = []
    var first: [Event: Int] = [:]
    for record in records {
      guard let event = Event(record) else { continue }
      if !known.insert(event).inserted { first[event] = -1 }
    }
    if first.isEmpty { return [] }
    known = []
    var repeated: Set<Int> = []
    for (index, record) in records.enumerated() {
      guard let event = Event(record), let other = first[event] else { continue }
      let isFirst = other < 0 || isOrdered(record, records[other])
      if other >= 0 { repeated.insert(isFirst ? other : index) }
      if isFirst { first[event] = index }
    }
    return repeated
  }

  /// Returns whether a conversion is before another one with the same id: by time, then by name and value.
  private func isOrdered(_ record: JoinRecord, _ other: JoinRecord) -> Bool {
    if record.time != other.time { return record.time < other.time }
    guard record.label != other.label else { return record.value < other.value }
    return ranks.names[record.label] < ranks.names[other.label]
  }

  private mutating func expose(_ record: JoinRecord) {
    guard let number = numbers[record.unit] else {
      numbers[record.unit] = units.count
      units.append(Unit(first: record.time, variant: record.label, isIncomplete: record.value >= kept))
      return
    }
    let unit = units[number]
    if unit.variant != record.label { units[number].isOfSeveral = true }
    guard record.time <= unit.first else { return }
    if record.time < unit.first || ranks.variants[record.label] < ranks.variants[unit.variant] {
      (units[number].first, units[number].variant) = (record.time, record.label)
    }
  }

  private mutating func convert(_ record: JoinRecord) {
    guard let number = numbers[record.unit] else {
      excluded.conversionsOfOthers += 1
      return
    }
    let unit = units[number]
    if unit.isOfSeveral { return }
    let index = number * names + record.label
    guard record.time >= unit.first else {
      excluded.conversionsBefore += 1
      units[number].convertedBefore = true
      if measuresBefore { activitiesBefore[index].add(record.value) }
      return
    }
    // The delay is not negative, so that an unsigned integer can hold the difference of any two times.
    let delay = UInt64(bitPattern: record.time.microseconds &- unit.first.microseconds)
    if let window, window.isOver(delay) {
      excluded.conversionsAfter += 1
      return
    }
    activities[index].add(record.value)
  }

  /// Adds the joined units to the variants, and their activities to the groups by variant and name.
  func add(to data: inout ExperimentData, _ groups: inout [[ConversionStatistics]]) {
    data.excluded.duplicates += excluded.duplicates
    data.excluded.conversionsBefore += excluded.conversionsBefore
    data.excluded.conversionsAfter += excluded.conversionsAfter
    data.excluded.conversionsOfOthers += excluded.conversionsOfOthers
    for count in losses.values { data.notes.addLoss(Int(exactly: count) ?? .max) }
    for (number, unit) in units.enumerated() {
      guard !unit.isOfSeveral else {
        data.excluded.usersOfSeveralVariants += 1
        data.variants[unit.variant].usersOfSeveral? += 1
        continue
      }
      data.variants[unit.variant].users += 1
      if unit.isIncomplete { data.variants[unit.variant].incompleteUsers? += 1 }
      if unit.convertedBefore { data.variants[unit.variant].usersBefore? += 1 }
      data.variants[unit.variant].usersByDay[unit.first.day, default: 0] += 1
      for name in 0..<names {
        let activity = activities[number * names + name]
        if measuresBefore {
          let before = activitiesBefore[number * names + name]
          groups[unit.variant][name].before?.shares.add(outcome: activity.share, covariate: before.share)
          groups[unit.variant][name].before?.counts.add(outcome: activity.count, covariate: before.count)
          groups[unit.variant][name].before?.values.add(outcome: activity.value, covariate: before.value)
        }
        groups[unit.variant][name].users += activity.count > 0 ? 1 : 0
        groups[unit.variant][name].counts.add(activity.count)
        groups[unit.variant][name].values.add(activity.value)
      }
    }
  }
}
