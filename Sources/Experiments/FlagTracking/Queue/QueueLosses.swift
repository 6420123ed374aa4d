import FlagDomain
import FlagEvents

/// The events that were lost, and are not reported by an event yet.
struct QueueLosses: Codable, Equatable, Sendable {
  /// The number of events that there was no room for, the share of units that were kept, and the only unit that lost
  /// events.
  struct Dropped: Codable, Equatable, Sendable {
    var count = 0
    var kept: Double?
    var unit: String?

    /// Adds other ones; the unit is kept as long as there is only one.
    mutating func add(_ other: Dropped) {
      guard other.count > 0 else { return }
      let isSame = unit.map(FlagValue.string) == other.unit.map(FlagValue.string)
      unit = count == 0 || isSame ? other.unit : nil
      kept = min(kept ?? 1, other.kept ?? 1)
      count = count.addingClamped(other.count)
    }
  }

  /// The events of units that there was no room for.
  var dropped = Dropped()
  /// The events that could not be written or read, or that the sink refused.
  var refused = 0
  /// The number of events that were tracked meanwhile, lost ones included.
  var tracked = 0

  var count: Int { dropped.count.addingClamped(refused) }

  /// Adds an event that is dropped because the positions of its units are not below a share.
  mutating func drop(_ units: [String], keeping share: Double) {
    let unit = units.count == 1 && units[0].utf8.count <= QueueState.unitBytes ? units[0] : nil
    dropped.add(Dropped(count: 1, kept: share, unit: unit))
  }

  mutating func add(_ other: QueueLosses) {
    dropped.add(other.dropped)
    refused = refused.addingClamped(other.refused)
    tracked = tracked.addingClamped(other.tracked)
  }

  /// The losses for events, one for each kind; the first has the number of tracked events.
  var reports: [TrackedLoss] {
    var (reports, total): ([TrackedLoss], Int?) = ([], max(tracked, count))
    if dropped.count > 0 {
      // An app has one user, whose name says more than a share.
      let kept = dropped.unit == nil ? dropped.kept : nil
      reports.append(TrackedLoss(count: dropped.count, total: total, kept: kept, unit: dropped.unit))
      total = nil
    }
    if refused > 0 { reports.append(TrackedLoss(count: refused, total: total)) }
    return reports
  }
}

extension Int {
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
