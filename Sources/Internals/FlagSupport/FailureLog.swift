package import FlagDomain

/// The failures of work that is done again and again: each cause is reported once, and the end of all of them.
package struct FailureLog: Sendable {
  private static let maximumCount = 100

  private let end: FlagError
  private var reported: Set<FlagError> = []

  /// Creates a log without failures, given what is reported when the work has succeeded again.
  package init(end: String, provider: String? = nil) {
    self.end = FlagError(.providerReady, end, provider: provider)
  }

  /// Whether no failure was recorded since the last success.
  package var isEmpty: Bool { reported.isEmpty }

  /// Records an attempt.
  ///
  /// - Parameters:
  ///   - failure: The reason why the attempt failed, or nil.
  ///   - hasEnded: Whether an attempt without a failure has succeeded; false while it is under way.
  /// - Returns: What to report: a cause that is new since the last success, or the first success after one.
  package mutating func record(_ failure: FlagError?, hasEnded: Bool = true) -> FlagError? {
    if let failure {
      return reported.count < Self.maximumCount && reported.insert(failure).inserted ? failure : nil
    }
    guard hasEnded else { return nil }
    defer { reported = [] }
    return reported.isEmpty ? nil : end
  }
}
