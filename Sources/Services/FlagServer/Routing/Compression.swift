import FlagDomain
import FlagHTTP

/// The compression of responses for clients that accept it.
///
/// Small bodies stay as they are, and so do those of other types than text and JSON, and those of which less than a
/// tenth would be saved. A large one takes time that other clients wait for, so it is left alone, too. The last
/// document is remembered: every client gets the same.
final class Compression: Sendable {
  private static let sizes = 1024...(8 << 20)

  private let last = Locked<(tag: String, body: [UInt8])?>(nil)

  func apply(to response: inout HTTPResponse, for request: HTTPRequest) {
    guard response.status == .ok, Self.sizes.contains(response.body.count), response.isText else { return }
    // Also to a client that did not ask: caches give its response to no other.
    response.fields.append(.vary, "Accept-Encoding")
    guard request.acceptsGzip else { return }
    let tag = response.fields[.eTag]
    let body = compressed(response.body, tag: request.method == .post ? nil : tag)
    guard body.count < response.body.count / 10 * 9 else { return }
    response.body = body
    response.fields[.contentEncoding] = "gzip"
    // The same content in other bytes: a strong tag would promise the same bytes.
    if let tag, tag.hasPrefix("\"") { response.fields[.eTag] = "W/\(tag)" }
  }

  /// Returns a body in compressed form; the tag identifies it, if there is one.
  private func compressed(_ body: [UInt8], tag: String?) -> [UInt8] {
    guard let tag else { return Gzip.compress(body) }
    if let known = last.withLock({ $0 }), known.tag == tag { return known.body }
    let compressed = Gzip.compress(body)
    last.withLock { $0 = (tag, compressed) }
    return compressed
  }
}

extension HTTPResponse {
  fileprivate var isText: Bool {
    guard let type = fields[.contentType].flatMap(MediaType.init)?.essence else { return false }
    return type == "application/json" || type.hasPrefix("text/")
  }
}

extension HTTPRequest {
  /// Whether the client accepts gzip, by name or by a star, and not with the weight 0 (RFC 9110, 12.5.3).
  var acceptsGzip: Bool {
    var weights: [String: Bool] = [:]
    for part in (fields[.acceptEncoding] ?? "").split(separator: ",") {
      let parts = part.split(separator: ";").map { $0.trimmingHTTPSpace.lowercased() }
      guard let name = parts.first else { continue }
      weights[name] = !parts.dropFirst().contains { ["q=0", "q=0.", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    }
    return weights["gzip"] ?? weights["*"] ?? false
  }
}
