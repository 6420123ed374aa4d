/// The action that a request wants for its target.
package struct HTTPMethod: Hashable, Sendable {
  /// The name, which is case-sensitive.
  package let name: String

  /// Creates a method, or nil if the name is not a token.
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

  /// Whether a request of this method must give the length of its content, even if it has none.
  ///
  /// RFC 9110, 8.6: a client sends the length, 0 included, if the method defines a meaning for content.
  package var anticipatesContent: Bool { self == .post || self == .put || self == .patch }
}

extension HTTPMethod: CustomStringConvertible {
  package var description: String { name }
}
