import FlagStatistics

/// The increments of each day to the sums over units.
struct DaySums {
  /// The maximum number of days, about eleven years.
  private static let maximumDays = 4_000

  /// The change of the sums under one name.
  struct Increment {
    var users = 0
    var count = 0.0
    var countSquares = 0.0
    var sum = 0.0
    var sumSquares = 0.0

    mutating func add(_ other: Increment) {
      users += other.users
      count += other.count
      countSquares += other.countSquares
      sum += other.sum
      sumSquares += other.sumSquares
    }
  }

  private let variants: Int
  private let names: Int
  /// The increments by day, and by variant and name.
  private var increments: [Int: [Increment]] = [:]
  private var isOverMaximum = false

  init(variants: Int, names: Int) { (self.variants, self.names) = (variants, names) }

  mutating func add(_ increment: Increment, on day: Int, variant: Int, name: Int) {
    if increments[day] == nil {
      guard increments.count < Self.maximumDays else {
        isOverMaximum = true
        return
      }
      increments[day] = Array(repeating: Increment(), count: variants * names)
    }
    increments[day]?[variant * names + name].add(increment)
  }

  /// Returns the data of some of the variants by the end of each day.
  func cumulated(
    _ all: [ExperimentData.Variant], _ kept: [Int], _ labels: [String]
  ) throws(AnalysisError) -> [ExperimentData.Day] {
    let known = Set(all.flatMap(\.usersByDay.keys)).union(increments.keys)
    guard !isOverMaximum, known.count <= Self.maximumDays else {
      throw AnalysisError("expected events of at most \(Self.maximumDays) days for effects over time, found more")
    }
    var totals = Array(repeating: Increment(), count: variants * names)
    var users = Array(repeating: 0, count: variants)
    var days: [ExperimentData.Day] = []
    for day in known.sorted() {
      for index in all.indices { users[index] += all[index].usersByDay[day] ?? 0 }
      for (index, increment) in (increments[day] ?? []).enumerated() { totals[index].add(increment) }
      var variants: [ExperimentData.Variant] = []
      for index in kept {
        var variant = ExperimentData.Variant(name: all[index].name, users: users[index])
        for (name, label) in labels.enumerated() where totals[index * names + name].users > 0 {
          variant.conversions[label] = try totals[index * names + name].statistics(of: users[index])
        }
        variants.append(variant)
      }
      days.append(ExperimentData.Day(day: day, variants: variants))
    }
    return days
  }
}

extension DaySums.Increment {
  fileprivate func statistics(of total: Int) throws(AnalysisError) -> ConversionStatistics {
    func sample(_ sum: Double, _ squares: Double) throws(StatisticsError) -> SampleStatistics {
      // Sums of differences may be below the least possible squares by their rounding error.
      try SampleStatistics(count: total, sum: sum, sumOfSquares: max(squares, sum / Double(total) * sum))
    }
    do {
      return ConversionStatistics(
        users: users, counts: try sample(count, countSquares), values: try sample(self.sum, sumSquares))
    } catch {
      throw AnalysisError("values are too large for effects over time: their squares cannot be added up")
    }
  }
}
