import FlagDomain
import FlagJSON
import Foundation

/// All answers of a service of the OpenFeature Remote Evaluation Protocol for one context.
struct OFREPAnswers: Sendable {
  enum Answer: Hashable, Sendable {
    case answer(FlagAnswer)
    case failure(FlagError.Code)
    case none
  }

  private(set) var answers: [String: Answer] = [:]
  private(set) var sources: [EventSource] = []
  /// What was wrong with single answers.
  private(set) var findings: [FlagError] = []
}

extension OFREPAnswers {
  /// Reads the body of a bulk answer.
  ///
  /// An answer whose shape is wrong is left out, and told of; a body whose shape is wrong is an error.
  ///
  /// - Parameters:
  ///   - body: JSON in UTF-8.
  ///   - base: What the addresses of streams count from.
  /// - Throws: A `FlagError` that says where the body is no JSON, or of another shape.
  init(_ body: [UInt8], base: URL) throws(FlagError) {
    let value = try FlagValue.reading(json: body)
    guard case .object(let members) = value, case .array(let flags)? = members["flags"] else {
      throw FlagError(.parseError, "expected an object with \"flags\", an array; found another shape")
    }
    let shared = members["metadata"]?.members ?? [:]
    for (index, flag) in flags.enumerated() {
      guard let members = flag.members, case .string(let key)? = members["key"] else {
        if findings.count < 100 {
          findings.append(FlagError(.parseError, "flags[\(index)]: expected an object with \"key\", a string"))
        }
        continue
      }
      answers[key] = Answer(members, shared: shared)
    }
    if case .array(let streams)? = members["eventStreams"] {
      sources = streams.compactMap { $0.members.flatMap { EventSource($0, base: base) } }
    }
  }
}

extension OFREPAnswers.Answer {
  fileprivate init(_ members: [String: FlagValue], shared: [String: FlagValue]) {
    if case .string(let code)? = members["errorCode"] {
      // What the service says in words is left out: it may name whoever asks.
      self = code == FlagError.Code.flagNotFound.rawValue ? .none : .failure(FlagError.Code(rawValue: code))
      return
    }
    let own = members["metadata"]?.members ?? [:]
    self = .answer(
      FlagAnswer(
        members["value"], variant: members["variant"]?.text,
        reason: members["reason"]?.text.map { ResolutionReason(rawValue: $0) } ?? .unknown,
        metadata: shared.merging(own) { $1 }.filter { $0.value.isScalar }))
  }
}

extension EventSource {
  /// Reads where a stream is; nil for one of an unknown type, or without an address.
  fileprivate init?(_ members: [String: FlagValue], base: URL) {
    guard members["type"]?.text == "sse" else { return nil }
    let text: String
    if let url = members["url"]?.text {
      text = url
    } else {
      guard let endpoint = members["endpoint"]?.members, let path = endpoint["requestUri"]?.text, path.hasPrefix("/")
      else { return nil }
      text = (endpoint["origin"]?.text ?? base.origin) + path
    }
    guard let url = URL(string: text), url.host() != nil else { return nil }
    self.url = url
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

extension FlagValue {
  /// The members of an object; nil for anything else.
  var members: [String: FlagValue]? { if case .object(let members) = self { members } else { nil } }
  /// The text of a string; nil for anything else.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var isScalar: Bool {
    switch self {
    case .bool, .int, .double, .string: true
    case .null, .array, .object: false
    }
  }
}
