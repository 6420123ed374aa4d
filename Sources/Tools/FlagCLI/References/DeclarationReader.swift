import FlagDomain
import FlagSyntax

/// A reader that finds the flags of a source file by the tokens of their declarations.
struct DeclarationReader {
  private(set) var flags: [DeclaredFlag] = []
  private(set) var sets: [DeclaredSet] = []

  private let file: Int
  private let source: SourceText
  private var index = 0
  /// The enclosing types, with the depth of their braces.
  private var types: [(name: String, depth: Int)] = []
  private var depth = 0
  private var attributes: [String: Attribute] = [:]
  private var variable: SwiftToken?

  init(_ bytes: [UInt8], file: Int) {
    self.file = file
    source = SourceText(bytes)
    while let token = token(0) {
      index += 1
      read(token)
    }
  }

  private func token(_ distance: Int) -> SwiftToken? {
    index + distance < source.tokens.count ? source.tokens[index + distance] : nil
  }

  private func word(_ distance: Int) -> SwiftToken? {
    token(distance).flatMap { $0.kind == .word ? $0 : nil }
  }

  private mutating func read(_ token: SwiftToken) {
    switch token.text {
    case "{": depth += 1
    case "}":
      depth -= 1
      if let last = types.last, last.depth > depth { types.removeLast() }
    case "@":
      let attribute = source.attribute(at: index - 1, before: source.tokens.count)
      attributes[attribute.name] = attribute
      index = attribute.indices.upperBound
    case "struct", "class", "enum", "extension", "actor", "protocol": readType()
    case "var", "let": readVariable()
    case "Flag": readCall()
    default: break
    }
  }

  private mutating func readType() {
    guard var name = word(0)?.name, !["func", "var", "let"].contains(name) else { return }
    // For an extension of a nested type, the innermost name counts.
    while token(1)?.text == ".", let inner = token(2) {
      index += 2
      name = inner.name
    }
    types.append((name, depth + 1))
    if let set = attributes["FlagSet"] { addSet(name, set) }
    attributes = [:]
  }

  private mutating func readVariable() {
    guard let name = word(0) else { return }
    variable = name
    if let flag = attributes["Flag"] { add(name, flag["key"], flag.indices, isMacro: true) }
    if let group = attributes["FlagGroup"] { addGroup(name, group) }
    attributes = [:]
    index += 1
  }

  /// Reads a flag that is declared without a macro: `let name = Flag("key", ...)`.
  private mutating func readCall() {
    let start = source.indexAfterGenericArguments(at: index, before: source.tokens.count) ?? index
    guard let variable, start < source.tokens.count, source.tokens[start].text == "(",
      let key = source.arguments(in: source.inside(start)).first, key.label == nil, text(of: key) != nil
    else { return }
    add(variable, key, source.inside(start), isMacro: false)
    index = source.index(after: start)
    self.variable = nil
  }

  private func text(of argument: Argument?) -> String? { argument.flatMap { source.plainString($0.value) } }

  /// Returns the text after a label, at any depth: it may be among the arguments of metadata.
  private func text(labelled label: String, in indices: Range<Int>) -> String? {
    indices.dropLast(2).lazy.filter { source.tokens[$0].text == label && source.tokens[$0 + 1].text == ":" }
      .compactMap { source.tokens[$0 + 2].plainString }.first
  }

  private mutating func add(_ name: SwiftToken, _ key: Argument?, _ details: Range<Int>, isMacro: Bool) {
    flags.append(
      DeclaredFlag(
        name: name.name, type: types.last?.name,
        place: SourcePlace(file: file, line: name.line, column: name.column), key: text(of: key),
        expires: text(labelled: "expires", in: details).flatMap { CalendarDay(validating: $0) },
        owner: text(labelled: "owner", in: details), isMacro: isMacro, isGlobal: depth == 0))
  }

  private mutating func addSet(_ name: String, _ set: Attribute) {
    let component = component(of: set, named: text(of: set.unlabeled) ?? "")
    sets.append(DeclaredSet(type: name, component: component, hasStyle: set["style"] != nil))
  }

  private mutating func addGroup(_ name: SwiftToken, _ group: Attribute) {
    guard let type = types.last?.name, let set = sets.lastIndex(where: { $0.type == type }), token(1)?.text == ":",
      let groupType = word(2)
    else { return }
    sets[set].groups.append((component(of: group, named: name.name), groupType.name))
  }

  /// Returns the key component from an attribute or from a name, or nil.
  private func component(of attribute: Attribute, named name: String) -> String? {
    let component = text(of: attribute["key"]) ?? (name.isEmpty ? "" : KeyStyle().component(for: name))
    return component.isEmpty ? nil : component
  }
}
