import FlagStatistics

/// Joins the records of some units.
struct UnitJoin {
  private struct Unit {
    var first: EventTime
    var variant: Int
    var isOfSeveral = false
  }

  /// What tells an event from all others, also where two units have events with one id.
  private struct Event: Hashable {
    let unit: Digest
    let id: Digest
  }

  /// What a unit did under one name.
  private struct Activity {
    var count = 0.0
    var value = 0.0
  }

  /// How many names of conversions there are.
  private let names: Int
  private var units: [Unit] = []
  private var numbers: [Digest: Int] = [:]
  /// The activities of each unit, by the name's number.
  private var activities: [Activity] = []
  private var events: Set<Event> = []
  private var excluded = ExperimentData.Excluded()

  init(names: Int) { self.names = names }
}

extension UnitJoin {
  /// Takes all records of some units.
  mutating func join(_ records: [JoinRecord]) {
    for record in records where record.conversion == nil { expose(record) }
    activities = Array(repeating: Activity(), count: units.count * names)
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
    guard record.time >= unit.first else {
      excluded.conversionsBefore += 1
      return
    }
    activities[number * names + record.label].count += 1
    activities[number * names + record.label].value += record.value
  }

  /// Adds what was joined to the variants, and to what their users did: by variant, and by name.
  func add(to data: inout ExperimentData, _ groups: inout [[ConversionStatistics]]) {
    data.excluded.duplicates += excluded.duplicates
    data.excluded.conversionsBefore += excluded.conversionsBefore
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
        groups[unit.variant][name].users += activity.count > 0 ? 1 : 0
        groups[unit.variant][name].counts.add(activity.count)
        groups[unit.variant][name].values.add(activity.value)
      }
    }
  }
}
