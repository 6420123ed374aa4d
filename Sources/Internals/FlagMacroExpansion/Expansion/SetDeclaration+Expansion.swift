extension SetDeclaration {
  /// Returns the members of the set, whose own place in a file is given.
  func makeMembers(at location: Syntax.Location? = nil) -> String {
    let parts = parts
    return """
      \(makeFlags(parts, at: location))

      \(access.ofMember)static let flags = Flags(at: FlagDomain._FlagPath(\(pathArguments)))

      private let _flagManager: any FlagDomain.FeatureFlagManager
      private let _placedFlags: Flags

      \(access.ofMember)init(_ manager: any FlagDomain.FeatureFlagManager, flags: Flags) {
        \(makeAssignments().joined(separator: "\n  "))
      }

      \(lines(of: parts, indent: 0) { $0.makeBoundFlags(at: location) })
      """
  }

  /// Returns the extension that adds the missing conformances to a type.
  func makeExtension(of type: String, conformingTo conformances: [String]) -> String {
    let list = conformances.map { "FlagDomain.\($0)" }.joined(separator: ", ")
    return list.isEmpty ? "" : "extension \(type): \(list) {}"
  }

  /// Returns the body of the initializer; storage that it cannot initialize was reported as a problem already.
  private func makeAssignments() -> [String] {
    hasStorage ? ["fatalError()"] : ["_flagManager = manager", "_placedFlags = flags"]
  }

  private var pathArguments: String {
    ([path.code] + (key.map { ["key: \($0.code)"] } ?? []) + (style.map { ["style: \($0)"] } ?? []))
      .joined(separator: ", ")
  }

  /// Returns the class that stores the flags at one path.
  ///
  /// Flags are made and stored in parts: the time that the compiler takes to check and to optimize an initializer grows
  /// with the cube of the properties that it initializes.
  private func makeFlags(_ parts: [SetPart], at location: Syntax.Location?) -> String {
    let marks = makePlaceMark().map { "\n  " + $0 }.joined()
    return """
      \(access.ofMember)final class Flags: FlagDomain._PlacedFlags {\(marks)
        \(access.ofMember)let flagCatalog: FlagDomain.FlagCatalog
      \(lines(of: parts, indent: 2) { $0.makeDeclarations(at: location) })

        \(access.ofMember)init(at flagPath: FlagDomain._FlagPath, _ flagMetadata: FlagDomain.FlagMetadata? = nil) {
          var flagCollector = FlagDomain._FlagCollector(
            at: flagPath, FlagDomain.FlagMetadata(\(metadata)), as: flagMetadata)\(makeMutation())
      \(lines(of: parts, indent: 4) { $0.makeInitialization() })
          flagCatalog = flagCollector.catalog
        }
      }
      """
  }

  /// Returns a no-op mutation of the collector, without which it would be a constant if all flags are conditional.
  private func makeMutation() -> String {
    let mutation = "({ (_: inout FlagDomain._FlagCollector) in })(&flagCollector)"
    return members.contains { $0.condition == nil } ? "" : "\n    " + mutation
  }

  /// Returns the mark that keeps a set from holding these flags twice, if one has a key independent of its path.
  private func makePlaceMark() -> [String] {
    guard let flag = unconditionalFlags.first(where: { $0.key != nil }) else { return [] }
    let reason = "the flag '\(flag.name)' has the same key wherever \(name) is, so a set can hold \(name) only once"
    return ["@available(*, unavailable, message: \"\(reason)\")", "\(access.ofMember)typealias SecondPlace = Void"]
  }

  /// The members in runs that share a condition and are short enough to be type-checked quickly.
  private var parts: [SetPart] {
    members.reduce(into: []) { parts, member in
      if let last = parts.indices.last, parts[last].condition == member.condition, parts[last].contents.count < 16 {
        parts[last].contents.append(member.content)
      } else {
        parts.append(SetPart(index: parts.count, condition: member.condition, contents: [member.content]))
      }
    }
  }

  /// Returns the lines of all parts, each wrapped in its condition.
  private func lines(of parts: [SetPart], indent: Int, _ content: (SetPart) -> [String]) -> String {
    let space = String(repeating: " ", count: indent)
    var lines: [String] = []
    for part in parts {
      if let condition = part.condition { lines.append("\(space)#if \(condition)") }
      lines += content(part).map { space + $0 }
      if part.condition != nil { lines.append("\(space)#endif") }
    }
    return lines.joined(separator: "\n")
  }
}

extension Syntax.Location {
  /// Returns a line of generated code whose errors the compiler reports in a line of the source that starts here.
  func placing(_ code: String, inLine number: Int) -> [String] {
    guard let line, !fileName.contains(where: { $0 == "\"" || $0 == "\\" }) else { return [code] }
    return ["#sourceLocation(file: \"\(fileName)\", line: \(line + number - 1))", code, "#sourceLocation()"]
  }
}

/// A run of members of a set with the same condition; they are stored together.
private struct SetPart {
  let index: Int
  let condition: String?
  var contents: [any SetMember]

  private var name: String { "_flagStorage\(index)" }
  private var type: String { "_FlagStorage\(index)" }

  /// Returns the part's declarations in the class: its storage, and an alias and accessor for each member.
  ///
  /// The storage is a class, since for a struct with so many members the compiler generates code to copy and assign it,
  /// which is longer than all the rest and never run.
  func makeDeclarations(at location: Syntax.Location?) -> [String] {
    var lines = ["private let \(name): \(type)", "private final class \(type): Sendable {"]
    lines += contents.map { "  let \($0.identifier): \($0.storedType)" }
    lines.append("  init(_ flagCollector: inout FlagDomain._FlagCollector) {")
    lines += contents.flatMap { $0.makeAssignment() }.map { "    " + $0 }
    lines += ["  }", "}"]
    for content in contents {
      let access = content.access.ofSharedMember
      let alias = "\(access)typealias \(content.alias) = \(content.aliasedType)"
      lines += location?.placing(alias, inLine: content.typePlace.line) ?? [alias]
      lines += content.documentation
      lines.append(
        "\(access)var \(content.identifier): \(content.storedType) { \(name).\(content.identifier) }")
    }
    return lines
  }

  /// Returns the projected properties: each flag under its property's name after a dollar sign.
  ///
  /// The set declares them all at once, since a plugin request for each flag takes the compiler longer.
  func makeBoundFlags(at location: Syntax.Location?) -> [String] {
    contents.flatMap { ($0 as? FlagDeclaration)?.makeBoundFlag(at: location) ?? [] }
  }

  func makeInitialization() -> [String] { ["\(name) = \(type)(&flagCollector)"] }
}
