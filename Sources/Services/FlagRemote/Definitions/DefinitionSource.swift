import FlagDefinitions
import FlagDomain
import FlagFoundation
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagServices

/// A source of definitions at an address, the same for all users.
struct DefinitionSource: AnswerSource {
  let connection: ServiceConnection
  let events: Events?
  let format: any DefinitionFormat

  /// A stream of events that announces changes.
  struct Events {
    let url: URL
    /// The header field by which an answer offers the stream; nil for one that is always there.
    var offer: (name: HTTPFieldName, value: String)?

    func isOffered(by fields: HTTPFields) -> Bool {
      offer.map { fields.contains($0.value, in: $0.name) } ?? true
    }
  }

  /// The in-house format has no part in it, so that what was kept before there were others is found.
  var identity: [String] {
    ["definitions"] + (format is InHouseFormat ? [] : [format.name]) + [connection.address.url.absoluteString]
  }

  var credentials: [String] { connection.address.client }

  /// The stream of the options, which an answer that is unchanged since the last start does not bring.
  var streams: [EventSource] { events?.offer == nil ? source : [] }

  private var source: [EventSource] { events.map { [EventSource(url: $0.url)] } ?? [] }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] { [:] }

  func fetch(
    _ fetch: Follower.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<StoredDefinitions> {
    defer { onEnd() }
    let request = connection.address.request(.get, connection.address.url, tag: fetch.tag)
    return await connection.fetch(request) {
      events?.isOffered(by: $0) == true ? source : []
    } read: {
      body throws(FlagError) in
      (try content(of: body), [])
    }
  }

  /// Follows the events, each of which is about the definitions; its data may be their version, with or without quotes.
  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure {
    await connection.follow(stream, inactivity: inactivity, onEvent: onEvent) { event in
      // What is longer than a version is the document itself, which is requested all the same.
      let names = [event.data, event.flagctlVersion].compactMap(\.self).filter { $0.utf8.count <= 256 }
      return .changed(ChangeHint(), versions: names.flatMap { [$0, "\"\($0)\"", "W/\"\($0)\""] })
    }
  }

  func content(of body: [UInt8]) throws(FlagError) -> StoredDefinitions {
    do throws(FlagDocumentError) {
      return try StoredDefinitions(parsing: body, format: format)
    } catch {
      let problems = error.diagnostics.prefix(3).map(\.description).joined(separator: "; ")
      throw FlagError(.parseError, "expected definitions, found: \(problems)")
    }
  }
}

extension ServerSentEvent {
  /// The version that an event of flagctl's server names, in its data and as its id; nil for any other event.
  ///
  /// An id alone names none: other services number their events, and an event without one has that of the one before.
  fileprivate var flagctlVersion: String? {
    guard !id.isEmpty, data.utf8.count <= 1024 else { return nil }
    do throws(FlagError) {
      let members = try FlagValue.reading(json: data).fields
      return members?["type"]?.text == "refetchEvaluation" && members?["etag"]?.text == id ? id : nil
    } catch {
      return nil  // The data of another service.
    }
  }
}
