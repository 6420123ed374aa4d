/// The names that a Swift file declares and uses, as far as its lines tell.
struct SwiftNames {
  let path: String
  /// The folder of its target that the file is in.
  let folder: String

  /// The types that the file declares, and those of them that are in no other.
  private(set) var types: Set<String> = []
  private(set) var outerTypes: Set<String> = []

  /// The members that the file declares.
  private(set) var members: Set<String> = []
  /// The members of extensions that other files see, by the name of the extended type.
  private(set) var extensionMembers: [String: Set<String>] = [:]

  /// The capitalised names that the file uses with nothing before them, and all names behind a point.
  private(set) var usedTypes: Set<String> = []
  private(set) var usedMembers: Set<String> = []

  init(_ file: SourceFile, in target: String) throws {
    let folders = file.path.dropFirst("\(Repository.path(target))/".count).split(separator: "/").dropLast()
    self.init(text: try file.text, file: file.path, folder: folders.first.map(String.init) ?? FolderArrow.root)
  }

  init(text: String, file: String, folder: String) {
    path = file
    self.folder = folder
    var extended: Declaration?
    var margin = 0
    for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
      // Code inside `#if` is indented once more.
      if line.hasPrefix("#if") { margin += 2 } else if line.hasPrefix("#endif") { margin -= 2 }
      let code = (line.firstRange(of: " //").map { line[..<$0.lowerBound] } ?? line).dropFirst(margin)
      noteUses(in: code)
      if code.hasPrefix("}") { extended = nil }
      guard let declaration = Declaration(code) else { continue }
      switch declaration.kind {
      case .type:
        types.insert(declaration.name)
        if declaration.indentation == 0 { outerTypes.insert(declaration.name) }
      case .extension: extended = declaration
      case .member:
        members.insert(declaration.name)
        if let extended, !extended.isPrivate, !declaration.isPrivate, declaration.indentation == 2 {
          extensionMembers[extended.name, default: []].insert(declaration.name)
        }
      }
    }
  }

  private mutating func noteUses(in code: Substring) {
    var rest = code.utf8[...]
    var isMember = false
    while let byte = rest.first {
      let word = rest.prefix(while: \.isWordPart)
      if word.isEmpty {
        isMember = byte == UInt8(ascii: ".")
        rest.removeFirst()
      } else {
        let name = String(Substring(word))
        if isMember { usedMembers.insert(name) } else if name.first?.isUppercase == true { usedTypes.insert(name) }
        isMember = false
        rest = rest[word.endIndex...]
      }
    }
  }
}

/// The declaration on a line.
private struct Declaration {
  enum Kind { case type, `extension`, member }

  let kind: Kind
  let name: String
  let isPrivate: Bool
  let indentation: Int

  init?(_ line: Substring) {
    var words = line.split(separator: " ")[...]
    indentation = line.prefix { $0 == " " }.count
    let modifiers = words.prefix { $0.hasPrefix("@") || Self.modifiers.contains($0.prefix { $0 != "(" }) }
    words = words.dropFirst(modifiers.count)
    guard let keyword = words.popFirst(), let kind = Self.kinds[keyword], let next = words.first else { return nil }
    name = String(next.drop { !$0.isLetter && $0 != "_" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    self.kind = kind
    isPrivate = modifiers.contains("private") || modifiers.contains("fileprivate")
    if name.isEmpty { return nil }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "final", "indirect", "static", "mutating", "override",
    "lazy", "weak", "nonisolated", "convenience",
  ]

  private static let kinds: [Substring: Kind] = [
    "struct": .type, "class": .type, "enum": .type, "protocol": .type, "actor": .type, "typealias": .type,
    "extension": .extension, "var": .member, "let": .member, "func": .member, "case": .member,
  ]
}

extension UInt8 {
  /// Whether the byte is part of a name.
  fileprivate var isWordPart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: false
    }
  }
}
