import FlagDefinitions
import FlagDomain
import FlagFoundation
import FlagJSON
import FlagServices

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
    let bulk: (answers: RemoteAnswers, streams: FlagValue?)?
    do throws(JSONError) {
      bulk = try JSONReader.read(body) { json throws(JSONError) in try Self.read(&json, of: body) }
    } catch {
      throw FlagError(error, in: body)
    }
    guard let bulk else {
      throw FlagError(.parseError, "expected an object with \"flags\", an array; found another shape")
    }
    answers = bulk.answers
    sources = (bulk.streams?.elements ?? []).compactMap { $0.fields.flatMap { EventSource($0, base: base) } }
  }

  /// Reads a response flag by flag, so that only one of them is a value at a time; nil if it has another shape.
  private static func read(
    _ json: inout JSONReader, of body: [UInt8]
  ) throws(JSONError) -> (answers: RemoteAnswers, streams: FlagValue?)? {
    json.keepsHugeNumbers = true
    guard json.kind == .object else {
      try json.finish()
      return nil
    }
    var (flags, shared, streams): (JSONReader.Mark?, [String: FlagValue], FlagValue?) = (nil, [:], nil)
    try json.enterObject()
    while let name = try json.nextMember() {
      switch name {
      case "flags": flags = json.kind == .array ? json.mark : nil
      case "metadata": shared = (try json.readValue().fields ?? [:]).filter(\.value.isScalar)
      case "eventStreams": streams = try json.readValue()
      default: break
      }
    }
    try json.finish()
    guard let flags else { return nil }
    json.reset(to: flags)
    return (try answers(&json, of: body, shared: shared), streams)
  }

  /// Reads the array of flags.
  private static func answers(
    _ json: inout JSONReader, of body: [UInt8], shared: [String: FlagValue]
  ) throws(JSONError) -> RemoteAnswers {
    var (findings, units): ([FlagError], Set<String>) = ([], [])
    var ranges = StringMap<Range<Int>>()
    var index = 0
    try json.enterArray()
    while try json.nextElement() {
      defer { index += 1 }
      let start = json.offset
      guard let members = try json.readValue().fields, case .string(let key)? = members["key"] else {
        if findings.count < 100 {
          findings.append(FlagError(.parseError, "flags[\(index)]: expected an object with \"key\", a string"))
        }
        continue
      }
      ranges[key] = start..<json.offset
      if case .success(let answer)? = answer(members, shared: shared), let unit = answer.metadata.unitAttribute {
        units.insert(unit)
      }
    }
    let texts = AnswerTexts(body, ranges: ranges, shared: shared, findings: findings, unitAttributes: units) { text in
      do throws(JSONError) {
        return try FlagValue(json: text, keepsHugeNumbers: true).fields.flatMap { answer($0, shared: shared) }
      } catch {
        return .failure(FlagError(.parseError, "\(error)"))  // It was read before.
      }
    }
    return RemoteAnswers(texts)
  }

  /// Parses the answer for a flag; nil if the service has none.
  private static func answer(
    _ members: [String: FlagValue], shared: [String: FlagValue]
  ) -> Result<FlagAnswer, FlagError>? {
    let own = members["metadata"]?.fields ?? [:]
    // Where a flag has none of its own, all flags have the same storage.
    let metadata = own.isEmpty ? shared : shared.merging(own) { $1 }.filter { $0.value.isScalar }
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

  /// Returns a body without the addresses of streams: the same one if it has none, else the rest of its members.
  static func withoutStreams(_ body: [UInt8]) throws(FlagError) -> [UInt8] {
    var (members, hasStreams): ([(name: String, value: Range<Int>)], Bool) = ([], false)
    do throws(JSONError) {
      try JSONReader.read(body) { json throws(JSONError) in
        guard json.kind == .object else { return }
        try json.enterObject()
        while let name = try json.nextMember() {
          if name == "eventStreams" { hasStreams = true } else { members.append((name, try json.skipValue())) }
        }
      }
    } catch {
      throw FlagError(error, in: body)
    }
    guard hasStreams else { return body }
    var rest: [UInt8] = []
    rest.reserveCapacity(body.count)
    for (name, value) in members {
      rest += (rest.isEmpty ? "{" : ",").utf8
      rest += try FlagValue.string(name).json() + [UInt8(ascii: ":")]
      rest += body[value]
    }
    return rest + (rest.isEmpty ? "{}" : "}").utf8
  }

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
