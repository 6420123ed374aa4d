import FlagDomain
import FlagEvents
import FlagJSON

/// A format in which a batch of events is posted.
public struct HTTPEventFormat: Sendable {
  let contentType: String
  private let write: @Sendable (EventBatch) throws(FlagError) -> [UInt8]
  /// The closure that counts the events that a service rejected, according to its successful response.
  let rejected: @Sendable ([UInt8]) -> Int
  /// The closure that decides whether a batch is retried after a status of 400 or more.
  let retries: @Sendable (Int) -> Bool

  init(
    _ contentType: String, retries: @escaping @Sendable (Int) -> Bool = { $0 >= 500 },
    rejected: @escaping @Sendable ([UInt8]) -> Int = { _ in 0 },
    write: @escaping @Sendable (EventBatch) throws(FlagError) -> [UInt8]
  ) {
    self.contentType = contentType
    // A request that came too slowly, too early, by the wrong connection, or too often.
    self.retries = { [408, 421, 425, 429].contains($0) || retries($0) }
    self.rejected = rejected
    self.write = write
  }

  func body(of batch: EventBatch) throws(FlagError) -> [UInt8] { try write(batch) }

  /// A format of one JSON object per line, as in a file.
  public static let jsonLines = HTTPEventFormat("application/x-ndjson") { batch throws(FlagError) in
    try batch.lines.flatMap { $0 + [UInt8(ascii: "\n")] }
  }
}
