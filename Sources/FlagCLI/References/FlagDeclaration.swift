import FlagDomain

/// Where a flag is declared in source, and what is written there of it.
struct FlagDeclaration: Equatable {
  /// The name of the property, or of the constant.
  let name: String
  /// The type that it is a member of; nil for none.
  let type: String?
  /// Where the name is.
  let place: SourcePlace
  /// The whole key, where one is written; nil where it is made from names.
  let key: String?
  /// The day that is written under `expires:`; nil where there is none that can be read.
  let expires: CalendarDay?
  /// What is written under `owner:`, or nil.
  let owner: String?
  /// Whether the declaration is a property of a set, by macro.
  let isMacro: Bool
  /// Whether all files can name it without a type or value before it.
  let isGlobal: Bool

  /// The name with its type: `FeedFlags.pageSize`.
  var title: String { type.map { "\($0).\(name)" } ?? name }
}

/// A place in a file of source.
struct SourcePlace: Hashable, Comparable {
  /// The number of the file.
  let file: Int
  /// The line, counted from 1.
  let line: Int
  /// The byte of the line, counted from 1.
  let column: Int

  static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// A set of flags that is declared by macro, or a group in one.
struct SetDeclaration {
  let type: String
  /// The first component of its keys, where it is used on its own; nil for none.
  let component: String?
  /// Whether its keys follow a style of their own, which only the compiler knows.
  let hasStyle: Bool
  /// The groups in it: the component of keys, or nil for none, and the type.
  var groups: [(component: String?, type: String)] = []
}

/// Finds the flags that a file of source declares, by what their declarations look like.
struct DeclarationReader {
  private(set) var flags: [FlagDeclaration] = []
  private(set) var sets: [SetDeclaration] = []

  private let file: Int
  private let bytes: [UInt8]
  private var tokens: [SwiftToken] = []
  private var index = 0
  /// The types around the place, with the depth of their braces.
  private var types: [(name: String, depth: Int)] = []
  private var depth = 0
  /// The attributes before a declaration.
  private var attributes: [String: AttributeArguments] = [:]
  /// The variable that was declared last.
  private var variable: SwiftToken?

  init(_ bytes: [UInt8], file: Int) {
    self.file = file
    self.bytes = bytes
    var lexer = SwiftLexer(bytes)
    while let token = lexer.next() { tokens.append(token) }
    while index < tokens.count { readDeclaration() }
  }
}

/// What is written in the parentheses of an attribute or of a call.
private struct AttributeArguments {
  /// The first argument without a label, where it is a text.
  var title: String?
  var labelled: [String: String] = [:]
  var labels: Set<String> = []
}

extension DeclarationReader {
  private func text(_ token: SwiftToken) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

  private func isSymbol(_ index: Int, _ symbol: Character) -> Bool {
    guard index < tokens.count, let byte = symbol.asciiValue else { return false }
    return tokens[index].kind == .symbol(byte)
  }

  private mutating func readDeclaration() {
    let token = tokens[index]
    index += 1
    switch token.kind {
    case .symbol(UInt8(ascii: "{")): depth += 1
    case .symbol(UInt8(ascii: "}")):
      depth -= 1
      if let last = types.last, last.depth > depth { types.removeLast() }
    case .symbol(UInt8(ascii: "@")): readAttribute()
    case .name: readWord(token, text(token))
    default: break
    }
  }

  private mutating func readAttribute() {
    guard index < tokens.count, tokens[index].kind == .name else { return }
    let name = text(tokens[index])
    index += 1
    attributes[name] = isSymbol(index, "(") ? arguments() : AttributeArguments()
  }

  private mutating func readWord(_ token: SwiftToken, _ word: String) {
    switch word {
    case "struct", "class", "enum", "extension", "actor", "protocol":
      guard index < tokens.count, tokens[index].kind == .name else { return }
      var name = text(tokens[index])
      // Of an extension of a nested type, the innermost name counts.
      while isSymbol(index + 1, "."), index + 2 < tokens.count {
        index += 2
        name = text(tokens[index])
      }
      if word == "class", ["func", "var", "let"].contains(name) { return }
      types.append((name, depth + 1))
      if let set = attributes["FlagSet"] { addSet(name, set) }
      attributes = [:]
    case "var", "let":
      guard index < tokens.count, tokens[index].kind == .name || isSymbol(index, "`") else { return }
      if isSymbol(index, "`") { index += 1 }
      variable = tokens[index]
      if let flag = attributes["Flag"] { add(tokens[index], flag, isMacro: true) }
      if let group = attributes["FlagGroup"] { addGroup(tokens[index], group) }
      attributes = [:]
      index += 1
    case "Flag": readCall()
    default: break
    }
  }

  /// Reads a flag that is made by hand: `let name = Flag("key", ...)`.
  private mutating func readCall() {
    var start = index
    if isSymbol(start, "<") {
      while start < tokens.count, !isSymbol(start, "("), !isSymbol(start, "{"), start < index + 40 { start += 1 }
    }
    guard let variable, isSymbol(start, "("), start + 1 < tokens.count, tokens[start + 1].kind == .text else { return }
    index = start
    var call = arguments()
    call.labelled["key"] = call.title
    add(variable, call, isMacro: false)
    self.variable = nil
  }

  /// Reads what is in parentheses, up to behind the closing one.
  private mutating func arguments() -> AttributeArguments {
    var arguments = AttributeArguments()
    var open = 0
    var isFirst = true
    while index < tokens.count {
      let token = tokens[index]
      switch token.kind {
      case .symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: "[")), .symbol(UInt8(ascii: "{")): open += 1
      case .symbol(UInt8(ascii: ")")), .symbol(UInt8(ascii: "]")), .symbol(UInt8(ascii: "}")): open -= 1
      case .name where isSymbol(index + 1, ":"):
        arguments.labels.insert(text(token))
        if index + 2 < tokens.count, tokens[index + 2].kind == .text {
          arguments.labelled[text(token)] = arguments.labelled[text(token)] ?? text(tokens[index + 2])
        }
        isFirst = false
        index += 1
      case .text where isFirst && open == 1 && !isSymbol(index - 1, ":"):
        arguments.title = text(token)
        isFirst = false
      default: break
      }
      index += 1
      if open == 0 { break }
    }
    return arguments
  }
}

extension DeclarationReader {
  private mutating func add(_ token: SwiftToken, _ arguments: AttributeArguments, isMacro: Bool) {
    flags.append(
      FlagDeclaration(
        name: text(token), type: types.last?.name,
        place: SourcePlace(file: file, line: token.line, column: token.column),
        key: arguments.labelled["key"], expires: arguments.labelled["expires"].flatMap { CalendarDay(validating: $0) },
        owner: arguments.labelled["owner"], isMacro: isMacro, isGlobal: depth == 0))
  }

  private mutating func addSet(_ name: String, _ arguments: AttributeArguments) {
    let title = arguments.title ?? ""
    let component = arguments.labelled["key"] ?? (title.isEmpty ? "" : KeyStyle().component(for: title))
    sets.append(
      SetDeclaration(
        type: name, component: component.isEmpty ? nil : component, hasStyle: arguments.labels.contains("style")))
  }

  private mutating func addGroup(_ token: SwiftToken, _ arguments: AttributeArguments) {
    guard let type = types.last?.name, let set = sets.lastIndex(where: { $0.type == type }), isSymbol(index + 1, ":"),
      index + 2 < tokens.count, tokens[index + 2].kind == .name
    else { return }
    let component = arguments.labelled["key"] ?? KeyStyle().component(for: text(token))
    sets[set].groups.append((component.isEmpty ? nil : component, text(tokens[index + 2])))
  }
}

// MARK: - Keys

extension [SetDeclaration] {
  /// Returns the keys that a flag has in the sets that are declared; none where only the compiler knows them.
  func keys(of flag: FlagDeclaration) -> [String] {
    if let key = flag.key { return [key] }
    guard flag.isMacro, let type = flag.type else { return [] }
    let name = KeyStyle().component(for: flag.name)
    return prefixes(of: type, seen: []).map { ($0 + [name]).joined(separator: ".") }
  }

  /// Returns the components before those of a set's own: where it is used on its own, and in each group.
  private func prefixes(of type: String, seen: Set<String>) -> [[String]] {
    guard !seen.contains(type), let set = first(where: { $0.type == type }), !set.hasStyle else { return [] }
    var prefixes = [set.component.map { [$0] } ?? []]
    for parent in self {
      for group in parent.groups where group.type == type {
        let inner = group.component.map { [$0] } ?? []
        prefixes += self.prefixes(of: parent.type, seen: seen.union([type])).map { $0 + inner }
      }
    }
    return prefixes
  }
}
