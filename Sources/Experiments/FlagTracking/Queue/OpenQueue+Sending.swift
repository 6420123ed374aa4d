import FlagDomain
import FlagEvents

extension OpenQueue {
  /// Returns the batch that is being sent, or makes one of the oldest events; nil if there are none.
  ///
  /// The batch is recorded before it is returned: until it is finished, its events are sent under no other id. Losses
  /// are reported by a batch of their own once all other events are sent.
  mutating func nextBatch(
    within limits: QueueBatch.Limits, now: Int64, makeID: () -> String
  ) throws(FlagError) -> QueueBatch? {
    while state.report == nil, state.claim == nil, unsentBytes > 0 {
      let span = try nextSpan(within: limits)
      let claim = QueueState.Claim(id: makeID(), end: state.start + span.end)
      try change { state in
        if span.events > 0 { state.claim = claim } else { state.start = claim.end }
      }
    }
    if state.report == nil, state.claim == nil, isReportDue {
      let report = QueueState.Report(id: makeID(), time: now, losses: state.losses)
      try change { ($0.report, $0.losses) = (report, QueueLosses()) }
    }
    if let report = state.report {
      return QueueBatch(id: report.id, lines: try report.events.map { event throws(FlagError) in try event.line() })
    }
    guard let claim = state.claim else { return nil }
    return QueueBatch(id: claim.id, lines: try events(from: state.start, to: claim.end))
  }

  /// Whether the loss of events is reported, or will be as soon as all others are sent.
  var isReportDue: Bool { state.report != nil || state.losses.count > 0 && !state.holdsReport }

  /// Removes a batch that needs not be sent again, of which the sink has accepted all events but those that are lost.
  ///
  /// Nothing is changed if another process has removed it.
  mutating func finish(_ id: String, isDelivered: Bool, lost: Int) throws(FlagError) {
    if let report = state.report, report.id == id {
      try change { state in
        (state.report, state.kept) = (nil, 1)
        state.holdsReport = !isDelivered
        if !isDelivered { state.losses.add(report.losses) }
      }
    } else if let claim = state.claim, claim.id == id {
      try advance(to: claim.end) { state in
        if isDelivered { state.holdsReport = false }
        state.losses.refused = state.losses.refused.addingClamped(lost)
      }
    }
  }

  /// Divides a batch in halves, of which the first has a new id; returns whether it has more than one event.
  mutating func split(_ id: String, makeID: () -> String) throws(FlagError) -> Bool {
    guard let claim = state.claim, claim.id == id else { return true }
    let count = try events(from: state.start, to: claim.end).count / 2
    guard count > 0 else { return false }
    let text = try read(from: state.start, to: claim.end)
    let half = Self.span(in: text, within: .init(events: count, bytes: .max))
    try change { $0.claim = .init(id: makeID(), end: $0.start + half.end) }
    return true
  }

  private mutating func advance(to end: Int, _ edit: (inout QueueState) -> Void) throws(FlagError) {
    func move(_ state: inout QueueState, to start: Int) {
      (state.start, state.claim) = (start, nil)
      edit(&state)
    }
    if end == size {
      try truncate()
      return try change { move(&$0, to: 0) }
    }
    if end >= max(size - end, Self.reclaimedBytes) {
      do throws(FlagError) {
        return try replace(with: try read(from: end, to: size)) { move(&$0, to: 0) }
      } catch {
        // There may be no room for a copy; the sent events stay in the file until all are sent.
      }
    }
    try change { move(&$0, to: end) }
  }

  /// The number of bytes of sent events from which on their space is reclaimed.
  private static let reclaimedBytes = 256 << 10

  /// The beginning of a queue that becomes a batch.
  private struct Span {
    var end = 0
    var events = 0
    /// Whether more events would not belong to it.
    var isWhole = false
  }

  private func nextSpan(within limits: QueueBatch.Limits) throws(FlagError) -> Span {
    let end = min(size, state.start.addingClamped(limits.bytes).addingClamped(1024))
    let span = Self.span(in: try read(from: state.start, to: end), within: limits)
    if span.isWhole || end == size { return span }
    return Self.span(in: try read(from: state.start, to: size), within: limits)
  }

  private static func span(in text: [UInt8], within limits: QueueBatch.Limits) -> Span {
    var span = Span()
    while let end = text[span.end...].firstIndex(of: lineFeed) {
      if end > span.end {
        if span.events > 0, span.events >= limits.events || end > limits.bytes { break }
        span.events += 1
      }
      span.end = end + 1
    }
    span.isWhole = span.events > 0 && text[span.end...].contains(lineFeed)
    return span
  }
}

extension QueueState.Report {
  /// The events; each has an id of its own, which is the same whenever they are sent.
  var events: [TrackedEvent] {
    losses.reports.enumerated().map { index, loss in
      let id = index == 0 ? id : "\(id)-\(index)"
      return TrackedEvent(id: id, time: EventTime(milliseconds: time), content: .loss(loss))
    }
  }
}
