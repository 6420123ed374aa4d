import FlagDomain
import FlagHTTP
import FlagJSON
import FlagTransport
import Foundation

/// The OpenFeature Remote Evaluation Protocol, version 0.3.0: all answers for one context, evaluated there.
struct OFREPFormat: ServiceFormat {
  let address: ServiceAddress
  let privateAttributes: Set<String>

  var identity: [String] { ["ofrep"] + address.identity }
  var isPersonal: Bool { true }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] {
    context.values.filter { $0.key == "targetingKey" || !privateAttributes.contains($0.key) }
  }

  func request(for fetch: SyncState.Fetch) throws(FlagError) -> TransportRequest {
    let body = try FlagValue.object(["context": .object(disclosed(fetch.context))]).json()
    let hints = [("flagConfigEtag", fetch.hint?.tag), ("flagConfigLastModified", fetch.hint?.lastModified)]
    let query = hints.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
    return address.request(.post, bulk(query.joined(separator: "&")), tag: fetch.tag, body: body)
  }

  func request(for source: EventSource) -> TransportRequest { address.request(for: source) }

  private func bulk(_ query: String) -> URL {
    let url = address.url.appending(path: "ofrep/v1/evaluate/flags")
    guard !query.isEmpty, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
    let own = components.percentEncodedQuery.map { [$0] } ?? []
    components.percentEncodedQuery = (own + [query]).joined(separator: "&")
    return components.url ?? url
  }

  func content(of body: [UInt8]) throws(FlagError) -> OFREPAnswers { try OFREPAnswers(body, base: address.url) }

  func sources(in content: OFREPAnswers) -> [EventSource] { content.sources }

  /// Leaves out where streams are: the addresses may hold tickets.
  func keepable(_ body: [UInt8]) throws(FlagError) -> [UInt8] {
    guard var members = try FlagValue.reading(json: body).members else { return body }
    members["eventStreams"] = nil
    return try FlagValue.object(members).json()
  }

  func hint(in event: ServerSentEvent, since tag: String?) -> ChangeHint? {
    let value: FlagValue
    do throws(FlagError) {
      value = try FlagValue.reading(json: event.data)
    } catch {
      return nil  // an event of a kind that is not known
    }
    guard let members = value.members, members["type"]?.text == "refetchEvaluation" else { return nil }
    let lastModified: String? =
      switch members["lastModified"] {
      case .string(let date)?: date
      case .int(let seconds)?: String(seconds)
      default: nil
      }
    return ChangeHint(tag: members["etag"]?.text, lastModified: lastModified)
  }

  func answer(
    _ content: OFREPAnswers, for key: FlagKey, in context: EvaluationContext
  ) throws(FlagError) -> FlagAnswer? {
    switch content.answers[key.name] {
    case .answer(let answer)?: return answer
    case .failure(let code)?: throw FlagError(code, "the service could not evaluate the flag")
    case .some(.none), nil: return nil
    }
  }

  func changes(from old: OFREPAnswers, to new: OFREPAnswers) -> ChangedKeys? {
    let names = Set(old.answers.keys).union(new.answers.keys).filter { old.answers[$0] != new.answers[$0] }
    return names.isEmpty ? nil : .some(names)
  }

  func findings(in content: OFREPAnswers) -> [FlagError] { content.findings }
}
