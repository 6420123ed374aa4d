/// A provider that can say how far it has got with its values, such as one of a remote service.
///
/// Every requirement may be called from any thread.
public protocol StatusReportingFlagProvider: FlagProvider {
  /// How far the provider has got at this moment.
  var providerStatus: ProviderStatus { get }

  /// Returns the status: the current one first, then each that differs from the one before.
  ///
  /// The sequence has one consumer. A busy one may miss a status, never the newest.
  func statuses() -> AsyncStream<ProviderStatus>
}

/// How far a provider has got with its values for the current user.
public struct ProviderStatus: Hashable, Sendable {
  /// Where the values come from that the provider serves.
  public enum Values: Hashable, Sendable {
    /// From their source, as new as it gave them.
    case fresh
    /// From an earlier answer that was kept, which came so many seconds after the beginning of 1970 in UTC.
    case cached(fetchedAt: Int64)
    /// From a document that the app brought along.
    case bundled
    /// It has none: those of later providers or the flags' defaults are used.
    case defaults
  }

  /// The four states that a provider can be in.
  public enum State: String, Hashable, Sendable {
    /// It has no values, and the first are on their way.
    case notReady
    /// It has values, and nothing speaks against them.
    case ready
    /// It has values, and the newest attempt to renew them failed.
    case stale
    /// It has no values, and the newest attempt to get them failed.
    case error
  }

  /// Where the values come from.
  public var values: Values
  /// Why they are not as new as they could be; nil where nothing has failed.
  public var error: FlagError?
  /// Whether the source has been asked for the current user, and has answered or failed.
  public var isSettled: Bool

  /// Creates a status.
  public init(_ values: Values, error: FlagError? = nil, isSettled: Bool) {
    self.values = values
    self.error = error
    self.isSettled = isSettled
  }

  /// Which of the four states it is.
  public var state: State {
    switch (values, error) {
    case (.defaults, nil): .notReady
    case (.defaults, _): .error
    case (_, nil): .ready
    case (_, _): .stale
    }
  }
}

extension StatusReportingFlagProvider where Self: ObservableFlagProvider {
  /// Returns the status whenever a change is told that makes it another: the current one first.
  public func statuses() -> AsyncStream<ProviderStatus> {
    let (statuses, continuation) = AsyncStream.makeStream(of: ProviderStatus.self, bufferingPolicy: .bufferingNewest(1))
    let last = Locked<ProviderStatus?>(nil)
    let send: @Sendable () -> Void = {
      // Read with the lock held, so that of two changes the later one is sent last.
      last.withLock { last in
        let status = self.providerStatus
        guard status != last else { return }
        last = status
        continuation.yield(status)
      }
    }
    let subscription = subscribe { _ in send() }
    // The end of the stream ends the subscription, and so lets go of the provider.
    continuation.onTermination = { _ in subscription.cancel() }
    send()
    return statuses
  }
}
