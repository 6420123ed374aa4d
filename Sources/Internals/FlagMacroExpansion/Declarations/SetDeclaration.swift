import FlagSyntax

/// A parsed struct with the attribute `@FlagSet`.
struct SetDeclaration {
  var access: Access?
  /// The range of the modifier `private`, in bytes; nil without it.
  var privateRange: Range<Int>?
  var name: String
  var path: Key
  var key: Key?
  var style: String?
  /// The arguments of the metadata's initializer.
  var metadata: String
  /// The flags and groups that could be parsed; the expansions of the others report their problems.
  var members: [Member] = []
  /// The problems of the body that do not keep it from being parsed.
  var problems: [Problem] = []

  struct Member {
    var content: any SetMember
    /// The condition of the `#if` blocks around it, or nil.
    var condition: String?
  }
}

/// A flag or a group of a set, with the parts that the set's expansions need of both.
protocol SetMember {
  var access: Access? { get }
  /// The name without backticks; `identifier` is the name as written in code.
  var name: String { get }
  var identifier: String { get }
  /// The name of the typealias for the type, which is written only there.
  var alias: String { get }
  var aliasedType: String { get }
  /// The place of the type, or of the value that implies it, in the source of the set.
  var typePlace: Place { get }
  /// The type of the stored property.
  var storedType: String { get }
  /// The documentation comment of what is made of the member.
  var documentation: [String] { get }

  /// Returns the lines that make the flag, or the group's flags, and store them.
  func makeAssignment() -> [String]
}

extension SetDeclaration {
  init(_ source: SourceText) throws(Problem) {
    var parser = DeclarationParser(source)
    let attributes = parser.parseAttributes()
    guard let attribute = attributes.first(where: { $0.name == "FlagSet" }) else {
      throw parser.problem(.unreadable(expected: "@FlagSet"))
    }
    let modifiers = parser.parseModifiers()
    access = modifiers.access
    privateRange = modifiers.first { $0.text == Access.private.rawValue }?.range
    name = try parser.parseStructName()
    path = try source.path(of: attribute)
    try source.checkDescription(of: attribute, named: "the set '\(name)'")
    key = try source.key(of: attribute, mayBeEmpty: true)
    style = attribute["style"].map { source.text(of: $0.value) }
    metadata = source.metadata(of: attribute, in: name)
    (members, problems) = try parser.parseMembers(of: name)
    problems += duplicateKeys + similarNames + readFlags
    markRepeatedGroups()
  }

  private mutating func markRepeatedGroups() {
    var types: Set<String> = []
    for index in members.indices where members[index].condition == nil {
      guard var group = members[index].content as? GroupDeclaration else { continue }
      group.isRepeated = !types.insert(group.type).inserted
      members[index].content = group
    }
  }

  /// Whether the set has storage that its initializer cannot initialize.
  var hasStorage: Bool {
    problems.contains { if case .storage = $0.kind { true } else { false } }
  }

  var unconditionalFlags: [FlagDeclaration] {
    members.lazy.filter { $0.condition == nil }.compactMap { $0.content as? FlagDeclaration }
  }

  /// The problems of flags that have the same key as an earlier flag.
  private var duplicateKeys: [Problem] {
    var first: [String: String] = [:]
    return unconditionalFlags.compactMap { flag in
      guard let key = flag.key, let known = first.updateIfAbsent(flag.name, forKey: key.identity) else { return nil }
      return Problem(.duplicateKey(key.text, first: known), at: key.range)
    }
  }

  /// The problems of closures that read other flags, which they cannot.
  private var readFlags: [Problem] {
    let flags = members.compactMap { $0.content as? FlagDeclaration }
    let names = Set(flags.map(\.name))
    return flags.flatMap(\.names).filter { names.contains($0.name) }
      .map { Problem(.readsFlag($0.name), at: $0.range) }
  }

  /// The problems of flags whose name makes the same key as an earlier flag's; a custom style may tell them apart.
  private var similarNames: [Problem] {
    guard style?.contains("transform") != true else { return [] }
    var first: [String: String] = [:]
    return unconditionalFlags.compactMap { flag in
      let key = flag.name.kebabCase
      guard flag.key == nil, let known = first.updateIfAbsent(flag.name, forKey: key) else { return nil }
      return Problem(.similarName(flag.name, first: known, key: key), at: flag.nameRange)
    }
  }
}

extension Dictionary {
  /// Returns the value of a key, or sets it and returns nil if the key is missing.
  fileprivate mutating func updateIfAbsent(_ value: Value, forKey key: Key) -> Value? {
    guard let known = self[key] else {
      self[key] = value
      return nil
    }
    return known
  }
}

extension SourceText {
  fileprivate func path(of attribute: Attribute) throws(Problem) -> Key {
    guard let name = attribute.unlabeled else { throw Problem(.noName, at: bytes(of: attribute.indices)) }
    return try key(of: name.value, mayBeEmpty: false, orElse: .nameNotLiteral)
  }
}
