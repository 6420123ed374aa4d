import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON
import FlagTransport
import Foundation

/// Definitions in the in-house format, the same for everyone, evaluated here.
struct DefinitionsFormat: ServiceFormat, DefinitionsAnswering {
  let address: ServiceAddress
  let events: URL?
  let bucketing: Bucketing
  /// The time that rules see, in seconds since the beginning of 1970.
  let now: @Sendable () -> Int64

  var identity: [String] { ["definitions"] + address.identity }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] { [:] }

  func request(for fetch: SyncState.Fetch) -> TransportRequest { address.request(.get, address.url, tag: fetch.tag) }

  func request(for source: EventSource) -> TransportRequest { address.request(for: source) }

  func content(of body: [UInt8]) throws(FlagError) -> FlagDocument {
    do throws(FlagDocumentError) {
      return try FlagDocument(parsing: Data(body), bucketing: bucketing)
    } catch {
      let problems = error.diagnostics.prefix(3).map(\.description).joined(separator: "; ")
      throw FlagError(.parseError, "expected definitions, found: \(problems)")
    }
  }

  func sources(in content: FlagDocument) -> [EventSource] { events.map { [EventSource(url: $0)] } ?? [] }

  func keepable(_ body: [UInt8]) -> [UInt8] { body }

  /// Any event is about the definitions; one that names the version that is here already says nothing new.
  func hint(in event: ServerSentEvent, since tag: String?) -> ChangeHint? {
    guard let tag else { return ChangeHint() }
    return [event.data, event.id].contains(where: { $0 == tag || "\"\($0)\"" == tag }) ? nil : ChangeHint()
  }
}

/// Answers that definitions give, the same for everyone.
protocol DefinitionsAnswering: AnswerFormat where Content == FlagDocument {
  /// The time that rules see, in seconds since the beginning of 1970.
  var now: @Sendable () -> Int64 { get }
}

extension DefinitionsAnswering {
  var isPersonal: Bool { false }

  func answer(
    _ content: FlagDocument, for key: FlagKey, in context: EvaluationContext
  ) throws(FlagError) -> FlagAnswer? {
    try content.evaluate(key.name, in: context, at: now())
  }

  func changes(from old: FlagDocument, to new: FlagDocument) -> ChangedKeys? {
    let names = new.changedKeys(from: old)
    return names.isEmpty ? nil : .some(names)
  }

  /// What is wrong with single flags of the document; of many, the first hundred.
  func findings(in content: FlagDocument) -> [FlagError] {
    content.diagnostics.prefix(100).map { FlagError(.parseError, "\($0)") }
  }
}
