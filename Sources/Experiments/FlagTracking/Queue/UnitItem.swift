import FlagDomain
import FlagEvents

/// An event or a line, which is kept or dropped together with all others of its units.
///
/// An exposure is of one unit. A conversion is of several, a user and a company, and is kept as long as one of them is:
/// so each unit that is kept is complete.
protocol UnitItem {
  /// The units; none for an item that is never dropped: a loss, or a line that cannot be read.
  var countedUnits: [String] { get }
  /// The room that it takes.
  var weight: Int { get }
}

extension TrackedEvent: UnitItem {
  var countedUnits: [String] {
    switch content {
    case .exposure(let exposure): [exposure.unit]
    case .conversion(let conversion): Array(Set(conversion.units.values))
    case .loss: []
    }
  }

  /// All whom the event names.
  var namedUnits: [String] {
    if case .exposure(let exposure) = content { return [exposure.unit] + exposure.units.values }
    return countedUnits
  }

  var weight: Int { 1 }
}

extension QueueLine: UnitItem {
  var countedUnits: [String] { units }
  /// The bytes in a file, with the line feed.
  var weight: Int { bytes.count + 1 }
}

extension Array where Element: UnitItem {
  var weight: Int { reduce(0) { $0 + $1.weight } }

  /// Removes the items of all units but a share of them, and counts them as lost.
  mutating func drop(keeping share: Double, _ losses: inout QueueLosses) {
    guard share < 1 else { return }
    removeAll { item in
      let units = item.countedUnits
      guard !units.isEmpty, units.allSatisfy({ TrackedLoss.position(of: $0) >= share }) else { return false }
      losses.drop(units, keeping: share)
      return true
    }
  }

  /// Drops the items of whole units until limits are met, and returns the share of units that was kept.
  ///
  /// The share is halved, beginning with a first one; it is 0 if no share is small enough.
  mutating func drop(
    to limit: Int, events: Int = .max, below first: Double, _ losses: inout QueueLosses
  ) -> Double {
    var sizes = map { item in
      (position: item.countedUnits.map(TrackedLoss.position).min() ?? -1, weight: item.weight)
    }
    var share = first
    sizes.removeAll { $0.position >= share }
    while share > 0, sizes.count > events || sizes.reduce(0, { $0 + $1.weight }) > limit {
      share = share > 0x1p-20 ? share / 2 : 0
      sizes.removeAll { $0.position >= share }
    }
    drop(keeping: share, &losses)
    return share
  }
}
