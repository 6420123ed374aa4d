public import FlagDomain
import FlagSupport

extension FeatureFlagClient {
  /// The current status of each provider, by name.
  ///
  /// A provider that always has its values counts as fresh.
  public var providerStatuses: [String: ProviderStatus] {
    current.providers.reduce(into: [:]) { $0[$1.name] = $1.providerStatus }
  }

  /// Waits until each provider's source has answered or failed for the current user, and returns the statuses.
  ///
  /// It returns on timeout, even if a provider does not respond, and at once if there is nothing to wait for. Flags can
  /// be read without waiting: an app calls this so that its first screen already has the right values.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait.
  ///   - clock: The clock of the timeout.
  /// - Returns: For each provider by name, whether its values are fresh, cached, bundled or missing, and the error if
  ///   any.
  public func ready(
    timeout: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) async -> [String: ProviderStatus] {
    let waiting = current.providers.filter { !$0.providerStatus.isSettled }
    let missing = FlagError(.providerNotReady, "timeout: no answer within \(timeout)")
    if !waiting.isEmpty {
      _ = await withTimeout(timeout, on: clock, timedOut: missing, cancelled: missing) { () throws(FlagError) in
        for provider in waiting {
          for await status in provider.statuses() where status.isSettled { break }
        }
      }
    }
    current.catchUp()
    return providerStatuses.mapValues { status in
      guard !status.isSettled, status.error == nil else { return status }
      var status = status
      status.error = missing
      return status
    }
  }
}
