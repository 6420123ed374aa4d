import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagTransport
import Foundation

/// Definitions in the in-house format, the same for everyone, evaluated here.
struct DefinitionsFormat: ServiceFormat, DefinitionsAnswering {
  let address: ServiceAddress
  let events: URL?
  let bucketing: Bucketing
  /// The time that rules see.
  let clock: WallClock

  var identity: [String] { ["definitions"] + address.identity }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] { [:] }

  func request(for fetch: SyncState.Fetch) -> TransportRequest { address.request(.get, address.url, tag: fetch.tag) }

  func request(for source: EventSource) -> TransportRequest { address.request(for: source) }

  func content(of body: [UInt8]) throws(FlagError) -> TimedDocument {
    do throws(FlagDocumentError) {
      return TimedDocument(try FlagDocument(parsing: body, bucketing: bucketing), at: clock.moment)
    } catch {
      let problems = error.diagnostics.prefix(3).map(\.description).joined(separator: "; ")
      throw FlagError(.parseError, "expected definitions, found: \(problems)")
    }
  }

  func sources(in content: TimedDocument) -> [EventSource] { events.map { [EventSource(url: $0)] } ?? [] }

  func keepable(_ body: [UInt8]) -> [UInt8] { body }

  /// Any event is about the definitions; one that names the version that is here already says nothing new.
  func hint(in event: ServerSentEvent, since tag: String?) -> ChangeHint? {
    guard let tag else { return ChangeHint() }
    return [event.data, event.id].contains(where: { $0 == tag || "\"\($0)\"" == tag }) ? nil : ChangeHint()
  }
}
