import FlagDomain

/// The place of an attribute in a context: a name, or names of nested members.
final class AttributeReference: Sendable {
  private enum First: Sendable {
    case key, kind, anonymous
    case named(ContextAttribute)
  }

  private let first: First
  private let rest: [String]

  private init(_ first: String, _ rest: [String] = []) {
    self.rest = rest
    self.first =
      switch first {
      case "key": .key
      case "kind": .kind
      case "anonymous": .anonymous
      default: .named(ContextAttribute(first))
      }
  }

  /// Whether it is the kind of a context, by which all contexts are asked.
  var isKind: Bool {
    if case .kind = first { rest.isEmpty } else { false }
  }

  static let key = AttributeReference("key")
}

extension AttributeReference {
  /// A text that refers to nothing.
  struct Malformed: Error, Hashable {
    let message: String
  }

  /// Reads a reference.
  ///
  /// - Parameters:
  ///   - text: The text: a name, or after a slash names between slashes, in which `~1` is a slash and `~0` a tilde.
  ///   - isLiteral: Whether the text is a name with whatever characters, as in flags from before there were kinds.
  /// - Throws: The reason why the text refers to nothing.
  convenience init(_ text: String, isLiteral: Bool) throws(Malformed) {
    guard !text.isEmpty, isLiteral || text != "/" else {
      throw Malformed(message: "expected the name of an attribute, found none")
    }
    guard !isLiteral, text.utf8.first == UInt8(ascii: "/") else {
      self.init(text)
      return
    }
    var names: [String] = []
    for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      names.append(try Self.name(part))
    }
    self.init(names[0], Array(names.dropFirst()))
  }

  /// Returns a name without escapes.
  private static func name(_ part: Substring.UTF8View) throws(Malformed) -> String {
    guard !part.isEmpty else { throw Malformed(message: "expected a name between two slashes, found none") }
    guard part.contains(UInt8(ascii: "~")) else { return String(Substring(part)) }
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in part {
      switch (isEscape, byte) {
      case (true, UInt8(ascii: "0")): bytes.append(UInt8(ascii: "~"))
      case (true, UInt8(ascii: "1")): bytes.append(UInt8(ascii: "/"))
      case (true, _): throw Malformed(message: "expected 0 or 1 after a tilde, found another character")
      case (false, UInt8(ascii: "~")): break
      case (false, _): bytes.append(byte)
      }
      isEscape = !isEscape && byte == UInt8(ascii: "~")
    }
    guard !isEscape else { throw Malformed(message: "expected 0 or 1 after a tilde, found the end") }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension EvaluationContext {
  /// The value that a reference leads to in the context of a kind; nil for none and for null.
  func value(of reference: AttributeReference, in kind: ContextKind) -> FlagValue? {
    switch kind {
    case .user: reference.value(of: self)
    case .other(let name): others(name).flatMap { reference.value(of: $0, kind: name) }
    }
  }
}

extension AttributeReference {
  fileprivate func value(of context: EvaluationContext) -> FlagValue? {
    switch first {
    case .key: return member(of: context.targetingKey.map(FlagValue.string))
    case .kind: return member(of: .string(ContextKind.userName))
    case .anonymous: return member(of: context.isAnonymous.map(FlagValue.bool))
    case .named(let attribute): return member(of: context[attribute])
    }
  }

  fileprivate func value(of members: [String: FlagValue], kind: String) -> FlagValue? {
    switch first {
    case .key: return member(of: members.member("key"))
    case .kind: return member(of: .string(kind))
    case .anonymous: return member(of: members.member("anonymous") ?? .bool(false))
    case .named(let attribute): return member(of: members.member(attribute.name))
    }
  }

  private func member(of value: FlagValue?) -> FlagValue? {
    var value = value
    for name in rest {
      guard case .object(let members)? = value else { return nil }
      value = members.member(name)
    }
    if case .null? = value { return nil }
    return value
  }
}

extension EvaluationContext {
  /// Whether the user is anonymous: as an attribute says, or because it is a visitor; nil without a user or visitor.
  var isAnonymous: Bool? {
    guard targetingKey != nil else { return nil }
    if case .bool(let isAnonymous)? = self["anonymous"] { return isAnonymous }
    return user == nil
  }
}

extension AttributeReference {
  /// The attribute's name in the package's rules, with dots: `organization.plan`.
  func name(in kind: ContextKind) -> String {
    let names: [String]
    switch (kind, first) {
    case (.user, .key): return "targetingKey"
    case (.user, _): names = []
    case (.other(let name), _): names = [name]
    }
    let first =
      switch first {
      case .key: "key"
      case .kind: "kind"
      case .anonymous: "anonymous"
      case .named(let attribute): attribute.name
      }
    return (names + [first] + rest).joined(separator: ".")
  }
}
