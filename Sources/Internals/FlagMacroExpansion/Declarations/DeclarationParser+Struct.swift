import FlagSyntax

extension DeclarationParser {
  /// Parses the name of a struct, and stops before its body.
  mutating func parseStructName() throws(Problem) -> String {
    guard skip("struct") else { throw problem(.notAStruct(kindOfDeclaration)) }
    guard let name = next, name.kind == .word else { throw problem(.unreadable(expected: "a name")) }
    index += 1
    guard next?.text != "<" else { throw problem(.genericSet) }
    return name.text
  }

  private var kindOfDeclaration: String {
    guard let word = next?.text else { return "this" }
    return ["a", "e", "i", "o", "u"].contains(word.prefix(1)) ? "an \(word)" : "a \(word)"
  }

  /// Parses the flags and groups in the body of a struct, and finds the problems of the other members.
  mutating func parseMembers(
    of set: String
  ) throws(Problem) -> (members: [SetDeclaration.Member], problems: [Problem]) {
    while let token = next, token.text != "{" { skipBalanced() }
    guard next != nil else { throw problem(.unreadable(expected: "'{'")) }
    var parser = DeclarationParser(source, in: source.inside(index))
    var members: [SetDeclaration.Member] = []
    var problems: [Problem] = []
    var conditions = Conditions()
    while let token = parser.next {
      if token.kind == .directive {
        parser.parseDirective(into: &conditions)
        continue
      }
      guard token.text != "." else { throw parser.problem(.unreadable(expected: "a declaration")) }
      let member = parser
      parser.skipMember()
      do throws(Problem) {
        guard let content = try member.parseContent(of: set) else {
          problems += member.problemsOfOtherMember()
          continue
        }
        members.append(SetDeclaration.Member(content: content, condition: conditions.text))
      } catch {
        // The property's own attribute reports its problems, unless the compiler does not expand it, or it is one of a
        // getter.
        if error.kind == .severalProperties || !member.hasAttribute { problems.append(error) }
      }
    }
    return (members, problems)
  }

  private func parseContent(of set: String) throws(Problem) -> (any SetMember)? {
    var parser = self
    let attribute = parser.parseAttributes().first { Attribute.ofProperties.contains($0.name) }
    guard let attribute else { return try parseDerivedFlag(of: set) }
    let property = try parser.parseProperty(attribute)
    return attribute.name == "Flag"
      ? try FlagDeclaration(property, in: source, of: set) : try GroupDeclaration(property, in: source, of: set)
  }

  /// Whether the member has one of this package's attributes of properties.
  private var hasAttribute: Bool {
    var parser = self
    return parser.parseAttributes().contains { Attribute.ofProperties.contains($0.name) }
  }

  private func parseDerivedFlag(of set: String) throws(Problem) -> FlagDeclaration? {
    guard let (property, body) = try parseDerivedProperty() else { return nil }
    var flag = try FlagDeclaration(property, in: source, of: set)
    flag.derivation = FlagDeclaration.Derivation(
      set: set, body: source.text(of: body, withSelf: set), line: source.tokens[body.lowerBound].line,
      offset: source.bytes(of: property.attribute.indices).lowerBound)
    return flag
  }

  private mutating func parseDirective(into conditions: inout Conditions) {
    let directive = next?.text
    index += 1
    let start = index
    switch directive {
    case "#if", "#elseif":
      repeat { skipBalanced() } while index < end && !startsLine
      conditions.enter(source.text(of: start..<index), isAlternative: directive == "#elseif")
    case "#else": conditions.enterElse()
    case "#endif": conditions.leave()
    default: if !startsMember { skipMember() }
    }
  }
}
