/// The status that a server reports about itself while it is running.
package struct ServerReport: Hashable, Sendable {
  /// The server's name, which decides whether it runs a candidate.
  package var name: String
  /// The revision that it runs; nil until it runs one.
  package var revision: Int?
  /// The reason why it does not run the revision that it should; nil if it does.
  package var failure: String?
  /// The time when it began to run the revision, or failed to, in seconds since 1970-01-01 00:00 UTC, by its clock.
  package var timestamp: Int64
  /// Whether the server has not been heard of for longer than its reports are valid, and has not signed off.
  package var isAbsent: Bool
  /// Whether another server reports under the same name.
  package var isNameShared: Bool

  /// Creates a report.
  package init(
    name: String, revision: Int?, failure: String? = nil, timestamp: Int64, isAbsent: Bool = false,
    isNameShared: Bool = false
  ) {
    self.name = name
    self.revision = revision
    self.failure = failure
    self.timestamp = timestamp
    self.isAbsent = isAbsent
    self.isNameShared = isNameShared
  }
}
