/// A validator of one state of a resource (RFC 9110, 8.8.3).
package struct ETag: Hashable, Sendable {
  /// The text between the quotes.
  package let opaque: String
  /// Whether two states with this tag may differ insignificantly.
  package let isWeak: Bool

  /// Creates a tag, or nil if it has a character that tags may not have: a quote, a space, a control character.
  package init?(opaque: String, isWeak: Bool = false) {
    guard opaque.utf8.allSatisfy(\.isETagCharacter) else { return nil }
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// Parses the value of a field; nil if it is not a single tag.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    guard let tag = ETag(from: &rest), rest.isEmpty else { return nil }
    self = tag
  }

  /// Removes a tag from the beginning of a text.
  fileprivate init?(from text: inout Substring.UTF8View) {
    let isWeak = text.starts(with: "W/".utf8)
    var rest = text.dropFirst(isWeak ? 2 : 0)
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    let opaque = rest.prefix(while: \.isETagCharacter)
    rest = rest[opaque.endIndex...]
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    self.opaque = String(Substring(opaque))
    self.isWeak = isWeak
    text = rest
  }

  /// Returns whether both tags are equal under weak comparison.
  package func matchesWeakly(_ other: ETag) -> Bool { opaque == other.opaque }
}

extension ETag: CustomStringConvertible {
  package var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }
}

/// The tags of a conditional request, as in `If-Match` and `If-None-Match`.
package enum ETagCondition: Hashable, Sendable {
  case any
  case tags([ETag])

  /// Parses the value of a field; nil if it is neither a star nor a list of tags.
  ///
  /// A list may have empty elements (RFC 9110, 5.6.1), but not only those.
  package init?(_ text: String) {
    if text.trimmingHTTPSpace == "*" {
      self = .any
      return
    }
    var tags: [ETag] = []
    var rest = text.utf8[...]
    var isSeparated = true
    while let byte = rest.first {
      if byte.isHTTPSpace {
        rest.removeFirst()
      } else if byte == UInt8(ascii: ",") {
        rest.removeFirst()
        isSeparated = true
      } else {
        guard isSeparated, let tag = ETag(from: &rest) else { return nil }
        tags.append(tag)
        isSeparated = false
      }
    }
    guard !tags.isEmpty else { return nil }
    self = .tags(tags)
  }

  /// Returns whether the condition names a tag under weak comparison, as `If-None-Match` requires.
  package func matchesWeakly(_ tag: ETag) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { $0.matchesWeakly(tag) }
    }
  }
}

extension UInt8 {
  fileprivate var isETagCharacter: Bool { self == 0x21 || self >= 0x23 && self != 0x7F }
}
