import FlagDomain
import FlagEvents
import Foundation

/// An actor that writes events to the disk, and sends stored batches one at a time.
///
/// It runs on a thread of its own, which it also blocks for file access: neither writing nor sending waits for the
/// cooperative thread pool. Sinks run on another thread, so that events are written while one is being sent.
actor EventDelivery {
  let buffer: EventBuffer
  let queue: EventQueue
  let sink: any EventSink
  let options: TrackingOptions
  let environment: TrackingEnvironment
  let report: @Sendable (FlagError) -> Void
  nonisolated let executor = DeliveryExecutor("flag events")
  let sinkExecutor = DeliveryExecutor("flag events: sink")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  var isSending = false
  /// Whether sending was requested since the queue was last read.
  var isRequested = false
  var waiters = DeliveryWaiters()
  var wait: Wait?
  var failures = 0
  /// The time from which on the sink has refused every batch for now; nil if it does not.
  var heldSince: Int64?
  /// The maximum number of events in a batch, smaller for a time after a batch was too large.
  var batchLimit: Int
  /// The number of bytes on the disk that are not sent, as far as this process knows.
  var unsentBytes = 0
  /// The reason why events on the disk are not sent; nil if they are, or are being sent.
  var problem: FlagError?
  /// The error of the last write; nil if it has succeeded.
  private var writeError: FlagError?
  private var writeRetry: Task<Void, Never>?
  /// Units that have opted out, and whose events could not be removed yet.
  var removals: [String] = []

  struct Wait {
    let task: Task<Void, Never>
    /// Whether sending backs off until then.
    let isBackoff: Bool
  }

  init(
    _ buffer: EventBuffer, to sink: any EventSink, queue: EventQueue, options: TrackingOptions,
    environment: TrackingEnvironment, report: @escaping @Sendable (FlagError) -> Void
  ) {
    self.buffer = buffer
    self.queue = queue
    self.sink = sink
    self.options = options
    self.environment = environment
    self.report = report
    batchLimit = max(1, options.maximumBatchEvents)
  }

  deinit {
    wait?.task.cancel()
    writeRetry?.cancel()
  }
}

extension EventDelivery {
  /// Writes the buffered events, and starts to send stored ones unless a retry is pending.
  func start() {
    write()
    startSending()
  }

  /// Writes the buffered events, and waits until all that are stored now are sent, or sending fails or takes too long.
  ///
  /// - Returns: The reason why some of them are not sent; nil if all are.
  func deliver(timeout: Duration? = nil) async -> FlagError? {
    start()
    let id = waiters.nextID()
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    // Other calls may run before the closure does, and so it asks again.
    return await withCheckedContinuation { continuation in
      guard isSending else { return continuation.resume(returning: outcome) }
      waiters.add(id, unsentBytes: unsentBytes, continuation)
      timer = timeout.map { time in
        after(time) { delivery in await delivery.endWaiting(id, .tracking("timeout after \(time)")) }
      }
    }
  }

  var outcome: FlagError? { writeError ?? problem }

  private func endWaiting(_ id: Int, _ error: FlagError) { waiters.end(id, error) }

  /// Removes all events.
  func clear() {
    endWait()
    (failures, problem) = (0, nil)
    do throws(FlagError) {
      try withQueue { queue throws(FlagError) in try queue.clear() }
      removals = []
    } catch {
      report(error)
    }
  }

  /// Removes the events of a unit, now or as soon as the disk permits; none of them is sent meanwhile.
  func remove(_ unit: String) {
    removals.append(unit)
    removeUnits()
  }

  /// Returns the events that are not sent, oldest first.
  ///
  /// Nothing is written between the two looks, so that no event is missed on its way from the buffer to the disk.
  func waiting() throws(FlagError) -> [TrackedEvent] {
    let written = try queued()
    let buffered = buffer.content
    let losses = QueueState.Report(id: "", time: environment.now(), losses: buffered.losses).events
    return written + buffered.events + losses
  }

  /// Returns the events on the disk, oldest first, without unreadable ones, and what will be reported as lost.
  private func queued() throws(FlagError) -> [TrackedEvent] {
    let now = environment.now()
    let (lines, losses) = try withQueue { queue throws(FlagError) in
      let lost = QueueState.Report(id: "", time: now, losses: queue.state.losses).events
      return (try queue.unsentLines, (queue.state.report?.events ?? []) + lost)
    }
    // Unreadable events are reported when their batch is sent.
    return read(QueueBatch(id: "", lines: lines)) { _ in }.events + losses
  }

  func withQueue<Result>(
    _ body: (inout OpenQueue) throws(FlagError) -> Result
  ) throws(FlagError) -> Result {
    try queue.open { queue throws(FlagError) in
      let result = try body(&queue)
      unsentBytes = queue.unsentBytes
      return result
    }
  }

  func after(
    _ delay: Duration, _ body: @escaping @Sendable (EventDelivery) async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) { [weak self, executor, clock = environment.clock] in
      do {
        try await clock.sleep(for: delay)
      } catch {
        return  // cancelled: no longer needed, or the delivery was released
      }
      if let self { await body(self) }
      // A task does not retain the executor that it prefers.
      withExtendedLifetime(executor) {}
    }
  }
}

// MARK: Writing

extension EventDelivery {
  /// The maximum number of events that are written at once, which bounds the memory that it takes.
  private static let writtenEvents = 5000

  private func write() {
    removeUnits()
    var content = buffer.take()
    guard !content.events.isEmpty || content.losses.count > 0 else { return }
    var rest = content.events[...]
    do throws(FlagError) {
      writeRetry?.cancel()
      (writeRetry, writeError) = (nil, nil)
      repeat {
        try write(rest.prefix(Self.writtenEvents), content.losses)
        rest = rest.dropFirst(Self.writtenEvents)
        content.losses = QueueLosses()
      } while !rest.isEmpty
    } catch {
      content.events = Array(rest)
      buffer.putBack(content)
      report(error)
      writeError = error
      writeRetry = after(options.interval) { delivery in await delivery.start() }
    }
  }

  private func write(_ events: ArraySlice<TrackedEvent>, _ lost: QueueLosses) throws(FlagError) {
    var losses = lost
    let lines = events.compactMap { line(of: $0, &losses) }
    let dropped = try withQueue { queue throws(FlagError) in
      try queue.add(lines, losses, limit: options.byteLimit)
    }
    let count = dropped.addingClamped(lost.dropped.count)
    if count > 0 { report(.tracking("the queue was full: \(count) events were dropped")) }
  }

  /// Returns the event as a line; nil for one that cannot be sent, which is lost and reported.
  private func line(of event: TrackedEvent, _ losses: inout QueueLosses) -> QueueLine? {
    do throws(FlagError) {
      let line = try event.line()
      if line.count <= options.batchBytes { return QueueLine(bytes: line, units: event.countedUnits) }
      report(.tracking("expected an event of \(options.batchBytes) bytes at most, found one of \(line.count)"))
    } catch {
      report(.tracking("an event cannot be written: \(error.message)"))
    }
    losses.refused += 1
    return nil
  }

  private func removeUnits() {
    guard !removals.isEmpty else { return }
    do throws(FlagError) {
      let units = removals
      try withQueue { queue throws(FlagError) in for unit in units { try queue.remove(unit) } }
      removals = []
    } catch {
      report(error)
      if writeRetry == nil { writeRetry = after(options.interval) { delivery in await delivery.start() } }
    }
  }
}
