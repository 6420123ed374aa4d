/// A struct with the attribute `@FlagSet`, as far as its expansions need it.
struct SetDeclaration {
  var access: Access?
  var name: String
  var path: Key
  var key: Key?
  var style: String?
  /// The arguments that make the metadata.
  var metadata: String
  /// The flags and groups that can be read; the expansions of the others report them.
  var members: [Member] = []

  /// A flag or a group, and the condition under which it stands.
  struct Member {
    var content: Content
    /// The condition of the `#if` blocks around it, or nil.
    var condition: String?

    enum Content {
      case flag(FlagDeclaration)
      case group(GroupDeclaration)
    }
  }
}

extension SetDeclaration {
  /// Makes sense of a declaration; throws where it cannot be a set.
  init(_ source: SourceText) throws(Problem) {
    var parser = DeclarationParser(source)
    let attributes = parser.parseAttributes()
    guard let attribute = attributes.first(where: { $0.name == "FlagSet" }) else {
      throw parser.problem(.unreadable(expected: "@FlagSet"))
    }
    access = parser.parseModifiers().access
    name = try parser.parseStructName()
    path = try source.path(of: attribute)
    try source.checkDescription(of: attribute, named: "the set '\(name)'")
    key = try source.key(of: attribute, mayBeEmpty: true)
    style = attribute["style"].map { source.text(of: $0.value) }
    metadata = source.metadata(of: attribute, in: name)
    members = try parser.parseMembers(of: name)
  }

  /// The keys that stand for more than one flag, each at its second place.
  var duplicateKeys: [Problem] {
    var first: [String: FlagDeclaration] = [:]
    return members.compactMap { member in
      guard case .flag(let flag) = member.content, let key = flag.key, member.condition == nil else { return nil }
      guard let known = first[key.text] else {
        first[key.text] = flag
        return nil
      }
      return Problem(.duplicateKey(key.text, first: known.name), at: key.range)
    }
  }
}

extension SourceText {
  fileprivate func path(of attribute: Attribute) throws(Problem) -> Key {
    guard let name = attribute.unlabeled else { throw Problem(.noName, at: bytes(of: attribute.indices)) }
    return try key(of: name.value, mayBeEmpty: false, orElse: .nameNotLiteral)
  }
}
