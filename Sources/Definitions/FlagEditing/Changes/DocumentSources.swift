import FlagDefinitions
package import FlagDomain
package import FlagJSON
import FlagSupport

/// The places of the flags in a document's text, and of everything else that decides.
package struct DocumentSources {
  package let text: [UInt8]
  /// The definitions of the flags by the bytes of their keys.
  private var flags: [[UInt8]: Range<Int>] = [:]
  /// All other parts of the document: its members, and each shared rule.
  private var (members, sharedRules): ([DocumentPath: Range<Int>], [DocumentPath: Range<Int>]) = ([:], [:])
  /// The keys of the flags, and the names of the shared rules, in order.
  private(set) var (keys, ruleNames): ([String], [String]) = ([], [])
  /// The paths of all parts other than flags, sorted by their names.
  private var paths: [DocumentPath] = []

  package init(_ text: [UInt8]) throws(FlagError) {
    self.text = text
    do throws(JSONError) {
      try JSONReader.read(text) { reader throws(JSONError) in try read(&reader) }
    } catch {
      throw FlagError(error, in: text)
    }
    paths = [members, sharedRules].flatMap { $0.keys.sorted { ($0.name ?? "") < ($1.name ?? "") } }
  }

  // Names that cannot be represented, such as half a surrogate pair, are those of no flag.
  private mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.enterObject()
    while let name = try reader.nextName() {
      switch (name, reader.kind) {
      case ("flags", .object): try readFlags(&reader)
      case ("$evaluators", .object): try readSharedRules(&reader)
      default: members[.root.appending(name)] = try reader.skipValue()
      }
    }
  }

  private mutating func readFlags(_ reader: inout JSONReader) throws(JSONError) {
    (flags, keys) = ([:], [])
    try reader.enterObject()
    while let key = try reader.nextName() {
      flags[Array(key.utf8)] = try reader.skipValue()
      keys.append(key)
    }
  }

  private mutating func readSharedRules(_ reader: inout JSONReader) throws(JSONError) {
    (sharedRules, ruleNames) = ([:], [])
    try reader.enterObject()
    while let name = try reader.nextName() {
      sharedRules[DocumentPath.evaluators.appending(name)] = try reader.skipValue()
      ruleNames.append(name)
    }
  }
}

extension DocumentPath {
  /// The paths of a document's flags, and of its shared rules.
  package static let flags = root.appending("flags")
  package static let evaluators = root.appending("$evaluators")

  /// Whether it leads to a flag of the document.
  var isFlag: Bool { count == 2 && prefix(1) == Self.flags }

  fileprivate var isSharedRule: Bool { count == 2 && prefix(1) == Self.evaluators }

  /// A part of a document other than a flag, in words: "shared rule spain".
  var partWords: String { "\(isSharedRule ? "shared rule " : "")\((name ?? "").excerpt)" }
}

extension DocumentSources {
  /// Returns a flag's definition as it is written; nil if there is no such flag.
  package func source(of key: String) -> ArraySlice<UInt8>? { flags[Array(key.utf8)].map { text[$0] } }

  /// Returns a flag's definition as it is written.
  ///
  /// - Throws: `FLAG_NOT_FOUND` if there is no such flag.
  package func flag(_ key: String) throws(FlagError) -> String {
    guard let source = source(of: key) else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.prefix(100))”")
    }
    return String(decoding: source, as: UTF8.self)
  }

  /// Returns a part of the document as it is written; nil if there is none.
  package func source(at path: DocumentPath) -> ArraySlice<UInt8>? { range(of: path).map { text[$0] } }

  func range(of path: DocumentPath) -> Range<Int>? {
    if path.isFlag { return path.name.flatMap { flags[Array($0.utf8)] } }
    return members[path] ?? sharedRules[path]
  }

  /// Returns the parts other than flags that are written differently in another document, its own first.
  func differingParts(from other: DocumentSources) -> [DocumentPath] {
    let known = Set(other.paths)
    return (other.paths + paths.filter { !known.contains($0) }).filter { source(at: $0) != other.source(at: $0) }
  }

  /// Returns what an older document has differently besides its flags, a phrase for each part.
  func partWords(from older: DocumentSources) -> [String] {
    differingParts(from: older).map { path in
      switch (older.source(at: path), source(at: path)) {
      case (nil, _): "\(path.partWords) added"
      case (_, nil): "\(path.partWords) removed"
      default: "\(path.partWords) changed"
      }
    }
  }

  /// Returns the document with another definition in the place of a flag's.
  func replacing(_ key: String, with source: String) throws(FlagError) -> [UInt8] {
    guard let range = flags[Array(key.utf8)] else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.prefix(100))”")
    }
    var text = text
    text.replaceSubrange(range, with: source.utf8)
    return text
  }

  /// Returns the keys of the flags that are written differently in another document, sorted.
  package func differing(from other: DocumentSources) -> [String] {
    var keys = flags.filter { key, range in other.flags[key].map { text[range] != other.text[$0] } ?? true }.map(\.key)
    keys += other.flags.keys.filter { flags[$0] == nil }
    return keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Returns a fingerprint of what differs from an older document, and of all that is shared by flags.
  func fingerprint(of keys: [String], from older: DocumentSources) -> String {
    var bytes: [UInt8] = []
    func append(_ name: String, _ part: ArraySlice<UInt8>?) {
      bytes += "\(name.utf8.count) \(name) \(part.map { "\($0.count)" } ?? "-") ".utf8
      bytes += part ?? []
    }
    for key in keys {
      append(key, older.source(of: key))
      append(key, source(of: key))
    }
    for document in [older, self] {
      for path in document.paths { append("\(path.count) \(path.name ?? "")", document.source(at: path)) }
    }
    return Fingerprint(of: bytes).description
  }
}
