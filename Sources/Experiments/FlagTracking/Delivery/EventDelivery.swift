import FlagDomain
import FlagEvents
import FlagSupport

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
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  var isSending = false
  /// Whether sending was requested since the queue was last read.
  var isRequested = false
  var waiters = DeliveryWaiters()
  var wait: Wait?
  var failures = 0
  /// The time from which on the sink has refused every batch for now; nil if it does not.
  var heldSince: Int64?
  /// The maximum number of events in a batch, smaller for a time after a batch was too large or too slow.
  var batchLimit: Int
  /// The events that the disk did not take.
  private let memory = MemoryFile()
  /// The number of bytes in memory, and on the disk, that are not sent, as far as this process knows.
  private(set) var unsentInMemory = 0
  private(set) var unsentOnDisk = 0
  /// The reason why events are not sent; nil if they are, or are being sent.
  var problem: FlagError?
  var sinkFailures = FailureLog(end: "events are delivered again", provider: .tracking)
  private var diskFailures = FailureLog(end: "events are written to the disk again", provider: .tracking)
  /// The uses of the disk that failed last time.
  private var failing: Set<DiskUse> = []
  private var removalRetry: Task<Void, Never>?
  /// Units that have opted out, and whose events could not be removed yet.
  var removals: [String] = []

  enum DiskUse { case writing, sending, removing }

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
    removalRetry?.cancel()
  }

  /// Writes the buffered events, and starts to send stored ones unless a retry is pending.
  func start() {
    write()
    startSending()
  }

  /// Writes the buffered events, and waits until all that wait now are sent, or sending fails or takes too long.
  ///
  /// - Returns: The reason why some of them are not sent; nil if all are.
  func deliver(timeout: Duration? = nil) async -> FlagError? {
    start()
    let id = waiters.nextID()
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    // Other calls may run before the closure does, and so it asks again.
    return await withCheckedContinuation { continuation in
      guard isSending else { return continuation.resume(returning: problem) }
      waiters.add(id, unsentBytes: unsentBytes, continuation)
      timer = timeout.map { time in
        after(time) { delivery in await delivery.endWaiting(id, .tracking("timeout after \(time)")) }
      }
    }
  }

  var unsentBytes: Int { unsentInMemory + unsentOnDisk }

  private func endWaiting(_ id: Int, _ error: FlagError) { waiters.end(id, error) }

  /// Removes all events.
  func clear() {
    endWait()
    (failures, problem) = (0, nil)
    do throws(FlagError) {
      try withQueue(.memory) { queue throws(FlagError) in try queue.clear() }
      try withQueue { queue throws(FlagError) in try queue.clear() }
      removals = []
      record(nil, of: .removing)
    } catch {
      record(error, of: .removing)
    }
  }

  /// Removes the events of a unit, now or as soon as the disk permits; none of them is sent meanwhile.
  func remove(_ unit: String) {
    if let error = attempt({ () throws(FlagError) in
      try withQueue(.memory) { queue throws(FlagError) in try queue.remove(unit) }
    }) {
      report(error)
    }
    removals.append(unit)
    removeUnits()
  }

  /// Returns the events that are not sent, oldest first.
  ///
  /// Nothing is written between the two looks, so that no event is missed on its way from the buffer to the disk.
  func waiting() throws(FlagError) -> [TrackedEvent] {
    let written = try queued(.disk) + queued(.memory)
    let buffered = buffer.content
    let losses = QueueState.Report(id: "", time: environment.now(), losses: buffered.losses).events
    return written + buffered.events + losses
  }

  /// Returns the events of a queue, oldest first, without unreadable ones, and what will be reported as lost.
  private func queued(_ place: QueueBatch.Place) throws(FlagError) -> [TrackedEvent] {
    let now = environment.now()
    let (lines, losses) = try withQueue(place) { queue throws(FlagError) in
      let lost = QueueState.Report(id: "", time: now, losses: queue.state.losses).events
      return (try queue.unsentLines, (queue.state.report?.events ?? []) + lost)
    }
    // Unreadable events are reported when their batch is sent.
    return read(QueueBatch(id: "", lines: lines)) { _ in }.events + losses
  }

  /// Records the failure or success of a use of the disk, and reports each cause once, and the end of all.
  func record(_ failure: FlagError?, of use: DiskUse) {
    if failure == nil { failing.remove(use) } else { failing.insert(use) }
    guard failure != nil || failing.isEmpty else { return }
    if let news = diskFailures.record(failure) { report(news) }
  }

  func withQueue<Result>(
    _ place: QueueBatch.Place = .disk, _ body: (inout OpenQueue) throws(FlagError) -> Result
  ) throws(FlagError) -> Result {
    switch place {
    case .disk:
      let (result, bytes) = try queue.open { queue throws(FlagError) in
        let result = try body(&queue)
        return (result, queue.unsentBytes)
      }
      unsentOnDisk = bytes
      return result
    case .memory:
      var queue = try OpenQueue(memory)
      let result = try body(&queue)
      unsentInMemory = queue.unsentBytes
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

  // MARK: Writing

  /// The maximum number of events that are written at once, which bounds the memory that it takes.
  private static let writtenEvents = 5000

  /// Writes the buffered events to the disk; those that it does not take wait in memory.
  private func write() {
    removeUnits()
    let content = buffer.take()
    var (events, losses) = (content.events[...], content.losses)
    guard !events.isEmpty || losses.count > 0 || unsentInMemory > 0 else { return }
    var failure = attempt { () throws(FlagError) in try moveToDisk() }
    while !events.isEmpty || losses.count > 0 {
      let lines = events.prefix(Self.writtenEvents).compactMap { line(of: $0, &losses) }
      events = events.dropFirst(Self.writtenEvents)
      if failure == nil { failure = attempt { () throws(FlagError) in try add(lines, losses, to: .disk) } }
      if failure != nil, let error = attempt({ () throws(FlagError) in try add(lines, losses, to: .memory) }) {
        report(error)
      }
      losses = QueueLosses()
    }
    record(failure, of: .writing)
  }

  private func attempt(_ body: () throws(FlagError) -> Void) -> FlagError? {
    do throws(FlagError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func add(_ lines: [QueueLine], _ losses: QueueLosses, to place: QueueBatch.Place) throws(FlagError) {
    let dropped = try withQueue(place) { queue throws(FlagError) in
      try queue.add(
        lines, losses, limit: options.byteLimit, events: place == .memory ? options.bufferLimit : .max)
    }
    let count = dropped.addingClamped(losses.dropped.count)
    if count > 0 { report(.tracking("the queue was full: \(count.counted("event was", "events were")) dropped")) }
  }

  /// Moves the events in memory to the disk, but for a batch that is being sent.
  private func moveToDisk() throws(FlagError) {
    guard unsentInMemory > 0 else { return }
    let (lines, losses) = try withQueue(.memory) { queue throws(FlagError) in
      (try queue.lines(from: queue.state.claim?.end ?? queue.state.start, to: queue.size), queue.state.losses)
    }
    guard !lines.isEmpty else { return }
    try add(lines, losses, to: .disk)
    try withQueue(.memory) { queue throws(FlagError) in try queue.removeWaiting() }
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
    removalRetry?.cancel()
    removalRetry = nil
    guard !removals.isEmpty else { return }
    do throws(FlagError) {
      let units = removals
      try withQueue { queue throws(FlagError) in for unit in units { try queue.remove(unit) } }
      removals = []
      record(nil, of: .removing)
    } catch {
      record(error, of: .removing)
      removalRetry = after(options.interval) { delivery in await delivery.start() }
    }
  }
}
