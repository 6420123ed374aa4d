import FlagSyntax

extension Attribute {
  /// The names of this package's attributes of properties.
  static let ofProperties: Set = ["Flag", "FlagGroup"]
}

extension DeclarationParser {
  /// Parses a property after its attributes; throws if it cannot be a flag or a group.
  mutating func parseProperty(_ attribute: Attribute) throws(Problem) -> Property {
    let modifiers = parseModifiers()
    try checkIntroducer(after: modifiers, of: attribute)
    index += 1
    guard next?.text != "(" else { throw problem(.pattern) }
    guard let name = next, name.isSimpleName else {
      throw problem(.unreadable(expected: "a name of letters and digits"))
    }
    guard !Self.isReserved(name.name) else { throw problem(.reservedName(name.name)) }
    var property = Property(
      attribute: attribute, access: modifiers.access, name: name.name, identifier: name.text,
      nameIndex: index)
    index += 1
    property.type = try parseType()
    property.value = try parseValue()
    try checkEnd()
    return property
  }

  /// Parses a computed property whose getter has the attribute `@Derived`, with the tokens of the getter's body; nil
  /// for any other member.
  func parseDerivedProperty() throws(Problem) -> (Property, body: Range<Int>)? {
    var parser = self
    _ = parser.parseAttributes()
    let modifiers = parser.parseModifiers()
    let nameIndex = parser.index + 1
    guard parser.skip("var"), let name = parser.next, name.isSimpleName else { return nil }
    parser.index += 1
    guard parser.skip(":") else { return nil }
    let start = parser.index
    parser.skip { parser in parser.next?.text == "=" || parser.next?.text == "{" }
    guard parser.next?.text == "{" else { return nil }
    let type = start..<parser.index
    var getter = DeclarationParser(source, in: source.inside(parser.index))
    guard let attribute = getter.parseAttributes().first(where: { $0.name == "Derived" }) else { return nil }
    guard !Self.isReserved(name.name) else { throw Problem(.reservedName(name.name), at: name.range) }
    guard getter.skip("get"), getter.next?.text == "{", !source.inside(getter.index).isEmpty else {
      throw getter.problem(.notAGetter)
    }
    let body = source.inside(getter.index)
    getter.skipBalanced()
    guard getter.next == nil else { throw getter.problem(.hasAccessors) }
    let property = Property(
      attribute: attribute, access: modifiers.access, name: name.name, identifier: name.text, nameIndex: nameIndex,
      type: type, value: attribute["default"]?.value)
    return (property, body)
  }

  private func checkIntroducer(after modifiers: [Modifier], of attribute: Attribute) throws(Problem) {
    guard let introducer = next, ["var", "let"].contains(introducer.text) else {
      throw problem(.notAProperty(attribute.name))
    }
    if let modifier = modifiers.first(where: { Self.unsupported.contains($0.text) }) {
      throw Problem(.unsupportedModifier(modifier.text), at: modifier.range)
    }
    guard introducer.text == "var" else {
      let fixIt = Problem.FixIt(message: "replace 'let' with 'var'", range: introducer.range, replacement: "var")
      throw problem(.constant, fixIt: fixIt)
    }
  }

  private static func isReserved(_ name: String) -> Bool {
    ["_flagManager", "_placedFlags", "flagCatalog"].contains(name) || name.hasPrefix("_flagStorage")
  }

  private static let unsupported: Set = [
    "static", "lazy", "weak", "unowned", "unowned(safe)", "unowned(unsafe)", "override",
  ]

  // MARK: Type and value

  private mutating func parseType() throws(Problem) -> Range<Int>? {
    guard skip(":") else { return nil }
    let start = index
    skip { parser in parser.next?.text == "=" || parser.next?.text == "{" }
    guard start < index else { throw problem(.unreadable(expected: "a type")) }
    if source.tokens[index - 1].text == "!" { throw Problem(.unwrappedType, at: source.tokens[index - 1].range) }
    return start..<index
  }

  private mutating func parseValue() throws(Problem) -> Range<Int>? {
    guard skip("=") else { return nil }
    let start = index
    skip { parser in parser.startsAccessors }
    guard start < index else { throw problem(.unreadable(expected: "a default value")) }
    return start..<index
  }

  /// Skips to the end of the property, or to the first token outside brackets that satisfies a predicate.
  mutating func skip(until stops: (DeclarationParser) -> Bool) {
    let start = index
    while index < end, next?.text != ",", !stops(self), index == start || !startsMember {
      index = source.indexAfterGenericArguments(at: index, before: end) ?? source.index(after: index)
    }
  }

  private func checkEnd() throws(Problem) {
    if next?.text == "{" { throw problem(.hasAccessors) }
    if next?.text == "," { throw problem(.severalProperties) }
    guard next == nil || startsMember else { throw problem(.unreadable(expected: "the end of the property")) }
  }

  /// Whether a brace starts accessors, rather than a closure after a call.
  private var startsAccessors: Bool {
    guard next?.text == "{", index + 1 < end else { return false }
    return ["get", "set", "willSet", "didSet", "_read", "_modify", "init"].contains(source.tokens[index + 1].text)
  }
}

extension SwiftToken {
  /// Whether the name would need no backticks if it were not a keyword.
  fileprivate var isSimpleName: Bool {
    kind == .word && !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
