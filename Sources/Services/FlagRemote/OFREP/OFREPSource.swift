import FlagDomain
import FlagFoundation
import FlagHTTP
import FlagJSON
import FlagServices
import FlagTransport

/// The OpenFeature Remote Evaluation Protocol, version 0.3.0: all answers for one context, evaluated by the service.
struct OFREPSource: AnswerSource {
  let connection: ServiceConnection
  let privateAttributes: Set<String>

  private var address: ServiceAddress { connection.address }
  var identity: [String] { ["ofrep", address.url.absoluteString] }
  var credentials: [String] { address.client }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] {
    context.values.filter { $0.key == "targetingKey" || !privateAttributes.contains($0.key) }
  }

  func fetch(
    _ fetch: Follower.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<RemoteAnswers> {
    defer { onEnd() }
    do throws(FlagError) {
      return await connection.fetch(try request(for: fetch), code: OFREPAnswers.errorCode) { body throws(FlagError) in
        let bulk = try OFREPAnswers(body, base: address.url)
        return (bulk.answers, bulk.sources)
      }
    } catch {
      return .failure(FetchFailure(error: error))
    }
  }

  private func request(for fetch: Follower.Fetch) throws(FlagError) -> TransportRequest {
    let body = try FlagValue.object(["context": .object(disclosed(fetch.context))]).json()
    let hints = [("flagConfigEtag", fetch.hint?.tag), ("flagConfigLastModified", fetch.hint?.lastModified)]
    let query = hints.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
    return address.request(.post, bulk(query.joined(separator: "&")), tag: fetch.tag, body: body)
  }

  private func bulk(_ query: String) -> URL {
    let url = address.url.appending(path: "ofrep/v1/evaluate/flags")
    guard !query.isEmpty, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
    let own = components.percentEncodedQuery.map { [$0] } ?? []
    components.percentEncodedQuery = (own + [query]).joined(separator: "&")
    return components.url ?? url
  }

  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure {
    await connection.follow(stream, inactivity: inactivity, onEvent: onEvent) { Self.change(of: $0) }
  }

  func content(of body: [UInt8]) throws(FlagError) -> RemoteAnswers {
    try OFREPAnswers(body, base: address.url).answers
  }

  /// Returns a body without the addresses of streams, which may contain tickets.
  func cacheText(of content: RemoteAnswers, _ body: [UInt8]?) throws(FlagError) -> [UInt8]? {
    guard let body else { return nil }
    return try OFREPAnswers.withoutStreams(body)
  }

  /// Returns the change that an event announces; nil for an event of an unknown type.
  private static func change(of event: ServerSentEvent) -> StreamEvent? {
    let value: FlagValue
    do throws(FlagError) {
      value = try FlagValue.reading(json: event.data)
    } catch {
      return nil
    }
    guard let members = value.fields, members["type"]?.text == "refetchEvaluation" else { return nil }
    let lastModified: String? =
      switch members["lastModified"] {
      case .string(let date)?: date
      case .int(let seconds)?: String(seconds)
      default: nil
      }
    return .changed(ChangeHint(tag: members["etag"]?.text, lastModified: lastModified))
  }
}
