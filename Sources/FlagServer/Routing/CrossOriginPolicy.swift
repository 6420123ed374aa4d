package import FlagHTTP

/// Which pages of other origins may read responses (the Fetch standard, 3.3).
package struct CrossOriginPolicy: Hashable, Sendable {
  package let origins: Set<String>
  package let allowsAll: Bool
  package let methods: [HTTPMethod]

  package init(origins: Set<String>, methods: [HTTPMethod] = [.get, .head, .post]) {
    self.origins = origins
    self.methods = methods
    allowsAll = origins.contains("*")
  }
}

extension CrossOriginPolicy {
  /// Returns what a response says of an origin: itself, a star, or nil where it is not allowed.
  package func allowed(_ origin: String) -> String? { allowsAll ? "*" : origins.contains(origin) ? origin : nil }

  /// Returns whether a browser asks, before it sends a page's request, whether it may.
  package func isPreflight(_ request: HTTPRequest) -> Bool {
    request.method == .options && request.fields[.origin] != nil
      && request.fields[.accessControlRequestMethod] != nil
  }

  /// Returns the header of the answer to a browser that asks; what allows the origin itself is added as to any other.
  package func preflightFields(for request: HTTPRequest) -> HTTPFields {
    guard let origin = request.fields[.origin], allowed(origin) != nil else { return [:] }
    return [
      .accessControlAllowMethods: methods.map(\.name).joined(separator: ", "),
      .accessControlAllowHeaders: "Authorization, Content-Type, If-None-Match, Last-Event-ID, X-API-Key",
      .accessControlMaxAge: "600",
    ]
  }

  /// Adds to the header of a response what lets a page read it; caches are told that it depends on the origin.
  package func decorate(_ fields: inout HTTPFields, for request: HTTPRequest) {
    if !allowsAll { fields.append(.vary, "Origin") }
    guard let origin = request.fields[.origin], let allowed = allowed(origin) else { return }
    fields[.accessControlAllowOrigin] = allowed
    fields[.accessControlExposeHeaders] = "ETag, Retry-After"
  }
}
