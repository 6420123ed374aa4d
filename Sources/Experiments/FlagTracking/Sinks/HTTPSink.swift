public import FlagDomain
public import FlagFoundation
package import FlagHTTP
package import FlagTransport

/// A sink that sends events to a service over HTTP.
///
/// A batch's id is in the field `Idempotency-Key`. Errors do not repeat the text of a service's response, since it may
/// name users, nor the address's path and query, nor any header.
public struct HTTPSink: EventSink {
  private let url: URL
  private let format: HTTPEventFormat
  private let fields: HTTPFields
  private let client: HTTPClient
  private let timeout: Duration
  private let date: @Sendable () -> HTTPDate

  /// Creates a sink.
  ///
  /// - Parameters:
  ///   - url: The address that batches are posted to, such as `https://collector.example/v1/logs`.
  ///   - format: The format of a batch.
  ///   - headers: Additional header fields, such as `Authorization`.
  ///   - plaintextHosts: The hosts for which plain http is allowed, besides the machine itself.
  ///   - timeout: The maximum time without any byte of a request or of its answer; in total it is ten times as long.
  /// - Throws: An error if the address is not allowed, or a header is malformed.
  public init(
    _ url: URL, format: HTTPEventFormat, headers: [String: String] = [:], plaintextHosts: Set<String> = [],
    timeout: Duration = .seconds(10)
  ) throws(FlagError) {
    try self.init(
      url, format: format, headers: headers,
      client: HTTPClient(
        SystemTransport(), plaintextHosts: plaintextHosts, limit: 1 << 20, clock: DispatchClock()),
      timeout: timeout)
  }

  package init(
    _ url: URL, format: HTTPEventFormat, headers: [String: String] = [:], client: HTTPClient,
    timeout: Duration = .seconds(10),
    date: @escaping @Sendable () -> HTTPDate = { HTTPDate(secondsSince1970: Int64(Date.now.timeIntervalSince1970)) }
  ) throws(FlagError) {
    do throws(TransportError) { try client.validate(url) } catch { throw .tracking("\(error)") }
    var fields = HTTPFields()
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      guard let field = HTTPFields.Field(name, value) else {
        throw .tracking("expected the name and the value of a header field, found another for \(name)")
      }
      fields[field.name] = field.value
    }
    fields[.contentType] = format.contentType
    fields[.accept] = "application/json"
    self.fields = fields
    self.url = url
    self.format = format
    self.client = client
    self.timeout = timeout
    self.date = date
  }

  /// Posts a batch.
  public func send(_ batch: EventBatch) async -> SinkOutcome {
    let body: [UInt8]
    do throws(FlagError) {
      body = try format.body(of: batch)
    } catch {
      return .refused(error)
    }
    var fields = fields
    if let name = HTTPFieldName("Idempotency-Key") { fields[name] = batch.id }
    do throws(TransportError) {
      var request = TransportRequest(.post, url, fields: fields, body: body)
      // A receipt that cannot be decoded would be asked for by sending the batch again.
      request.acceptsCoding = false
      return outcome(of: try await client.send(request, timeout: timeout))
    } catch {
      // A redirect elsewhere is the answer of a captive portal.
      return .retry(after: nil, .tracking("\(url.authority): \(error)", isTimeout: error.code == .timeout))
    }
  }

  private func outcome(of response: HTTPResponse) -> SinkOutcome {
    let code = response.status.code
    let error = FlagError.tracking(
      "\(url.authority): expected a status of 200 to 299, found \(code)", isTimeout: [408, 504].contains(code))
    switch code {
    // A network's page for signing in, or an app's for any address, is no receipt.
    case 200...299 where response.fields[.contentType].flatMap(MediaType.init)?.essence == "text/html":
      return .retry(after: nil, .tracking("\(url.authority): expected a receipt, found a page of HTML"))
    case 200...299:
      let rejected = format.rejected(response.body)
      return .delivered(
        rejected: rejected,
        rejected == 0 ? nil : .tracking("\(url.authority): expected all events to be taken, \(rejected) were refused"))
    case 413: return .tooLarge(error)
    case _ where code < 400 || format.retries(code):
      return .retry(after: RetryAfter(response.fields, now: date())?.delay, error)
    case 401, 403, 404: return .held(error)
    default: return .refused(error)
    }
  }
}

extension FlagError {
  static func tracking(_ message: String, isTimeout: Bool = false) -> FlagError {
    FlagError(isTimeout ? .timeout : .general, message, provider: .tracking)
  }
}
