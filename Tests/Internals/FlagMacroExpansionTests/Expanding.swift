import Foundation

@testable import FlagMacroExpansion

/// One question to the plugin, as the compiler would ask it.
struct Expanding {
  var macro: String
  var role: String
  var source: String
  /// The head of the declaration around it.
  var context: String?
  /// The offset of the expanded attribute in the source.
  var attribute = 0
  /// What the compiler says of its options, as JSON.
  var configuration: String?
  /// The line of the source in its file, if the compiler says it.
  var line: Int?
  /// The offset of the source in its file.
  var offset = 0
  /// The type that an extension is asked for.
  var extendedType = "FeedFlags"
  /// A declaration with the conformances that are asked for.
  var conformances: String?
  /// The file's content, or nil if it cannot be read.
  var file: String?

  var result: ExpansionResult {
    let location = Syntax.Location(fileName: "Feed.swift", offset: offset, line: line)
    let syntax = { Syntax(source: $0, location: location) }
    let attribute = Syntax(source: "", location: .init(fileName: "Feed.swift", offset: offset + attribute))
    return ExpansionRequest(
      macro: .init(typeName: macro), macroRole: role, attributeSyntax: attribute, declSyntax: syntax(source),
      lexicalContext: context.map { [syntax($0)] } ?? [], extendedTypeSyntax: syntax(extendedType),
      conformanceListSyntax: conformances.map(syntax), staticBuildConfiguration: configuration
    ).expanded { _ in file.map { Data($0.utf8) } }
  }

  /// Every problem with the line and column of its place in the source.
  var problems: [String] { problems(in: source, at: offset) }

  /// Every problem with the line and column of its place in the file.
  var problemsInFile: [String] { problems(in: file ?? "", at: 0) }

  private func problems(in text: String, at offset: Int) -> [String] {
    result.diagnostics.map { diagnostic in
      let before = text.utf8.prefix(diagnostic.position.offset - offset)
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
      return "\(line):\(column): \(diagnostic.message)"
    }
  }
}

extension Expanding {
  static func members(_ source: String) -> Expanding {
    Expanding(macro: "FlagSetMacro", role: "member", source: source)
  }

  static func conformance(_ source: String) -> Expanding {
    Expanding(macro: "FlagSetMacro", role: "extension", source: source)
  }

  /// The expansion of a getter with the attribute `@Derived`.
  static func getter(_ source: String, in context: String = #"@FlagSet("feed", "The feed.") struct FeedFlags {}"#)
    -> Expanding
  {
    Expanding(macro: "DerivedMacro", role: "body", source: source, context: context, offset: 100)
  }

  static func accessor(_ source: String) -> Expanding {
    Expanding(
      macro: source.contains("@FlagGroup") ? "FlagGroupMacro" : "FlagMacro", role: "accessor", source: source,
      context: #"@FlagSet("feed", "The feed.") public struct FeedFlags {}"#)
  }
}
