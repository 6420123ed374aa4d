import FlagDomain
import FlagJSON
import FlagProviders
import Foundation

/// A bulk evaluation response of the OpenFeature Remote Evaluation Protocol, for one context.
struct OFREPAnswers: Sendable {
  let answers: RemoteAnswers
  let sources: [EventSource]

  /// Parses the body of a bulk evaluation response.
  ///
  /// A malformed answer is left out, and recorded as one of the findings, of which there are at most 100; a malformed
  /// body is an error.
  ///
  /// Addresses of streams are relative to the base.
  init(_ body: [UInt8], base: URL) throws(FlagError) {
    let value = try FlagValue.reading(flags: body)
    guard case .object(let members) = value, case .array(let flags)? = members["flags"] else {
      throw FlagError(.parseError, "expected an object with \"flags\", an array; found another shape")
    }
    var findings: [FlagError] = []
    var answers: [String: Result<FlagAnswer, FlagError>] = [:]
    let shared = members["metadata"]?.fields ?? [:]
    for (index, flag) in flags.enumerated() {
      guard let members = flag.fields, case .string(let key)? = members["key"] else {
        if findings.count < 100 {
          findings.append(FlagError(.parseError, "flags[\(index)]: expected an object with \"key\", a string"))
        }
        continue
      }
      answers[key] = Self.answer(members, shared: shared)
    }
    self.answers = RemoteAnswers(named: answers, findings: findings)
    guard case .array(let streams)? = members["eventStreams"] else {
      sources = []
      return
    }
    sources = streams.compactMap { $0.fields.flatMap { EventSource($0, base: base) } }
  }

  /// Parses the answer for a flag; nil if the service has none.
  private static func answer(
    _ members: [String: FlagValue], shared: [String: FlagValue]
  ) -> Result<FlagAnswer, FlagError>? {
    let own = members["metadata"]?.fields ?? [:]
    let metadata = shared.merging(own) { $1 }.filter { $0.value.isScalar }
    if case .string(let code)? = members["errorCode"] {
      // The service's own text is left out: it may name the client.
      guard code != FlagError.Code.flagNotFound.rawValue else { return nil }
      return .failure(
        FlagError(
          FlagError.Code(ofService: code) ?? .general, "the service could not evaluate the flag", metadata: metadata))
    }
    // Without a variant, servers send an empty name for clients that expect one.
    let variant = members["variant"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    return .success(
      FlagAnswer(
        members["value"], variant: variant,
        reason: members["reason"]?.text.map { ResolutionReason(rawValue: $0) } ?? .unknown, metadata: metadata))
  }
}

extension OFREPAnswers {
  /// Returns the error code in the body of a response that refuses a request; nil if it names none.
  static func errorCode(in body: [UInt8]) -> FlagError.Code? {
    do throws(FlagError) {
      return try FlagValue.reading(json: body).fields?["errorCode"]?.text.flatMap { FlagError.Code(ofService: $0) }
    } catch {
      return nil  // The page of a proxy: the status says what failed.
    }
  }
}

extension FlagError.Code {
  /// Creates the code that a service gives; nil for a text that is no code, since it may name the client.
  fileprivate init?(ofService name: String) {
    let isCode = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard isCode, (1...64).contains(name.utf8.count) else { return nil }
    self.init(rawValue: name)
  }
}

extension EventSource {
  /// Parses the address of a stream; nil for one of an unknown type, or without an address.
  fileprivate init?(_ members: [String: FlagValue], base: URL) {
    guard members["type"]?.text == "sse" else { return nil }
    let text: String
    if let url = members["url"]?.text {
      text = url
    } else {
      guard let endpoint = members["endpoint"]?.fields, let path = endpoint["requestUri"]?.text, path.hasPrefix("/")
      else { return nil }
      text = (endpoint["origin"]?.text ?? base.origin) + path
    }
    guard let url = URL(string: text), url.host() != nil else { return nil }
    self.init(url: url)
    if case .int(let seconds)? = members["inactivityDelaySec"], let seconds = Int32(exactly: seconds), seconds > 0 {
      inactivity = .seconds(seconds)
    }
  }
}

extension URL {
  /// The scheme, the host and the port.
  fileprivate var origin: String {
    var components = URLComponents()
    (components.scheme, components.host, components.port) = (scheme, host(), port)
    return components.string ?? ""
  }
}
