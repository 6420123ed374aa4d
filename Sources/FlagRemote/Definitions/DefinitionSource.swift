import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import Foundation

/// A source of definitions at an address, the same for all users.
struct DefinitionSource: AnswerSource {
  let connection: ServiceConnection
  let events: URL?
  let format: any DefinitionFormat

  /// The in-house format has no part in it, so that what was kept before there were others is found.
  var identity: [String] {
    ["definitions"] + (format is InHouseFormat ? [] : [format.name]) + connection.address.identity
  }

  /// The stream of the options, which an answer that is unchanged since the last start does not bring.
  var streams: [EventSource] { events.map { [EventSource(url: $0)] } ?? [] }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] { [:] }

  func fetch(
    _ fetch: Follower<EvaluationContext>.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<StoredDefinitions> {
    defer { onEnd() }
    let request = connection.address.request(.get, connection.address.url, tag: fetch.tag)
    return await connection.fetch(request) { body throws(FlagError) in
      (try content(of: body), streams)
    }
  }

  /// Follows the events, each of which is about the definitions; it may name their version, with or without quotes.
  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure {
    await connection.follow(stream, inactivity: inactivity, onEvent: onEvent) { event in
      let names = [event.data, event.id].compactMap { $0 as String? }
      return .changed(ChangeHint(), versions: names.flatMap { [$0, "\"\($0)\""] })
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
