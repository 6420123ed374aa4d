import FlagDomain
import FlagEvents
import FlagStatistics

struct UnitJoin {
  private struct Unit {
    var first: EventTime
    var variant: Int
    var isOfSeveral = false
  }

  /// The identity of an event, also if two units have events with the same id.
  private struct Event: Hashable {
    let unit: Fingerprint
    let id: Fingerprint
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
  private let window: ConversionWindow?
  private let measuresBefore: Bool
  private var units: [Unit] = []
  private var numbers: [Fingerprint: Int] = [:]
  /// The activities of each unit, by the index of the name.
  private var activities: [Activity] = []
  /// The activities before the first exposure; empty if they are not measured.
  private var activitiesBefore: [Activity] = []
  private var events: Set<Event> = []
  private var excluded = ExperimentData.Excluded()

  init(names: Int, window: ConversionWindow? = nil, measuresBefore: Bool = false) {
    (self.names, self.window, self.measuresBefore) = (names, window, measuresBefore)
  }
}

extension UnitJoin {
  mutating func join(_ records: [JoinRecord]) {
    for record in records where record.conversion == nil { expose(record) }
    activities = Array(repeating: Activity(), count: units.count * names)
    if measuresBefore { activitiesBefore = activities }
    for record in records {
      guard let id = record.conversion else { continue }
      let event = Event(unit: record.unit, id: id)
      if events.insert(event).inserted { convert(record) } else { excluded.duplicates += 1 }
    }
  }

  private mutating func expose(_ record: JoinRecord) {
    guard let number = numbers[record.unit] else {
      numbers[record.unit] = units.count
      units.append(Unit(first: record.time, variant: record.label))
      return
    }
    units[number].first = min(units[number].first, record.time)
    if units[number].variant != record.label { units[number].isOfSeveral = true }
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
    for (number, unit) in units.enumerated() {
      guard !unit.isOfSeveral else {
        data.excluded.usersOfSeveralVariants += 1
        continue
      }
      data.variants[unit.variant].users += 1
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
