import FlagDomain
import FlagEvents
import FlagFiles
import FlagSupport

extension EventDelivery {
  /// Starts to send stored batches unless that is under way, or backs off, or removes them if the user has opted out.
  func startSending() {
    if buffer.mode == .optedOut { return clear() }
    isRequested = true
    guard !isSending, wait?.isBackoff != true else { return }
    endWait()
    (isSending, problem) = (true, nil)
    Task(executorPreference: executor) { await self.sendAll() }
  }

  private func sendAll() async {
    let turn = SendingTurn(executor: sinkExecutor)
    let activity = await ExpiringActivity.begin(
      "Sending events", by: environment.performExpiringActivity, onExpiry: turn.end)
    if let activity {
      await sendBatches(turn)
      turn.end()
      activity.end()
    } else {
      // An app without background time left sends on its next run.
      tryAgain(after: options.interval, .tracking("the system grants no time to send events; they are sent later"))
    }
    isSending = false
    // Events may have been written since the queue was found to be empty: each await lets other calls run.
    if isRequested, wait == nil { startSending() }
    if !isSending { waiters.endAll(problem) }
  }

  private func sendBatches(_ turn: SendingTurn) async {
    var failure: FlagError?
    do throws(FlagError) {
      // No other process sees them, so that they need no lock.
      try await sendBatches(in: .memory, turn)
      guard wait == nil, removals.isEmpty else { return }
      guard try turn.begin(queue.takeSendingLock) else {
        return tryAgain(after: options.interval, .tracking("another process, or tracker, is sending events"))
      }
      try await sendBatches(in: .disk, turn)
    } catch {
      failure = error
      // What this process has tracked may be sent nonetheless.
      if wait == nil { tryAgain(after: options.interval, unsentBytes > 0 ? error : nil) }
    }
    record(failure, of: .sending)
  }

  private func sendBatches(in place: QueueBatch.Place, _ turn: SendingTurn) async throws(FlagError) {
    while wait == nil, buffer.mode != .optedOut, place == .memory || removals.isEmpty,
      let batch = try nextBatch(in: place)
    {
      try await send(batch, turn)
    }
  }

  private func nextBatch(in place: QueueBatch.Place) throws(FlagError) -> QueueBatch? {
    isRequested = false
    let limits = QueueBatch.Limits(events: batchLimit, bytes: options.batchBytes)
    var batch = try withQueue(place) { queue throws(FlagError) in
      try queue.nextBatch(within: limits, now: environment.now(), makeID: environment.makeID)
    }
    batch?.place = place
    return batch
  }

  private func send(_ batch: QueueBatch, _ turn: SendingTurn) async throws(FlagError) {
    let sent = read(batch, onError: report)
    let unreadable = batch.lines.count - sent.events.count
    let outcome = sent.events.isEmpty ? .delivered : await turn.upload { [sink] in await sink.send(sent) }
    if case .held = outcome {} else { heldSince = nil }
    switch outcome {
    case .delivered(let rejected, let error):
      if let news = sinkFailures.record(nil) { report(news) }
      if let error { report(error) }
      batchLimit = min(batchLimit + max(1, batchLimit / 8), max(1, options.maximumBatchEvents))
      try finish(batch, isDelivered: true, lost: unreadable.addingClamped(max(0, rejected)))
    case _ where turn.isOver:
      // The upload was cut off. The next process to send retries the whole batch under its id.
      tryAgain(after: options.interval, .tracking("sending was cut off, since the app is suspended"))
    case .refused(let error):
      report(.tracking("\(sent.events.count.counted("event was", "events were")) dropped: \(error.message)"))
      try finish(batch, isDelivered: false, lost: batch.lines.count)
    case .tooLarge(let error):
      failures = 0
      if try split(batch, turn) { return }
      report(.tracking("an event was dropped: \(error.message)"))
      try finish(batch, isDelivered: false, lost: batch.lines.count)
    case .held(let error):
      let since = heldSince ?? environment.now()
      heldSince = since
      if environment.now() - since < Self.maximumHold {
        retry(after: nil, error)
      } else {
        let events = sent.events.count.counted("event was", "events were")
        report(.tracking("\(events) dropped after a day: \(error.message)"))
        try finish(batch, isDelivered: false, lost: batch.lines.count)
      }
    case .retry(let delay, let error):
      // A link that is too slow for all of it may carry a half.
      if error.code == .timeout { _ = try split(batch, turn) }
      retry(after: delay, error)
    case nil: break
    }
    if turn.isOver, wait == nil { tryAgain(after: options.interval, .tracking("the app is suspended")) }
  }

  /// Removes a batch from the queue, even if the turn is over: it would be sent again.
  private func finish(_ batch: QueueBatch, isDelivered: Bool, lost: Int) throws(FlagError) {
    failures = 0
    try withQueue(batch.place) { queue throws(FlagError) in
      try queue.finish(batch.id, isDelivered: isDelivered, lost: lost)
    }
    waiters.advance(by: batch.lines.reduce(0) { $0 + $1.count + 1 }, unsentBytes: unsentBytes)
  }

  /// Halves a batch, unless it is one event; returns whether it was more than one.
  private func split(_ batch: QueueBatch, _ turn: SendingTurn) throws(FlagError) -> Bool {
    guard batch.lines.count > 1 else { return false }
    batchLimit = batch.lines.count / 2
    var isHalved = true
    // Another process may have begun to send the batch, and so it is not changed after the turn.
    try turn.run { () throws(FlagError) in
      isHalved = try withQueue(batch.place) { queue throws(FlagError) in
        try queue.split(batch.id, makeID: environment.makeID)
      }
    }
    return isHalved
  }

  /// The time in milliseconds for which a batch is kept that a sink refuses for now: a day, in which a key is renewed.
  private static let maximumHold: Int64 = 86_400_000

  private func retry(after delay: Duration?, _ error: FlagError) {
    failures += 1
    if let news = sinkFailures.record(error) { report(news) }
    let backoff = environment.backoff.delay(afterFailures: failures, randomness: environment.randomness())
    tryAgain(after: max(delay ?? .zero, backoff), error, isBackoff: true)
  }

  func endWait() {
    wait?.task.cancel()
    wait = nil
  }

  private func tryAgain(after delay: Duration, _ reason: FlagError?, isBackoff: Bool = false) {
    problem = reason
    endWait()
    let task = after(delay) { delivery in await delivery.resume() }
    wait = Wait(task: task, isBackoff: isBackoff)
  }

  private func resume() {
    wait = nil
    start()
  }

  /// Returns a batch with its events, without the lines that cannot be read.
  func read(_ batch: QueueBatch, onError: (FlagError) -> Void) -> EventBatch {
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
