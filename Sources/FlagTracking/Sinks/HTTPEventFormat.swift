import FlagDomain
import FlagEvents
import FlagJSON

/// The form in which a batch of events is posted.
public struct HTTPEventFormat: Sendable {
  let contentType: String
  private let write: @Sendable (EventBatch) throws(FlagError) -> [UInt8]
  /// Returns how many events a service refused, by the answer with which it took the batch.
  let rejected: @Sendable ([UInt8]) -> Int
  /// Returns whether a batch is sent again after a status of 400 or more.
  let retries: @Sendable (Int) -> Bool

  init(
    _ contentType: String, retries: @escaping @Sendable (Int) -> Bool = { $0 == 429 || $0 >= 500 },
    rejected: @escaping @Sendable ([UInt8]) -> Int = { _ in 0 },
    write: @escaping @Sendable (EventBatch) throws(FlagError) -> [UInt8]
  ) {
    self.contentType = contentType
    self.retries = retries
    self.rejected = rejected
    self.write = write
  }

  func body(of batch: EventBatch) throws(FlagError) -> [UInt8] { try write(batch) }
}

extension HTTPEventFormat {
  /// One JSON object a line, as in a file.
  public static let jsonLines = HTTPEventFormat("application/x-ndjson") { batch throws(FlagError) in
    try batch.lines.flatMap { $0 + [UInt8(ascii: "\n")] }
  }

  /// A batch of CloudEvents 1.0 in JSON, each with an event as its data.
  ///
  /// The types are `feature_flag.exposure`, `feature_flag.conversion` and `feature_flag.loss`.
  ///
  /// - Parameter source: What the events come from, a URI reference such as `/apps/shop`.
  /// - Returns: The form.
  public static func cloudEvents(source: String) -> HTTPEventFormat {
    HTTPEventFormat("application/cloudevents-batch+json") { batch throws(FlagError) in
      var body: [UInt8] = []
      for (event, line) in zip(batch.events, try batch.lines) {
        // The line is the first of the members, which are sorted by their names.
        body += Array(body.isEmpty ? "[{".utf8 : ",{".utf8) + Array("\"data\":".utf8) + line + [UInt8(ascii: ",")]
        body += try event.cloudEvent(from: source).json().dropFirst()
      }
      return body.isEmpty ? Array("[]".utf8) : body + [UInt8(ascii: "]")]
    }
  }
}

extension TrackedEvent {
  /// The members of a CloudEvent, but for its data.
  fileprivate func cloudEvent(from source: String) -> FlagValue {
    [
      "specversion": "1.0", "id": .string(id), "source": .string(source), "time": .string("\(time)"),
      "type": .string("feature_flag.\(content.kind)"), "datacontenttype": "application/json",
    ]
  }
}
