import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import Foundation

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
    ["definitions"] + (format is InHouseFormat ? [] : [format.name]) + connection.address.identity
  }

  /// The stream of the options, which an answer that is unchanged since the last start does not bring.
  var streams: [EventSource] { events?.offer == nil ? source : [] }

  private var source: [EventSource] { events.map { [EventSource(url: $0.url)] } ?? [] }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] { [:] }

  func fetch(
    _ fetch: Follower<EvaluationContext>.Fetch, onEnd: @escaping @Sendable () -> Void
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

  /// Follows the events, each of which is about the definitions; it may name their version, with or without quotes.
  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure {
    await connection.follow(stream, inactivity: inactivity, onEvent: onEvent) { event in
      // What is longer than a version is the document itself, which is requested all the same.
      let names = [event.data, event.id].compactMap { $0 as String? }.filter { $0.utf8.count <= 256 }
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

  func cacheable(_ body: [UInt8]) -> [UInt8] { body }
}
