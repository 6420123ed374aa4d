/// What tells one state of a resource from another (RFC 9110, 8.8.3).
package struct ETag: Hashable, Sendable {
  /// What is between the quotes.
  package let opaque: String
  /// Whether two states with this tag may differ where it does not matter.
  package let isWeak: Bool

  /// Creates a tag, or nil where a character may not be part of one: a quote, a space, a control character.
  package init?(opaque: String, isWeak: Bool = false) {
    guard opaque.utf8.allSatisfy(\.isETagCharacter) else { return nil }
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// Reads the value of a field; nil where it is no single tag.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    guard let tag = ETag(from: &rest), rest.isEmpty else { return nil }
    self = tag
  }

  /// Takes a tag off the beginning of a text.
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
}

extension ETag {
  /// Returns whether both stand for states that are as good as the same.
  package func matchesWeakly(_ other: ETag) -> Bool { opaque == other.opaque }
}

extension ETag: CustomStringConvertible {
  package var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }
}

/// The tags that a request names in a condition, as those of `If-Match` and `If-None-Match`.
package enum ETagCondition: Hashable, Sendable {
  case any
  case tags([ETag])

  /// Reads the value of a field; nil where it is neither a star nor a list of tags.
  ///
  /// A list may have empty elements (RFC 9110, 5.6.1), but not those alone.
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
}

extension ETagCondition {
  /// Returns whether a state is named, in the way of `If-None-Match`: what is as good as the same counts.
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
