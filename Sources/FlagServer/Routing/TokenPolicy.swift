package import FlagHTTP

/// Who may ask, by a secret in the field that RFC 6750 gives it, or in `X-API-Key`, the other one that OFREP knows.
package struct TokenPolicy: Hashable, Sendable {
  private let tokens: [[UInt8]]

  /// Creates a policy; empty tokens count for nothing, and without any other, nobody may ask.
  package init(tokens: [String]) { self.tokens = tokens.map { Array($0.utf8) } }

  /// Returns whether a request has one of the tokens, in a time that tells nothing of them but their number.
  package func allows(_ request: HTTPRequest) -> Bool {
    if let key = request.fields[.apiKey] { return isToken(key.utf8[...]) }
    guard let value = request.fields[.authorization], value.utf8.count > 7,
      value.utf8.prefix(7).elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 })
    else { return false }
    return isToken(value.utf8.dropFirst(7))
  }

  private func isToken(_ text: Substring.UTF8View) -> Bool {
    // All are compared, whichever one is right.
    tokens.reduce(false) { ConstantTime.equals(text, secret: $1) || $0 }
  }
}
