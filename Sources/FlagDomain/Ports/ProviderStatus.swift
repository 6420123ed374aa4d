/// The status of a provider's values for the current user.
public struct ProviderStatus: Hashable, Sendable {
  /// The origin of the values that the provider serves.
  public enum Values: Hashable, Sendable {
    /// Up-to-date values from the source.
    case fresh
    /// A cached earlier answer, fetched at a time in seconds since the beginning of 1970 in UTC.
    case cached(fetchedAt: Int64)
    /// A document in the app's bundle.
    case bundled
    /// No values: those of later providers or the flags' defaults are used.
    case defaults
  }

  /// The four states of a provider.
  public enum State: String, Hashable, Sendable {
    /// No values yet; the first request is in progress.
    case notReady
    /// Values without a known problem.
    case ready
    /// Values whose newest update failed.
    case stale
    /// No values, because the newest request failed.
    case error
  }

  /// The way in which a provider learns of changes.
  public enum Updates: Hashable, Sendable {
    /// A stream announces them.
    case streaming
    /// It asks at intervals: there is no stream, or none yet, or it could not be opened because of the error.
    case polling(FlagError?)

    /// The reason why the stream could not be opened; nil without one.
    public var error: FlagError? {
      if case .polling(let error) = self { error } else { nil }
    }
  }

  /// The origin of the values.
  public var values: Values
  /// The reason why the values may be out of date; nil if nothing has failed.
  public var error: FlagError?
  /// Whether a request for the current user has succeeded or failed.
  public var isSettled: Bool
  /// The way in which the provider learns of changes; nil for one that asks no service, or has no answer of it yet.
  ///
  /// A stream that cannot be opened leaves the values ready: they change later than they could.
  public var updates: Updates?

  /// Creates a status.
  public init(_ values: Values, error: FlagError? = nil, isSettled: Bool) {
    self.values = values
    self.error = error
    self.isSettled = isSettled
  }

  /// The state that the values and the error amount to.
  public var state: State {
    switch (values, error) {
    case (.defaults, nil): .notReady
    case (.defaults, _): .error
    case (_, nil): .ready
    case (_, _): .stale
    }
  }
}

extension FlagProvider {
  /// Returns the status at each change: the current one first, then each that differs from the one before.
  ///
  /// The sequence has one consumer. A slow one may miss a status, but never the newest.
  public func statuses() -> AsyncStream<ProviderStatus> {
    let (statuses, continuation) = AsyncStream.makeStream(of: ProviderStatus.self, bufferingPolicy: .bufferingNewest(1))
    let sent = Locked<(status: ProviderStatus?, ticket: Int, lastTicket: Int)>((nil, 0, 0))
    let send: @Sendable () -> Void = {
      let ticket = sent.withLock { sent in
        sent.lastTicket += 1
        return sent.lastTicket
      }
      let status = self.providerStatus
      sent.withLock { sent in
        // Of two that race, the one that began to read later is at least as new.
        guard ticket > sent.ticket else { return }
        sent.ticket = ticket
        guard status != sent.status else { return }
        sent.status = status
        continuation.yield(status)
      }
    }
    let subscription = subscribe { _ in send() }
    // The end of the stream ends the subscription, which releases the provider.
    continuation.onTermination = { _ in subscription.cancel() }
    send()
    return statuses
  }
}
