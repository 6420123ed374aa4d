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
      if let content = member.parseMember(of: set) {
        members.append(SetDeclaration.Member(content: content, condition: conditions.text))
      } else if let problem = member.problemOfOtherMember() {
        problems.append(problem)
      }
    }
    return (members, problems)
  }

  private func parseMember(of set: String) -> (any SetMember)? {
    var parser = self
    do {
      return try parser.parseContent(of: set)
    } catch {
      // The property's own attribute reports its problems, at their place.
      return nil
    }
  }

  private mutating func parseContent(of set: String) throws(Problem) -> (any SetMember)? {
    let attributes = parseAttributes()
    if let attribute = attributes.first(where: { $0.name == "Flag" }) {
      return try FlagDeclaration(parseProperty(attribute), in: source, of: set)
    }
    if let attribute = attributes.first(where: { $0.name == "FlagGroup" }) {
      return try GroupDeclaration(parseProperty(attribute), in: source, of: set)
    }
    return nil
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
