import FlagDomain
import FlagSupport

/// The failures of a provider as a whole that were reported, until its source answers.
///
/// A cause is reported once, however many flags are read and requests are sent meanwhile.
final class OutageLog: Sendable {
  private struct State {
    var failures: FailureLog
    /// The errors of streams, until one opens.
    var ofStreams: FailureLog
    var isMismatchReported = false
    /// The errors in the provider's newest content, and the ticket of its snapshot.
    var findings: Set<FlagError> = []
    var findingsTicket: UInt64 = 0
    /// The ticket of the newest snapshot whose status was recorded.
    var ticket: UInt64 = 0
  }

  private let provider: String
  private let state: Locked<State>

  init(of provider: String) {
    self.provider = provider
    state = Locked(
      State(
        failures: FailureLog(end: "the provider has answered again", provider: provider),
        ofStreams: FailureLog(end: "the stream of changes has opened", provider: provider)))
  }

  /// Records the status of the provider.
  ///
  /// - Parameters:
  ///   - status: The status, as it was after the ticket was drawn.
  ///   - ticket: The ticket of the provider's snapshot: an older status than the last one is ignored.
  /// - Returns: The errors to report: new causes, or the end of an outage.
  func record(_ status: ProviderStatus, ticket: UInt64) -> [FlagError] {
    state.withLock { state in
      guard ticket > state.ticket else { return [] }
      state.ticket = ticket
      let failure = state.failures.record(status.error?.ofWhole(provider), hasEnded: status.isSettled)
      let ofStream = state.ofStreams.record(
        status.updates?.error?.ofWhole(provider), hasEnded: status.updates == .streaming)
      return [failure, ofStream].compactMap(\.self)
    }
  }

  /// Records the errors in a provider's content, and returns those that its last content did not have.
  func record(findings: [FlagError], ticket: UInt64) -> [FlagError] {
    state.withLock { state in
      guard ticket >= state.findingsTicket else { return [] }
      let known = state.findings
      (state.findings, state.findingsTicket) = (Set(findings), ticket)
      var new: Set<FlagError> = []
      return findings.filter { !known.contains($0) && new.insert($0).inserted }
    }
  }

  /// Records the failure of a read, and returns the error to report, unless the outage is known or over.
  func record(_ error: FlagError, ticket: UInt64) -> FlagError? {
    let cause = error.ofWhole(provider)
    return state.withLock { state in
      if error.code == .userMismatch {
        defer { state.isMismatchReported = true }
        return state.isMismatchReported ? nil : cause
      }
      return ticket >= state.ticket && state.failures.isEmpty ? state.failures.record(cause) : nil
    }
  }
}

extension FlagError {
  /// Whether it is about a provider as a whole, and not about the flag that was read.
  var isOfWholeProvider: Bool {
    switch code {
    case .providerNotReady, .providerFatal, .userMismatch, .unauthorized, .notFound, .timeout, .unreachable: true
    default: false
    }
  }

  fileprivate func ofWhole(_ provider: String) -> FlagError {
    var error = self
    (error.key, error.provider) = (nil, provider)
    return error
  }
}
