package import FlagDomain

/// The state of a follower while the app is in the background.
struct Background: Hashable, Sendable {
  /// The way in which the client learned of changes until then.
  var updates: ProviderStatus.Updates?
}

/// The handling of streams, which are opened and closed together.
extension Follower {
  /// The way in which the client learns of changes; nil before the first answer, and without requests or streams.
  ///
  /// In the background it is as it was before.
  package var updates: ProviderStatus.Updates? {
    if let background { return background.updates }
    if !streams.isEmpty, streams.values.allSatisfy(\.self) { return .streaming }
    return hasAnswered && (schedule.polling != nil || !openedSources.isEmpty) ? .polling(streamError) : nil
  }

  mutating func openStreams(_ sources: [EventSource]) -> [Action] {
    areSourcesUsed = schedule.sourcesExpire
    openedSources = sources
    streamsOpenedAt = nil
    return sources.map { source in
      let number = nextNumber()
      streams[number] = false
      return .openStream(number, source)
    }
  }

  mutating func closeStreams() -> [Action] {
    defer { streams = [:] }
    return streams.keys.sorted().map { .closeStream($0) }
  }

  /// Records that a stream is open; once all are, requests the changes made in the meantime.
  package mutating func streamOpened(_ number: Int, at now: Duration) -> [Action] {
    guard streams[number] == false else { return [] }
    streams[number] = true
    guard streams.values.allSatisfy(\.self) else { return [] }
    streamsOpenedAt = now
    streamError = nil
    return isRetryPending ? [] : want(at: now)
  }

  /// Requests the changes that a stream announces.
  package mutating func streamChanged(_ number: Int, hint: ChangeHint?, at now: Duration) -> [Action] {
    streams[number] == nil ? [] : outdate(hint: hint, at: now)
  }

  /// Records that a stream has ended: closes the others, too; all are opened again after the next good answer.
  package mutating func streamEnded(_ number: Int, _ end: StreamFailure, at now: Duration) -> [Action] {
    guard let isOpen = streams.removeValue(forKey: number) else { return [] }
    // One that was open and has ended is opened again, as services expect.
    if !isOpen { streamError = end.error ?? streamError }
    let closed = closeStreams()
    // Addresses that came while the streams were open may have expired since.
    areSourcesUsed = schedule.sourcesExpire
    if let openedAt = streamsOpenedAt, now - openedAt >= schedule.steadyTime { streamFailures = 0 }
    let kind: FetchFailure.Kind
    switch end.kind {
    case .silent:
      // It is unknown which changes were missed.
      streamsNotBefore = now
      isUnconditional = true
      return closed + (isRetryPending ? [] : want(at: now))
    case .declined:
      streamsNotBefore = nil
      guard fetch == nil, failures == 0 else { return closed }
      return closed + (schedule.pollingDelay(randomness: randomness()).map { wake(after: $0) } ?? [])
    case .failed(let failure): kind = failure
    }
    streamFailures += 1
    let own = schedule.delay(after: kind, failures: streamFailures, randomness: randomness())
    let requested = min(end.reconnectionTime ?? .zero, schedule.refusedDelay)
    let delay = max(own, schedule.spread(requested, randomness()))
    streamsNotBefore = now + delay
    guard fetch == nil, failures == 0 else { return closed }
    let polling = schedule.pollingDelay(randomness: randomness())
    return closed + wake(after: min(delay, polling ?? delay))
  }
}
