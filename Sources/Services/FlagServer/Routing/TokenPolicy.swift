package import FlagHTTP

/// The tokens that authorize requests, sent as RFC 6750 describes, or in `X-API-Key`, which OFREP allows, too.
package struct TokenPolicy: Hashable, Sendable {
  private let tokens: [[UInt8]]

  /// Creates a policy; empty tokens are ignored, and without any other, all requests are refused.
  package init(tokens: [String]) { self.tokens = tokens.map { Array($0.utf8) } }

  /// Returns whether a request has one of the tokens, in a time that reveals only their number.
  package func allows(_ request: HTTPRequest) -> Bool {
    if let key = request.fields[.apiKey] { return isToken(key.utf8[...]) }
    guard let value = request.fields[.authorization], value.utf8.count > 7,
      value.utf8.prefix(7).elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 })
    else { return false }
    return isToken(value.utf8.dropFirst(7))
  }

  private func isToken(_ text: Substring.UTF8View) -> Bool {
    // All are compared, even after a match.
    tokens.reduce(false) { ConstantTime.equals(text, secret: $1) || $0 }
  }
}
