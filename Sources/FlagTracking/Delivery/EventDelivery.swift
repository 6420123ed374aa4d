import FlagDomain
import FlagEvents
import FlagFiles
import FlagHTTP
import Foundation

/// An actor that writes events to the disk in batches, and sends stored batches one at a time.
actor EventDelivery {
  private let buffer: EventBuffer
  private let queue: EventQueue
  private let sink: any EventSink
  private let options: TrackingOptions
  private let environment: TrackingEnvironment
  private let report: @Sendable (FlagError) -> Void
  /// The queue for file access, which may be slow or blocked by a lock.
  private let disk = DispatchQueue(label: "flag events")
  /// The delivery requested last; each one waits for the one before it.
  private var last: Task<Void, Never>?
  private var wait: Wait?
  private var failures = 0
  /// The batches that were written last, cached so that sending them at once needs no read.
  private var written: [EventBatch] = []

  private struct Wait {
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
  }

  deinit { wait?.task.cancel() }
}

extension EventDelivery {
  /// Writes the buffered events, and sends stored batches unless a retry is pending.
  func deliver() async {
    await inTurn { delivery in
      await delivery.write()
      await delivery.send()
    }
  }

  /// Sends the batches that an earlier run left on the disk, or removes them if the user has opted out.
  func sendLeftovers() async {
    await inTurn { delivery in await delivery.send() }
  }

  func clear() async {
    await inTurn { delivery in await delivery.clearQueue() }
  }

  /// Returns the events on the disk, oldest first, without unreadable ones.
  func queued() async throws(FlagError) -> [TrackedEvent] {
    let content = try await onDisk { queue throws(FlagError) in try queue.content() }
    // Unreadable events are reported when their batch is sent.
    return content.batches.flatMap { read($0) { _ in }.events }
  }

  private func inTurn(_ work: @escaping @Sendable (EventDelivery) async -> Void) async {
    let previous = last
    let task = Task {
      await previous?.value
      await work(self)
    }
    last = task
    await task.value
  }

  private func onDisk<Result: Sendable>(
    _ work: @escaping @Sendable (EventQueue) throws(FlagError) -> Result
  ) async throws(FlagError) -> Result {
    let result = await withCheckedContinuation { continuation in
      disk.async { [queue] in
        continuation.resume(returning: Swift.Result { () throws(FlagError) in try work(queue) })
      }
    }
    return try result.get()
  }
}

// MARK: Writing

extension EventDelivery {
  private func write() async {
    let (events, lost) = buffer.take()
    guard !events.isEmpty || lost > 0 else { return }
    let batches = batches(of: events)
    let (options, now, makeID) = (options, environment.now(), environment.makeID)
    do throws(FlagError) {
      let dropped = try await onDisk { queue throws(FlagError) in
        let loss = { (count: Int) throws(FlagError) in
          let event = TrackedEvent(id: makeID(), time: EventTime(milliseconds: now), content: .loss(TrackedLoss(count: count)))
          return QueueContent.Batch(id: makeID(), lines: [try event.line()])
        }
        let lines = batches.map { QueueContent.Batch(id: $0.id, lines: $0.written) }
        return try queue.append(lost > 0 ? lines + [loss(lost)] : lines, within: options, loss: loss)
      }
      written = batches
      if lost + dropped > 0 { report(.tracking("the queue was full: \(lost + dropped) events were dropped")) }
    } catch {
      buffer.putBack(events, lost: lost)
      report(error)
    }
  }

  /// Returns the event as a line; nil for one that cannot be sent, which is reported.
  private func line(of event: TrackedEvent) -> [UInt8]? {
    do throws(FlagError) {
      let line = try event.line()
      if line.count <= options.batchBytes { return line }
      report(.tracking("expected an event of \(options.batchBytes) bytes at most, found one of \(line.count)"))
    } catch {
      report(.tracking("an event cannot be written: \(error.message)"))
    }
    return nil
  }

  private func batches(of events: [TrackedEvent]) -> [EventBatch] {
    var batches: [EventBatch] = []
    var bytes = 0
    for event in events {
      guard let line = line(of: event) else { continue }
      if batches.isEmpty || batches[batches.count - 1].events.count >= max(1, options.batchEvents)
        || bytes + line.count > options.batchBytes
      {
        batches.append(EventBatch(id: environment.makeID()))
        bytes = 0
      }
      batches[batches.count - 1].append(event, line)
      bytes += line.count
    }
    return batches
  }

  private func clearQueue() async {
    endWait()
    (failures, written) = (0, [])
    do throws(FlagError) {
      try await onDisk { queue throws(FlagError) in try queue.clear() }
    } catch {
      report(error)
    }
  }
}

// MARK: Sending

extension EventDelivery {
  private func send() async {
    if buffer.mode == .optedOut { return await clearQueue() }
    guard wait?.isBackoff != true else { return }
    endWait()
    let turn = SendingTurn()
    let activity = await ExpiringActivity.begin(
      "Sending events", by: environment.performExpiringActivity, onExpiry: turn.end)
    // An app without background time left sends on its next run.
    guard let activity else { return tryAgain(after: options.interval) }
    defer {
      turn.end()
      activity.end()
    }
    do throws(FlagError) {
      let isOurs = try await onDisk { queue throws(FlagError) in try turn.begin(queue.takeSendingLock) }
      // Another process is sending; retry later, in case it ends first.
      guard isOurs else { return tryAgain(after: options.interval) }
      while wait == nil, buffer.mode != .optedOut {
        guard let batch = try await onDisk({ queue throws(FlagError) in try queue.content().batches.first }) else {
          return
        }
        try await send(batch, turn)
      }
    } catch {
      report(error)
      if wait == nil { tryAgain(after: options.interval) }
    }
  }

  private func send(_ batch: QueueContent.Batch, _ turn: SendingTurn) async throws(FlagError) {
    let sent = read(batch, onError: report)
    let outcome = sent.events.isEmpty ? .delivered : await turn.upload { [sink] in await sink.send(sent) }
    var next: [QueueContent.Batch] = []
    switch outcome {
    case .delivered(_, let error):
      if let error { report(error) }
    case _ where turn.isOver:
      // The upload was cut off. The next process to send retries the whole batch under its id.
      return tryAgain(after: options.interval)
    case .refused(let error): report(.tracking("\(sent.events.count) events were dropped: \(error.message)"))
    case .tooLarge(let error) where batch.lines.count < 2:
      report(.tracking("an event was dropped: \(error.message)"))
    case .tooLarge:
      let half = batch.lines.count / 2
      next = [batch.lines[..<half], batch.lines[half...]].map { .init(id: environment.makeID(), lines: Array($0)) }
    case .retry(let delay, let error): return retry(after: delay, error)
    case nil: return
    }
    failures = 0
    written.removeAll { $0.id == batch.id }
    try await onDisk { [next] queue throws(FlagError) in
      // A delivered batch is always removed; a halved one may already be in another process's upload.
      guard !next.isEmpty else { return try queue.replace(batch.id) }
      try turn.run { () throws(FlagError) in try queue.replace(batch.id, with: next) }
    }
    if turn.isOver { tryAgain(after: options.interval) }
  }

  private func retry(after delay: Duration?, _ error: FlagError) {
    failures += 1
    report(error)
    let backoff = environment.backoff.delay(afterFailures: failures, randomness: environment.randomness())
    tryAgain(after: max(delay ?? .zero, backoff), isBackoff: true)
  }

  private func endWait() {
    wait?.task.cancel()
    wait = nil
  }

  private func tryAgain(after delay: Duration, isBackoff: Bool = false) {
    let clock = environment.clock
    let task = Task { [weak self] in
      do {
        try await clock.sleep(for: delay)
      } catch {
        return  // cancelled: replaced by another wait, or the delivery was released
      }
      await self?.resume()
    }
    wait = Wait(task: task, isBackoff: isBackoff)
  }

  private func resume() async {
    wait = nil
    await deliver()
  }

  /// Returns a batch with its events, without the lines that cannot be read.
  private func read(_ batch: QueueContent.Batch, onError: (FlagError) -> Void) -> EventBatch {
    if let batch = written.first(where: { $0.id == batch.id && $0.written == batch.lines }) { return batch }
    var (events, reader) = (EventBatch(id: batch.id), EventReader(.queue))
    for line in batch.lines {
      do throws(FlagError) {
        if let event = try reader.read(line) { events.append(event, line) }
      } catch {
        onError(.tracking("an event of the queue's file was dropped: \(error.message)"))
      }
    }
    return events
  }
}
