package import FlagDomain
package import FlagJSON

/// A reader that parses a document in one pass: it compiles each flag as it comes, and collects diagnostics.
///
/// Reading flag by flag keeps memory use low, and isolates a malformed flag from the others. Only a flag whose rule
/// refers to shared rules is read again at the end, when all of those are known.
package struct DocumentReader {
  private let isChecking: Bool
  /// The path of the document in the text, which the reasons of malformed flags name.
  private let outer: DocumentPath
  private var found: [Section: DiagnosticList] = [:]
  private var section = Section.document
  private var seen: Set<Section> = []
  private var entries: [Entry] = []
  private var evaluators: [String: FlagValue] = [:]
  private var metadata: [String: FlagValue] = [:]
  private var compiler = RuleCompiler()
  private var recentVariants = RecentVariants()
  /// The reason why the document has no flags by their keys; nil if it has them.
  private var flagsFailure: UnlocatedDiagnostic? = .init(
    path: .root, message: "expected the member \"flags\", found none")

  private struct Entry {
    let key: Int
    var content: Content

    enum Content {
      case flag(FlagContent)
      case malformed(String)
      /// A flag that is read once the shared rules are known, from this position.
      case later(JSONReader.Mark)
    }
  }

  /// A part of the document with diagnostics of its own, which are dropped if a later member of the same name replaces
  /// it.
  private enum Section: CaseIterable {
    case document, flags, evaluators, metadata
    /// The keys of flags, after the errors that make flags malformed.
    case keys
  }

  private init(reading text: some Collection<UInt8>, isChecking: Bool, in outer: DocumentPath) throws(JSONError) {
    (self.isChecking, self.outer) = (isChecking, outer)
    try JSONReader.read(text) { json throws(JSONError) in try readDocument(&json) }
  }

  package var diagnostics: DiagnosticList {
    Section.allCases.reduce(into: noDiagnostics) { all, section in
      if let found = found[section] { all.add(found) }
    }
  }

  private var noDiagnostics: DiagnosticList { DiagnosticList(limit: isChecking ? .max : RuleLimits.diagnostics) }

  private mutating func note(_ diagnostics: [UnlocatedDiagnostic]) {
    let none = noDiagnostics
    found[section, default: none].add(diagnostics)
  }

  private mutating func note(_ diagnostic: UnlocatedDiagnostic) { note([diagnostic]) }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document, or a resource of Kubernetes with a document inside: JSON in UTF-8.
  ///   - file: The name of the file that it is from, or nil.
  ///   - isChecking: Whether all diagnostics are collected.
  ///   - limit: The maximum size of the document in bytes.
  /// - Returns: The reader, which has read the whole document.
  /// - Throws: An error if the document as a whole cannot be read.
  package static func read(
    _ text: some Collection<UInt8>, of file: String? = nil, isChecking: Bool = false,
    atMost limit: Int = RuleLimits.documentBytes
  ) throws(FlagDocumentError) -> DocumentReader {
    guard text.count <= limit else {
      let message = "expected a document of at most \(limit) bytes, found \(text.count)"
      throw FlagDocumentError(
        diagnostics: [UnlocatedDiagnostic(path: .root, message: message)].located(in: text, of: file))
    }
    let reader: DocumentReader
    do throws(JSONError) {
      if let inner = KubernetesResource.document(in: text) {
        reader = try Self(reading: inner, isChecking: isChecking, in: KubernetesResource.path)
      } else {
        reader = try Self(reading: text, isChecking: isChecking, in: .root)
      }
    } catch {
      throw FlagDocumentError(diagnostics: [UnlocatedDiagnostic(error, reading: text)].located(in: text, of: file))
    }
    if let failure = reader.hasNoUsableFlag ? DocumentShape.flagdFlags.mismatch(in: text) ?? reader.flagsFailure : nil {
      throw FlagDocumentError(diagnostics: [failure].located(in: text, of: file))
    }
    return reader
  }

  /// The texts of the document that people may take for others; nil if there is none.
  package var disguisedTexts: DisguisedTexts? {
    DisguisedTexts(among: compiler.builder.tables.texts, isChecking: isChecking)
  }

  private var hasNoUsableFlag: Bool {
    guard flagsFailure == nil, !entries.isEmpty else { return flagsFailure != nil }
    return entries.allSatisfy { if case .malformed = $0.content { true } else { false } }
  }

  /// Returns the flags; the last one counts if several have the same key.
  ///
  /// Errors of malformed flags name the file.
  package consuming func flags(bucketing: Bucketing, file: String?) -> FlagTable {
    var flags = FlagTable()
    let program = compiler.program(metadata: metadata)
    for entry in entries {
      let key = program.tables.texts[entry.key]
      switch entry.content {
      case .flag(let content):
        flags[key] = .flag(FlagDefinition(content, key: entry.key, program: program, bucketing: bucketing))
      case .malformed(let reason): flags[key] = .malformed(reason, file: file)
      case .later: preconditionFailure("what is read later has been read when the document ends")
      }
    }
    return flags
  }

  private static let flagsPath = DocumentPath.root.appending("flags")

  private mutating func readDocument(_ json: inout JSONReader) throws(JSONError) {
    json.maximumDuplicates = isChecking ? .max : RuleLimits.diagnostics
    guard json.kind == .object else {
      flagsFailure = UnlocatedDiagnostic(
        path: .root, message: "expected an object with the member \"flags\", found \(json.kind?.description ?? "none")")
      return try json.finish()
    }
    try json.enterObject()
    while let name = try nextName(of: &json) {
      switch name {
      case "flags": try read(.flags, of: &json)
      case "metadata": try read(.metadata, of: &json)
      case "$evaluators": try read(.evaluators, of: &json)
      default: break
      }
    }
    try json.finish()
    section = .keys
    note(json.duplicates.map { UnlocatedDiagnostic($0) })
    json.maximumDuplicates = 0
    compiler.define(evaluators)
    section = .flags
    try readLater(&json)
  }

  /// Reads a section; the last one counts if several members have the same name.
  private mutating func read(_ section: Section, of json: inout JSONReader) throws(JSONError) {
    // A checker finds every repeated member.
    if !isChecking, !seen.insert(section).inserted {
      note(UnlocatedDiagnostic(warning: json.path, UnlocatedDiagnostic.repeatedMember, offset: json.offset))
    }
    found[section] = nil
    if section == .flags { found[.keys] = nil }
    self.section = section
    switch section {
    case .flags: try readFlags(&json)
    case .metadata: try readMetadata(&json)
    case .evaluators: try readEvaluators(&json)
    case .document, .keys: break
    }
    self.section = .document
  }

  private mutating func nextName(of json: inout JSONReader) throws(JSONError) -> String? {
    try json.nextName { note(UnlocatedDiagnostic($0)) }
  }

  private mutating func value(of json: inout JSONReader) throws(JSONError) -> FlagValue? {
    try json.nextValue { note(UnlocatedDiagnostic($0)) }
  }

  private mutating func readMetadata(_ json: inout JSONReader) throws(JSONError) {
    let path = json.path
    metadata = [:]
    guard let value = try value(of: &json) else { return }
    var found: [UnlocatedDiagnostic] = []
    metadata = value.metadata(at: path, &found)
    note(found)
  }

  private mutating func readEvaluators(_ json: inout JSONReader) throws(JSONError) {
    let path = json.path
    evaluators = [:]
    switch try value(of: &json) {
    case nil: break
    case .object(let evaluators)?: self.evaluators = evaluators
    case let value?:
      note(UnlocatedDiagnostic(path, expected: "an object with the rules by their names", found: value))
    }
  }

  private mutating func readFlags(_ json: inout JSONReader) throws(JSONError) {
    entries = []
    guard json.kind == .object else {
      let found = json.kind == .array ? "an array, as only the flagd daemon reads it" : json.kind?.description ?? "none"
      flagsFailure = UnlocatedDiagnostic(
        path: Self.flagsPath, message: "expected an object with the flags by their keys, found \(found)")
      return
    }
    flagsFailure = nil
    try json.enterObject()
    var keys: Set<Int> = []
    while let key = try nextName(of: &json) {
      let (mark, number) = (json.mark, compiler.builder.key(key))
      check(key, isNew: keys.insert(number).inserted, offset: json.offset)
      let content = try flag(key, of: &json) ?? .later(mark)
      entries.append(Entry(key: number, content: content))
    }
  }

  /// Notes a key that no code can read, or that another flag before it has.
  private mutating func check(_ key: String, isNew: Bool, offset: Int) {
    guard !isNew || !FlagKey.isValid(key) else { return }
    section = .keys
    let path = Self.flagsPath.appending(key)
    if key.isEmpty {
      note(UnlocatedDiagnostic(path: path, message: "expected a key, found an empty string", offset: offset))
    } else if !FlagKey.isValid(key) {
      note(
        UnlocatedDiagnostic(warning: path, "expected a key without white space, of at most 1024 bytes", offset: offset))
    }
    if !isNew { note(.repeatedFlag(path, offset: offset)) }
    section = .flags
  }

  private mutating func readLater(_ json: inout JSONReader) throws(JSONError) {
    for index in entries.indices {
      guard case .later(let mark) = entries[index].content else { continue }
      json.reset(to: mark)
      if let value = try value(of: &json) {
        entries[index].content = content(of: value, key: compiler.builder.tables.texts[entries[index].key])
      }
    }
  }

  /// Reads the next flag; returns nil if its rule refers to shared rules.
  private mutating func flag(_ key: String, of json: inout JSONReader) throws(JSONError) -> Entry.Content? {
    do throws(JSONError) {
      let value = try json.readValue()
      if value.fields?["targeting"]?.references.isEmpty == false { return nil }
      return content(of: value, key: key)
    } catch {
      guard error.code == .range else { throw error }
      let diagnostic = UnlocatedDiagnostic(error)
      note(diagnostic)
      return .malformed(reason(diagnostic))
    }
  }

  private func reason(_ diagnostic: UnlocatedDiagnostic) -> String {
    "\(diagnostic.moved(into: outer).path): \(diagnostic.message)"
  }

  private mutating func content(of value: FlagValue, key: String) -> Entry.Content {
    var reader = FlagReader(key: key, in: Self.flagsPath)
    if let content = reader.read(value, compiler: &compiler, recentVariants: &recentVariants) { return .flag(content) }
    note(reader.diagnostics)
    return .malformed(reader.diagnostics.last.map { reason($0) } ?? "malformed")
  }
}

extension JSONReader {
  /// Moves to the next member with a valid name, and reports the errors of the members that it skips.
  package mutating func nextName(noting: (JSONError) -> Void = { _ in }) throws(JSONError) -> String? {
    while true {
      do throws(JSONError) {
        return try nextMember()
      } catch {
        guard error.code == .range else { throw error }
        noting(error)
      }
    }
  }

  /// Reads the next value; returns nil and reports the error if it cannot be represented.
  package mutating func nextValue(noting: (JSONError) -> Void = { _ in }) throws(JSONError) -> FlagValue? {
    do throws(JSONError) {
      return try readValue()
    } catch {
      guard error.code == .range else { throw error }
      noting(error)
      return nil
    }
  }
}
