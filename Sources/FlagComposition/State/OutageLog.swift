import FlagDomain

/// The failures of a provider as a whole that were reported, until its source answers.
///
/// A cause is reported once, however many flags are read and requests are sent meanwhile.
final class OutageLog: Sendable {
  private struct State {
    var reported: Set<FlagError> = []
    var isMismatchReported = false
    /// The findings of the newest snapshot, and its ticket.
    var findings: Set<FlagError> = []
    var findingsTicket: UInt64 = 0
    /// The ticket of the newest snapshot whose status was recorded.
    var ticket: UInt64 = 0
  }

  private let state = Locked(State())
}

extension OutageLog {
  /// Records the status of a provider; nil for one that reports none.
  ///
  /// - Parameters:
  ///   - status: The status, as it was after the ticket was drawn.
  ///   - provider: The provider's name.
  ///   - ticket: The ticket of the provider's snapshot: an older status than the last one is ignored.
  /// - Returns: The error to report: a new cause, or the end of the outage.
  func record(_ status: ProviderStatus?, of provider: String, ticket: UInt64) -> FlagError? {
    state.withLock { state in
      guard ticket > state.ticket else { return nil }
      state.ticket = ticket
      guard let status else {
        state.reported = []
        return nil
      }
      if let cause = status.error?.ofWhole(provider) {
        return state.reported.count < ReportLog.maximumCount && state.reported.insert(cause).inserted ? cause : nil
      }
      guard status.isSettled, !state.reported.isEmpty else { return nil }
      state.reported = []
      return FlagError(.providerReady, "the provider has answered again", provider: provider)
    }
  }

  /// Records the failure of a read, and returns the error to report, unless the outage is known or over.
  func record(_ error: FlagError, of provider: String, ticket: UInt64) -> FlagError? {
    let cause = error.ofWhole(provider)
    return state.withLock { state in
      if error.code == .userMismatch {
        defer { state.isMismatchReported = true }
        return state.isMismatchReported ? nil : cause
      }
      guard ticket >= state.ticket, state.reported.isEmpty else { return nil }
      state.reported.insert(cause)
      return cause
    }
  }
}

extension OutageLog {
  /// Returns the findings of a snapshot that the one before did not have: what stays is reported once.
  func newFindings(_ findings: [FlagError], ticket: UInt64) -> [FlagError] {
    state.withLock { state in
      guard ticket >= state.findingsTicket else { return [] }
      defer { (state.findings, state.findingsTicket) = (Set(findings), ticket) }
      return findings.filter { !state.findings.contains($0) }
    }
  }
}

extension FlagError {
  /// Whether it is about a provider as a whole, and not about the flag that was read.
  var isOfWholeProvider: Bool { code == .providerNotReady || code == .userMismatch }

  fileprivate func ofWhole(_ provider: String) -> FlagError {
    var error = self
    (error.key, error.provider) = (nil, provider)
    return error
  }
}
