public import FlagDomain

extension FeatureFlagClient {
  /// How far each provider has got at this moment, by name.
  ///
  /// A provider that does not say is one that always has its values: it counts as fresh.
  public var providerStatuses: [String: ProviderStatus] {
    current.providers.reduce(into: [:]) { statuses, provider in
      statuses[provider.name] =
        (provider as? any StatusReportingFlagProvider)?.providerStatus ?? ProviderStatus(.fresh, isSettled: true)
    }
  }

  /// Waits until each provider's source has answered or failed for the current user, and says what came of it.
  ///
  /// It returns when the time is over, whatever providers do, and at once where there is nothing to wait for. Reading
  /// flags needs no waiting: an app that shows its first screen calls this to have that screen right at once.
  ///
  /// - Parameters:
  ///   - timeout: How long it takes at most.
  ///   - clock: What times that.
  /// - Returns: For each provider by name, whether its values are fresh, cached, bundled or missing, and why.
  public func ready(
    timeout: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) async -> [String: ProviderStatus] {
    let waiting = current.providers.compactMap { $0 as? any StatusReportingFlagProvider }
      .filter { !$0.providerStatus.isSettled }
    if !waiting.isEmpty { await wait(for: waiting, timeout: timeout, clock: clock) }
    return providerStatuses.mapValues { status in
      guard !status.isSettled, status.error == nil else { return status }
      var status = status
      status.error = FlagError(.providerNotReady, "no answer within \(timeout)")
      return status
    }
  }

  /// Waits for the providers, or for the time; whichever is not done by then is cancelled, and not waited for.
  private func wait(
    for providers: [any StatusReportingFlagProvider], timeout: Duration, clock: some Clock<Duration>
  ) async {
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let settling = Task {
      for provider in providers {
        for await status in provider.statuses() where status.isSettled { break }
      }
      continuation.yield()
    }
    let timing = Task {
      do {
        try await clock.sleep(for: timeout)
        continuation.yield()
      } catch {
        // Cancelled: whoever waited is gone, or the providers were faster.
      }
    }
    defer {
      settling.cancel()
      timing.cancel()
    }
    await withTaskCancellationHandler {
      for await _ in ends { return }
    } onCancel: {
      continuation.finish()
    }
  }
}
