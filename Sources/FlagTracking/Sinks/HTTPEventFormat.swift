import FlagDomain
import FlagJSON

/// The form in which a batch of events is posted.
public struct HTTPEventFormat: Sendable {
  /// The media type of the content.
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

  /// Returns the content of a request.
  func body(of batch: EventBatch) throws(FlagError) -> [UInt8] { try write(batch) }
}

extension HTTPEventFormat {
  /// One JSON object a line, as in a file.
  public static let jsonLines = HTTPEventFormat("application/x-ndjson") { batch throws(FlagError) in
    var body: [UInt8] = []
    for event in batch.events {
      body += try event.line()
      body.append(UInt8(ascii: "\n"))
    }
    return body
  }

  /// A batch of CloudEvents 1.0 in JSON, each with an event as its data.
  ///
  /// The types are `feature_flag.exposure`, `feature_flag.conversion` and `feature_flag.loss`.
  ///
  /// - Parameter source: What the events come from, a URI reference such as `/apps/shop`.
  /// - Returns: The form.
  public static func cloudEvents(source: String) -> HTTPEventFormat {
    HTTPEventFormat("application/cloudevents-batch+json") { batch throws(FlagError) in
      try FlagValue.array(batch.events.map { $0.cloudEvent(from: source) }).json()
    }
  }
}

extension TrackedEvent {
  fileprivate func cloudEvent(from source: String) -> FlagValue {
    let kind =
      switch content {
      case .exposure: "exposure"
      case .conversion: "conversion"
      case .loss: "loss"
      }
    return [
      "specversion": "1.0", "id": .string(id), "source": .string(source), "type": .string("feature_flag.\(kind)"),
      "time": .string("\(Timestamp(milliseconds: time))"), "datacontenttype": "application/json", "data": value,
    ]
  }
}
