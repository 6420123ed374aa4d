import FlagDomain
import FlagEvents
import FlagStatistics
import FlagSupport

struct UnitJoin {
  struct Unit {
    var first: EventTime
    /// The variant of the first exposure; of exposures at the same time, the one whose name is first.
    var variant: Int
    /// The value of the plan's attribute in the first exposure.
    var segment: Int
    var isOfSeveral = false
    /// Whether the unit has a conversion before its first exposure.
    var convertedBefore = false
    /// Whether events of the unit may have been lost.
    var isIncomplete: Bool
  }

  private let layout: JoinLayout
  private var units: [Unit] = []
  private var numbers: [Fingerprint: Int] = [:]
  /// The activities of each unit, by the index of the name.
  private var activities: [Activity] = []
  /// The activities before the first exposure; empty if they are not measured.
  private var activitiesBefore: [Activity] = []
  private var excluded = ExperimentData.Excluded()
  /// The number of lost events, by the id of the loss.
  private var losses: [Fingerprint: Double] = [:]

  init(_ layout: JoinLayout) { self.layout = layout }

  private var names: Int { layout.names.count }

  /// Joins the records of some units, and passes the changes of their activities to the sums by day, if measured.
  mutating func join(_ records: [JoinRecord], days: inout DaySums) {
    for record in records where record.kind == .exposure { expose(record) }
    activities = Array(repeating: Activity(), count: units.count * names)
    if layout.plan.measuresBefore { activitiesBefore = activities }
    let repeated = layout.repeatedConversions(in: records)
    excluded.duplicates += repeated.count
    if layout.plan.measuresDays {
      // A day's sums depend on what the unit did before.
      for index in records.indices.sorted(by: { records[$0].time < records[$1].time }) {
        take(records[index], isRepeated: repeated.contains(index), days: &days)
      }
    } else {
      for (index, record) in records.enumerated() {
        take(record, isRepeated: repeated.contains(index), days: &days)
      }
    }
  }

  private mutating func expose(_ record: JoinRecord) {
    guard let number = numbers[record.unit] else {
      numbers[record.unit] = units.count
      units.append(
        Unit(
          first: record.time, variant: record.label, segment: record.segment,
          isIncomplete: record.value >= layout.kept))
      return
    }
    let unit = units[number]
    if unit.variant != record.label { units[number].isOfSeveral = true }
    guard record.time <= unit.first else { return }
    if record.time < unit.first || layout.isOrdered(record, unit) {
      (units[number].first, units[number].variant) = (record.time, record.label)
      units[number].segment = record.segment
    }
  }

  private mutating func take(_ record: JoinRecord, isRepeated: Bool, days: inout DaySums) {
    switch record.kind {
    case .exposure, .visit: break
    case .conversionWithoutUnit: if !isRepeated { excluded.conversionsOfOthers += 1 }
    case .conversion: if !isRepeated { convert(record, days: &days) }
    case .loss: losses[record.unit] = record.value
    case .incompleteUnit: if let number = numbers[record.unit] { units[number].isIncomplete = true }
    }
  }

  private mutating func convert(_ record: JoinRecord, days: inout DaySums) {
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
      if layout.plan.measuresBefore { activitiesBefore[index].add(record.value) }
      return
    }
    // The delay is not negative, so that an unsigned integer can hold the difference of any two times.
    let delay = UInt64(bitPattern: record.time.microseconds &- unit.first.microseconds)
    if let window = layout.plan.window, window.isOver(delay) {
      excluded.conversionsAfter += 1
      return
    }
    let old = activities[index]
    activities[index].add(record.value)
    guard layout.plan.measuresDays else { return }
    let cap = layout.caps[record.label]
    days.add(
      DaySums.Increment(from: old.capped(at: cap), to: activities[index].capped(at: cap)), on: record.time.day,
      variant: unit.variant, name: record.label)
  }

  /// Passes the value of each unit of one variant with conversions under a name, and the name's label, to a closure.
  func forEachValue(_ body: (Int, Double) -> Void) {
    for (number, unit) in units.enumerated() where !unit.isOfSeveral {
      for name in 0..<names {
        let activity = activities[number * names + name]
        if activity.count > 0 { body(name, activity.value) }
      }
    }
  }

  /// Adds the joined units to the sums.
  mutating func add(to sums: inout JoinSums) {
    sums.excluded.duplicates += excluded.duplicates
    sums.excluded.conversionsBefore += excluded.conversionsBefore
    sums.excluded.conversionsAfter += excluded.conversionsAfter
    sums.excluded.conversionsOfOthers += excluded.conversionsOfOthers
    for count in losses.values { sums.lost = sums.lost.addingSaturated(Int(exactly: count) ?? .max) }
    for (number, unit) in units.enumerated() {
      if unit.isOfSeveral {
        sums.addSeveral(unit.variant)
      } else {
        sums.add(unit, activities, before: activitiesBefore, at: number * names)
      }
    }
  }
}
