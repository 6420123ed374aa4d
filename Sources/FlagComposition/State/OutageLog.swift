import FlagDomain

/// The failures of a provider as a whole that were reported, until its source answers.
///
/// A cause is reported once, however many flags are read and requests are sent meanwhile.
final class OutageLog: Sendable {
  private struct State {
    var reported: Set<FlagError> = []
    var isMismatchReported = false
    /// The errors of streams that were reported, until one opens.
    var reportedOfStream: Set<FlagError> = []
    /// The errors in the provider's newest content, and the ticket of its snapshot.
    var findings: Set<FlagError> = []
    var findingsTicket: UInt64 = 0
    /// The ticket of the newest snapshot whose status was recorded.
    var ticket: UInt64 = 0
  }

  private let state = Locked(State())

  /// Records the status of a provider.
  ///
  /// - Parameters:
  ///   - status: The status, as it was after the ticket was drawn.
  ///   - provider: The provider's name.
  ///   - ticket: The ticket of the provider's snapshot: an older status than the last one is ignored.
  /// - Returns: The errors to report: new causes, or the end of an outage.
  func record(_ status: ProviderStatus, of provider: String, ticket: UInt64) -> [FlagError] {
    state.withLock { state in
      guard ticket > state.ticket else { return [] }
      state.ticket = ticket
      let failure = Self.news(
        of: status.error?.ofWhole(provider), isOver: status.isSettled, among: &state.reported,
        end: FlagError(.providerReady, "the provider has answered again", provider: provider))
      let ofStream = Self.news(
        of: status.updates?.error?.ofWhole(provider), isOver: status.updates == .streaming,
        among: &state.reportedOfStream,
        end: FlagError(.providerReady, "the stream of changes has opened", provider: provider))
      return [failure, ofStream].compactMap(\.self)
    }
  }

  /// Returns a cause that was not reported yet, or the end of those that were.
  private static func news(
    of cause: FlagError?, isOver: Bool, among reported: inout Set<FlagError>, end: FlagError
  ) -> FlagError? {
    if let cause { return reported.count < ReportLog.maximumCount && reported.insert(cause).inserted ? cause : nil }
    guard isOver, !reported.isEmpty else { return nil }
    reported = []
    return end
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
