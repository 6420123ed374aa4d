import FlagSyntax
import Foundation

/// A check of members' types against the file of their declaration.
///
/// The compiler would report such a type as well, but in generated code, and once for each use.
struct TypeCheck {
  private let declaration: Syntax
  private let requiresSendable: Bool
  private let readFile: (String) -> Data?

  init(_ request: ExpansionRequest, _ readFile: @escaping (String) -> Data?) {
    declaration = request.declSyntax
    requiresSendable = request.requiresSendable
    self.readFile = readFile
  }
}

extension ExpansionRequest {
  /// Whether the compiler refuses public types that do not declare `Sendable`, and infers no isolation for them.
  ///
  /// Both are named by the features that they enable.
  fileprivate var requiresSendable: Bool {
    guard let features = staticBuildConfiguration else { return false }
    return features.contains("\"GlobalConcurrency\"") && !features.contains("\"NoExplicitNonIsolated\"")
  }
}

extension TypeCheck {
  /// Returns a problem if a flag's values are of a type that does not declare `Sendable`, or a group's type is no set.
  func problem(of member: any SetMember) -> Problem? {
    switch member {
    case let flag as FlagDeclaration:
      requiresSendable ? Self.names(in: flag.type).lazy.compactMap(problemOfValues).first : nil
    case let group as GroupDeclaration: problem(of: group)
    default: nil
    }
  }

  private func problemOfValues(of type: String) -> Problem? {
    guard let found = declaration(of: type), found.isPublic, !found.inherited.contains("Sendable") else { return nil }
    let offset = declaration.location.offset
    let range = found.nameRange.lowerBound - offset..<found.nameRange.upperBound - offset
    let fixIt = Problem.FixIt(
      message: "add 'Sendable'", range: found.end - offset..<found.end - offset,
      replacement: found.inherited.isEmpty ? ": Sendable" : ", Sendable")
    return Problem(.notSendable(type), at: range, fixIt: fixIt)
  }

  private func problem(of group: GroupDeclaration) -> Problem? {
    let names = Self.names(in: group.type)
    guard names.count == 1, declaration(of: names[0]) != nil else { return nil }
    return Problem(.groupNotASet(group.type), at: group.typePlace.range)
  }

  /// Returns the declaration of a type in the file, which is parsed only if it seems to have one.
  ///
  /// If the file is not what the compiler sees, it has none.
  private func declaration(of type: String) -> FileTypes.Declaration? {
    guard !GroupDeclaration.standardTypes.contains(type), let file = readFile(declaration.location.fileName),
      file.dropFirst(declaration.location.offset).starts(with: declaration.source.utf8),
      ["struct", "enum", "class", "actor"].contains(where: { file.contains("\($0) \(type)") })
    else { return nil }
    return FileTypes(file)?.plainDeclaration(of: type)
  }

  /// Returns the names of the types that a type is made of; none if it is not made of names, arrays and dictionaries.
  private static func names(in type: String) -> [String] {
    let tokens = SourceText(Array(type.utf8)).tokens
    guard tokens.allSatisfy({ $0.kind == .word || ["[", "]", ":", "?", "."].contains($0.text) }) else { return [] }
    return tokens.indices.filter { index in
      tokens[index].kind == .word && !(index + 1 < tokens.count && tokens[index + 1].text == ".")
    }.map { tokens[$0].name }
  }
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
