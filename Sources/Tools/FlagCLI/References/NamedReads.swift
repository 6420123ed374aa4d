import FlagSyntax

/// Possible reads of flags, found by name: a name at a place may refer to something else.
struct NamedReads {
  /// The places that use a flag's name, by name.
  private(set) var names: [String: [Use]] = [:]
  /// The places with a text that is a flag's key, by key.
  private(set) var keys: [String: [SourcePlace]] = [:]

  struct Use {
    let place: SourcePlace
    /// Whether it is written as a member: `flags.pageSize`.
    let isMember: Bool
  }

  private let wantedNames: Set<String>
  private let wantedKeys: Set<String>

  init(names: Set<String>, keys: Set<String>) {
    wantedNames = names
    wantedKeys = keys
  }

  mutating func read(_ bytes: [UInt8], file: Int) {
    var lexer = SwiftLexer(bytes)
    var reader = NameReader()
    while let token = lexer.next() {
      let place = SourcePlace(file: file, line: token.line, column: token.column)
      switch reader.role(of: token) {
      case .name(let name, let isMember) where wantedNames.contains(name):
        names[name, default: []].append(Use(place: place, isMember: isMember))
      case .text(let text) where wantedKeys.contains(text): keys[text, default: []].append(place)
      default: break
      }
    }
  }

  func places(of flag: DeclaredFlag?, keys: [String]) -> [SourcePlace] {
    let places = keys.flatMap { self.keys[$0, default: []] }
    guard let flag else { return places }
    let uses = names[flag.name, default: []].filter { use in
      use.place != flag.place && (use.isMember || flag.isGlobal || use.place.file == flag.place.file)
    }
    return uses.map(\.place) + places
  }
}

/// A reader that finds the role of a token from the tokens before it.
private struct NameReader {
  enum Role {
    case name(String, isMember: Bool)
    case text(String)
    case nothing
  }

  private var before: (SwiftToken?, SwiftToken?)
  private var variable = ""
  /// The depth of braces and parentheses after the name of a catalog, whose flags are listed, not read.
  private var listing: Int?

  mutating func role(of token: SwiftToken) -> Role {
    defer { before = (token, before.0) }
    if skipListing(token) { return .nothing }
    if token.kind == .word { return name(token.name) }
    guard let text = token.content, !isDeclaredKey else { return .nothing }
    return .text(text)
  }

  private mutating func name(_ word: String) -> Role {
    if word == "FlagCatalog", !isSign(before.0, ":"), !isSign(before.0, ">"), before.0?.text != "extension" {
      listing = 0
    }
    switch before.0?.text {
    case "var", "let":
      variable = word
      return .nothing
    case "func", "case": return .nothing
    default: break
    }
    let name = word.hasPrefix("$") ? String(word.dropFirst()) : word
    let isMember = isSign(before.0, ".")
    // A property that forwards the value of the flag with its own name.
    if isMember, name == variable, ["Self", "self"].contains(before.1?.text) { return .nothing }
    return .name(name, isMember: isMember)
  }

  private mutating func skipListing(_ token: SwiftToken) -> Bool {
    guard let open = listing else { return false }
    switch token.text {
    case "(", "{": listing = open + 1
    case ")", "}": listing = open - 1
    default:
      // Anything but a brace after the closing parenthesis ends the listing.
      if open == 0 { listing = nil }
      return open != 0
    }
    if listing ?? 0 < 0 { listing = nil }
    return true
  }

  private var isDeclaredKey: Bool {
    before.0?.text == "(" && (before.1?.text == "Flag" || isSign(before.1, ">"))
      || isSign(before.0, ":") && before.1?.text == "key"
  }

  private func isSign(_ token: SwiftToken?, _ sign: Unicode.Scalar) -> Bool {
    token?.kind == .sign && token?.text.unicodeScalars.last == sign
  }
}
