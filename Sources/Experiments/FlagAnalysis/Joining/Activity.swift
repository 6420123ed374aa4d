/// The conversions of a unit under one name.
struct Activity {
  private(set) var count = 0.0
  private(set) var value = 0.0

  var share: Double { count > 0 ? 1 : 0 }

  mutating func add(_ amount: Double) {
    count += 1
    value += amount
  }

  /// Returns the activity with its value limited by a cap; one without conversions has nothing to limit.
  func capped(at cap: Double) -> Activity {
    var activity = self
    if count > 0, value > cap { activity.value = cap }
    return activity
  }

  func number(_ kind: Metric.Kind) -> Double {
    switch kind {
    case .share: share
    case .count: count
    case .sum: value
    }
  }
}

extension DaySums.Increment {
  /// Creates the change of a unit's activity by a conversion.
  init(from old: Activity, to new: Activity) {
    self.init(
      users: Int(new.share - old.share), count: new.count - old.count,
      countSquares: new.count * new.count - old.count * old.count, sum: new.value - old.value,
      sumSquares: new.value * new.value - old.value * old.value)
  }
}
