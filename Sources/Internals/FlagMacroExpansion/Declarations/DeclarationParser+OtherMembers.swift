import FlagSyntax

extension DeclarationParser {
  /// Returns the problems of a member that is neither a flag nor a group.
  ///
  /// Such a member must not use a name that the expansion needs, nor be a stored property, which is a flag without its
  /// attribute.
  func problemsOfOtherMember() -> [Problem] {
    var parser = self
    let attributes = parser.parseAttributes()
    let isShared = parser.parseModifiers().contains { $0.text == "static" }
    guard let introducer = parser.next?.text else { return [] }
    parser.index += 1
    if let problem = parser.problemOfName(introducer: introducer, isShared: isShared) { return [problem] }
    guard ["let", "var"].contains(introducer), !isShared, attributes.isEmpty, let start = next else { return [] }
    return parser.problemsOfStorage(startingAt: start.range.lowerBound)
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

  /// Returns a problem for each of the declared properties, which start at an offset in bytes, that is stored.
  private mutating func problemsOfStorage(startingAt start: Int) -> [Problem] {
    var names: [Range<Int>] = []
    repeat {
      guard let name = next, name.kind == .word || name.text == "(" else { break }
      let first = index
      skipBalanced()
      let last = index
      if skip(":") { skip { parser in parser.next?.text == "=" || parser.next?.text == "{" } }
      if next?.text == "{" { break }
      names.append(first..<last)
      if skip("=") { skip { _ in false } }
    } while skip(",")
    let fixIt = Problem.FixIt(
      message: "add '@Flag'", range: start..<start, replacement: "@Flag(\"<#What it is for.#>\") ")
    return names.map {
      Problem(.storage(source.text(of: $0)), at: source.bytes(of: $0), fixIt: names.count == 1 ? fixIt : nil)
    }
  }
}
