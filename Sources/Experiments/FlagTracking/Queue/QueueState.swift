/// The state of a queue: the events that are sent already, the batch that is being sent, and what was lost.
///
/// Offsets count bytes of events, from the first one in the file.
struct QueueState: Codable, Equatable, Sendable {
  /// A batch of events that belongs to one id until it is sent.
  struct Claim: Codable, Equatable, Sendable {
    var id: String
    var end: Int
  }

  /// Losses that are being sent as a batch.
  struct Report: Codable, Equatable, Sendable {
    var id: String
    /// The time, in milliseconds since the beginning of 1970.
    var time: Int64
    var losses: QueueLosses
  }

  /// The number of changes until now, by which the newer of two states is known.
  var version: Int64 = 0
  /// The offset of the first event that is not sent.
  var start = 0
  var claim: Claim?
  var report: Report?
  /// The share of units whose events are accepted.
  var kept = 1.0
  var losses = QueueLosses()
  /// Whether losses are not reported until something else is delivered, since the sink refused the last report.
  var holdsReport = false
}
