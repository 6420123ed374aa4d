import FlagSyntax

extension DeclarationParser {
  /// Returns the problem of a member that is neither a flag nor a group, or nil.
  ///
  /// Such a member must not use a name that the expansion needs, nor be a stored property, which is a flag without its
  /// attribute.
  func problemOfOtherMember() -> Problem? {
    var parser = self
    let attributes = parser.parseAttributes()
    guard !attributes.contains(where: { ["Flag", "FlagGroup"].contains($0.name) }) else { return nil }
    let isShared = parser.parseModifiers().contains { $0.text == "static" }
    guard let introducer = parser.next?.text else { return nil }
    parser.index += 1
    if let problem = parser.problemOfName(introducer: introducer, isShared: isShared) { return problem }
    guard ["let", "var"].contains(introducer), !isShared, attributes.isEmpty, let start = next else { return nil }
    return parser.problemOfStorage(startingAt: start.range.lowerBound)
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

  /// Returns a problem if the declared properties, which start at an offset in bytes, are stored.
  private mutating func problemOfStorage(startingAt start: Int) -> Problem? {
    guard let name = next, name.kind == .word || name.text == "(" else { return nil }
    let first = index
    skipBalanced()
    let names = first..<index
    if skip(":") { skip { parser in parser.next?.text == "=" || parser.next?.text == "{" } }
    if next?.text == "{" { return nil }
    let fixIt = Problem.FixIt(
      message: "add '@Flag'", range: start..<start, replacement: "@Flag(\"<#What it is for.#>\") ")
    return Problem(.storage(source.text(of: names)), at: source.bytes(of: names), fixIt: fixIt)
  }
}
