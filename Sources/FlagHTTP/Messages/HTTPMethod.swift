/// What a request asks to be done with its target.
package struct HTTPMethod: Hashable, Sendable {
  /// The name, whose case counts.
  package let name: String

  /// Creates a method, or nil where the name is no token.
  package init?(_ name: String) {
    guard name.isHTTPToken else { return nil }
    self.name = name
  }

  private init(known name: String) { self.name = name }

  package static let get = HTTPMethod(known: "GET")
  package static let head = HTTPMethod(known: "HEAD")
  package static let post = HTTPMethod(known: "POST")
  package static let put = HTTPMethod(known: "PUT")
  package static let patch = HTTPMethod(known: "PATCH")
  package static let options = HTTPMethod(known: "OPTIONS")
  package static let connect = HTTPMethod(known: "CONNECT")
}

extension HTTPMethod {
  /// Whether a request of this method is expected to say how long its content is, even where there is none.
  ///
  /// RFC 9110, 8.6: a client that sends a method that has a meaning for content says its length, 0 included.
  package var anticipatesContent: Bool { self == .post || self == .put || self == .patch }
}

extension HTTPMethod: CustomStringConvertible {
  package var description: String { name }
}
