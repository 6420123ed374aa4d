import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON

/// The OpenFeature Remote Evaluation Protocol, version 0.3.0.
extension FlagService {
  func evaluate(_ request: ServerRequest) -> HTTPResponse {
    guard let current else { return notReady }
    let key = request.parameters["key"] ?? ""
    let flag = current.place(of: key).map { current.flags[$0] }
    var bytes: [UInt8] = []
    do throws(FlagError) {
      let context = try EvaluationContext(ofrep: request.message.body)
      guard let flag else { throw FlagError(.flagNotFound, "no flag is named \(key.quoted)") }
      bytes.reserveCapacity(256)
      let answer = try current.answer(flag, in: context, at: seconds, isStale: isStale(current))
      flag.write(answer, to: &bytes)
      metrics.record(EvaluationSeries(flag: flag.key, answer))
    } catch {
      // Unknown keys have no series of their own: a client could make up any number.
      metrics.record(EvaluationSeries(flag: flag == nil ? "" : key))
      WrittenFlag.write(error, key: key, to: &bytes)
      return .json(error.code == .flagNotFound ? .notFound : .badRequest, bytes)
    }
    return .json(.ok, bytes)
  }

  func evaluateAll(_ request: ServerRequest) -> HTTPResponse {
    guard let current else { return notReady }
    var bytes: [UInt8] = []
    do throws(FlagError) {
      let context = try EvaluationContext(ofrep: request.message.body)
      bytes.reserveCapacity(128 + 128 * current.flags.count)
      let prefix = options.pathPrefix.isEmpty ? request.forwardedPrefix : options.pathPrefix
      writeAll(of: current, for: context, prefix, to: &bytes)
    } catch {
      WrittenFlag.write(error, key: nil, to: &bytes)
      return .json(.badRequest, bytes)
    }
    // The tag covers the whole answer: with one of the definitions alone, another context would get "not modified".
    let tag = ETag(fingerprintOf: bytes)
    if request.message.names(tag), !isBehind(current, request.target) {
      return HTTPResponse(.notModified, fields: [.eTag: tag.description])
    }
    var response = HTTPResponse.json(.ok, bytes)
    response.fields.append(.eTag, tag.description)
    return response
  }

  private func writeAll(
    of current: ServedDefinitions, for context: EvaluationContext, _ prefix: String, to bytes: inout [UInt8]
  ) {
    let (seconds, isStale) = (seconds, isStale(current))
    var evaluations: [EvaluationSeries] = []
    evaluations.reserveCapacity(current.flags.count)
    bytes += "{\"flags\":[".utf8
    for (number, flag) in current.flags.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      do throws(FlagError) {
        let answer = try current.answer(flag, in: context, at: seconds, isStale: isStale)
        flag.write(answer, to: &bytes)
        evaluations.append(EvaluationSeries(flag: flag.key, answer))
      } catch {
        WrittenFlag.write(error, key: flag.key, to: &bytes)
        evaluations.append(EvaluationSeries(flag: flag.key))
      }
    }
    metrics.record(evaluations)
    bytes += "],\"eventStreams\":[{\"type\":\"sse\",\"endpoint\":{\"requestUri\":\"".utf8
    bytes += (prefix + Self.eventPath.text).utf8
    if let tickets = options.tickets { bytes += "?ticket=\(tickets.current())".utf8 }
    bytes += "\"},\"inactivityDelaySec\":120}]}".utf8
  }

  /// Returns whether a client has seen other definitions than the current ones.
  ///
  /// Behind a load balancer, they may be those of another server. Then the current ones may be stale, and are sent in
  /// full: this server cannot claim that nothing has changed.
  private func isBehind(_ current: ServedDefinitions, _ target: RequestTarget) -> Bool {
    if let tag = target.value(of: "flagConfigEtag") {
      return (ETag(tag)?.opaque ?? tag) != current.tag.opaque
    }
    if let modified = target.value(of: "flagConfigLastModified") {
      return Int64(modified).map { $0 > current.loadedDate.secondsSince1970 } ?? true
    }
    return false
  }
}

extension HTTPResponse {
  fileprivate static func json(_ status: HTTPStatus, _ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(status, fields: [.contentType: "application/json"], body: bytes)
  }
}

extension EvaluationContext {
  /// Parses the body of an evaluation request: an object with the context.
  ///
  /// A context may lack a targeting key, such as a visitor's; only flags that need one report an error.
  ///
  /// - Throws: A parse error if the body is not JSON, otherwise `INVALID_CONTEXT`.
  init(ofrep body: [UInt8]) throws(FlagError) {
    guard case .object(let fields) = try FlagValue.reading(json: body) else {
      throw FlagError(.parseError, "expected an object with the member \"context\"")
    }
    guard case .object(let attributes)? = fields["context"] else {
      let found = fields["context"]?.typeName ?? "nothing"
      throw FlagError(.invalidContext, "context: expected an object, found \(found)")
    }
    switch attributes["targetingKey"] {
    case nil, .string: self.init(attributes: attributes)
    case let key?:
      throw FlagError(.invalidContext, "context.targetingKey: expected a string, found \(key.typeName)")
    }
  }
}
