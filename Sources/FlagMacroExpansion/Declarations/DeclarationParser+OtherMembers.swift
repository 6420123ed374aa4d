import FlagSyntax

extension DeclarationParser {
  /// Returns the problem of a member that is neither a flag nor a group, or nil.
  ///
  /// Such a member must not use a name that the expansion needs, nor be storage that only an initializer could set.
  func problemOfOtherMember() -> Problem? {
    var parser = self
    let attributes = parser.parseAttributes()
    guard !attributes.contains(where: { ["Flag", "FlagGroup"].contains($0.name) }) else { return nil }
    let isShared = parser.parseModifiers().contains { $0.text == "static" }
    guard let introducer = parser.next?.text else { return nil }
    parser.index += 1
    if let problem = parser.problemOfName(introducer: introducer, isShared: isShared) { return problem }
    guard ["let", "var"].contains(introducer), !isShared, attributes.isEmpty else { return nil }
    return parser.problemOfStorage(isConstant: introducer == "let")
  }

  private func problemOfName(introducer: String, isShared: Bool) -> Problem? {
    guard let name = next, name.kind == .word else { return nil }
    let isTaken =
      switch introducer {
      case "struct", "class", "enum", "actor", "protocol", "typealias": name.text == "Flags"
      case "let", "var": isShared ? name.text == "flags" : ["_flagManager", "_placedFlags"].contains(name.text)
      default: false
      }
    return isTaken ? problem(.reservedName(name.text)) : nil
  }

  /// Returns a problem if one of the declared properties has neither a value nor accessors.
  private mutating func problemOfStorage(isConstant: Bool) -> Problem? {
    repeat {
      guard let name = next, name.kind == .word else { return nil }
      index += 1
      let type = skip(":") ? skipType() : nil
      if next?.text == "{" { return nil }
      let isNilAtFirst = !isConstant && (type.map(source.isOptional) ?? false)
      if next?.text != "=", !isNilAtFirst { return Problem(.storage(name.text), at: name.range) }
      skip { _ in false }
    } while skip(",")
    return nil
  }

  private mutating func skipType() -> Range<Int> {
    let start = index
    skip { parser in parser.next?.text == "=" || parser.next?.text == "{" }
    return start..<index
  }
}
