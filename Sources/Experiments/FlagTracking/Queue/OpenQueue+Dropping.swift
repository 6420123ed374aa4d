import FlagDomain
import FlagEvents

extension OpenQueue {
  /// Appends events within limits, records losses, and returns the number of events that were dropped.
  ///
  /// If there is no room, the share of units whose events are kept is halved until there is: the events of all other
  /// units are removed, except from a batch that is being sent, and refused until all others, and then the loss, have
  /// been sent. So what is left is a sample of whole units, which does not depend on what the units did.
  mutating func add(
    _ new: [QueueLine], _ losses: QueueLosses, limit: Int, events: Int = .max
  ) throws(FlagError) -> Int {
    var (lines, losses, kept) = (new, losses, state.kept)
    let before = losses.count
    if unsentBytes == 0, !isReportDue { kept = 1 }
    lines.drop(keeping: kept, &losses)
    let count = events == .max ? 0 : try unsentLines.count + lines.count
    if count <= events, unsentBytes + lines.weight <= limit {
      try append(lines)
      try change { $0.accept(keeping: kept, losses) }
    } else {
      let sent = state.claim?.end ?? state.start
      let claimed = try read(from: state.start, to: sent)
      lines = try self.lines(from: sent, to: size) + lines
      let claimedEvents = claimed.count { $0 == Self.lineFeed }
      let share = lines.drop(
        to: limit - claimed.count, events: events - claimedEvents, below: kept, &losses)
      if losses.count > before { kept = share }
      try replace(with: claimed + lines.fileBytes) { state in
        state.claim?.end = claimed.count
        state.accept(keeping: kept, losses)
      }
    }
    return losses.count - before
  }

  /// Removes the events of a unit, also from a batch that is being sent.
  mutating func remove(_ unit: String) throws(FlagError) {
    guard size > 0 || state.losses.count > 0 || state.report != nil else { return }
    let isOther = { (line: QueueLine) in !line.names(unit) }
    let sent = state.claim?.end ?? state.start
    let claimed = try lines(from: state.start, to: sent).filter(isOther)
    let others = try lines(from: sent, to: size).filter(isOther)
    try replace(with: (claimed + others).fileBytes) { state in
      state.claim?.end = claimed.weight
      if claimed.isEmpty { state.claim = nil }
      state.losses.forget(unit)
      state.report?.losses.forget(unit)
    }
  }
}

extension QueueState {
  fileprivate mutating func accept(keeping share: Double, _ other: QueueLosses) {
    kept = share
    losses.add(other)
  }
}

extension QueueLosses {
  /// Removes the name of a unit.
  mutating func forget(_ unit: String) {
    if dropped.unit.map(FlagValue.string) == .string(unit) { dropped.unit = nil }
  }
}
