package import FlagHTTP

/// The origins whose pages may read responses (the Fetch standard, 3.3).
package struct CrossOriginPolicy: Hashable, Sendable {
  package let origins: Set<String>
  package let allowsAll: Bool
  package let methods: [HTTPMethod]

  package init(origins: Set<String>, methods: [HTTPMethod] = [.get, .head, .post]) {
    self.origins = origins
    self.methods = methods
    allowsAll = origins.contains("*")
  }

  /// Returns the allowed origin for a response: the origin itself, a star, or nil if it is not allowed.
  package func allowed(_ origin: String) -> String? { allowsAll ? "*" : origins.contains(origin) ? origin : nil }

  /// Returns whether a request is a preflight, by which a browser asks for permission to send a page's request.
  package func isPreflight(_ request: HTTPRequest) -> Bool {
    request.method == .options && request.fields[.origin] != nil
      && request.fields[.accessControlRequestMethod] != nil
  }

  /// Returns the header of the response to a preflight; the field that allows the origin is added as to any response.
  package func preflightFields(for request: HTTPRequest) -> HTTPFields {
    guard let origin = request.fields[.origin], allowed(origin) != nil else { return [:] }
    return [
      .accessControlAllowMethods: methods.map(\.name).joined(separator: ", "),
      .accessControlAllowHeaders: Self.fieldNames(for: request),
      .accessControlMaxAge: "600",
    ]
  }

  /// The names of the fields that a preflight asks for, if all are names; otherwise those of the server's own clients.
  private static func fieldNames(for request: HTTPRequest) -> String {
    let asked = request.fields[.accessControlRequestHeaders] ?? ""
    let names = asked.split(separator: ",").map(\.trimmingHTTPSpace)
    let isList = asked.utf8.count <= 2048 && !names.isEmpty && names.allSatisfy { HTTPFieldName(String($0)) != nil }
    return isList
      ? names.joined(separator: ", ") : "Authorization, Content-Type, If-None-Match, Last-Event-ID, X-API-Key"
  }

  /// Adds the fields that let a page read a response; `Vary` makes caches distinguish origins.
  package func decorate(_ fields: inout HTTPFields, for request: HTTPRequest) {
    if !allowsAll { fields.append(.vary, "Origin") }
    guard let origin = request.fields[.origin], let allowed = allowed(origin) else { return }
    fields[.accessControlAllowOrigin] = allowed
    fields[.accessControlExposeHeaders] = "ETag, Retry-After"
  }
}
