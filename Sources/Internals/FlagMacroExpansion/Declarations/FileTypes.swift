import FlagSyntax
import Foundation

/// The types that a file declares, as far as they can be told apart without the compiler.
struct FileTypes {
  private let source: SourceText

  /// A declaration of a type, or an extension of it.
  struct Declaration {
    var isPublic: Bool
    var hasAttributes: Bool
    /// The names that it inherits from or conforms to.
    var inherited: [String]
    /// The bytes of the name.
    var nameRange: Range<Int>
    /// The bytes after which a conformance can be added.
    var end: Int
  }

  /// Parses a file; nil if it is malformed.
  init?(_ file: Data) {
    source = SourceText(Array(file))
    if source.flaw != nil { return nil }
  }

  /// Returns the one declaration of a type; nil if there is none, or if the type may conform to anything unknown.
  ///
  /// Unknown are conformances by a protocol that is not of the standard library, and by an attribute.
  func plainDeclaration(of name: String) -> Declaration? {
    let own = declarations(of: name, by: ["struct", "enum", "class", "actor", "protocol", "typealias"])
    guard own.count == 1, let found = own.first else { return nil }
    let all = own + declarations(of: name, by: ["extension"])
    let isPlain = all.allSatisfy { !$0.hasAttributes && $0.inherited.allSatisfy(Self.knownNames.contains) }
    return isPlain ? found : nil
  }

  private func declarations(of name: String, by introducers: Set<String>) -> [Declaration] {
    source.tokens.indices.dropFirst().filter { index in
      source.tokens[index].name == name && introducers.contains(introducer(before: index))
    }.map(declaration)
  }

  /// Returns the word before a name and the types that hold it.
  private func introducer(before index: Int) -> String {
    var index = index - 1
    while index > 1, source.tokens[index].text == "." { index -= 2 }
    return source.tokens[index].text
  }

  private func declaration(named index: Int) -> Declaration {
    var first = index - 1
    while first > 0, DeclarationParser.modifiers.contains(source.tokens[first - 1].text) { first -= 1 }
    // What ends before is a member or a body, unless it is an attribute with or without arguments.
    let hasAttributes = first > 1 && (source.tokens[first - 2].text == "@" || source.tokens[first - 1].text == ")")
    var end = index + 1
    while end < source.tokens.count, !["{", "where"].contains(source.tokens[end].text) { end += 1 }
    let inherited = source.tokens[index + 1..<end].filter { $0.kind == .word }.map(\.text)
    return Declaration(
      isPublic: source.tokens[first..<index].contains { ["public", "open"].contains($0.text) },
      hasAttributes: hasAttributes, inherited: inherited, nameRange: source.tokens[index].range,
      end: source.tokens[end - 1].range.upperBound)
  }

  /// Names that neither are nor imply a conformance to a protocol of this package.
  private static let knownNames: Set = [
    "CaseIterable", "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable",
    "Double", "Encodable", "Equatable", "Float", "Hashable", "Identifiable", "Int", "LosslessStringConvertible",
    "OptionSet", "RawRepresentable", "String", "UInt", "Swift", "Sendable",
  ]
}
