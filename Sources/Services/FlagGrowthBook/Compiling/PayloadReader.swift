import FlagDefinitions
import FlagDomain
import FlagJSON

/// A reader of a document of features: each is compiled as it comes.
struct PayloadReader {
  /// The text of one feature.
  struct Source {
    let range: Range<Int>
    let isEncrypted: Bool
  }

  private(set) var found = DiagnosticList(limit: RuleLimits.diagnostics)
  /// The texts of features, by their numbers.
  private(set) var sources: [Source] = []
  /// The text of the features, if they are encrypted.
  private(set) var decrypted: [UInt8] = []
  private(set) var sections = Sections()
  private var compiler: PayloadCompiler
  private let key: String?
  private var hasFeatures = false
  private var encrypted: [Section: Encrypted] = [:]

  /// The parts of a document besides its features, as values.
  struct Sections: Equatable {
    var groups: [String: FlagValue] = [:]
    var bandits: [String: FlagValue] = [:]
    /// The reasons why sections are malformed, by their names.
    var failures: [String: String] = [:]
  }

  private enum Section: String, CaseIterable {
    case features, savedGroups, contextualBandits, experiments

    var encryptedName: String { "encrypted" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  }

  private struct Encrypted {
    /// The text; nil for another value.
    let text: String?
    let offset: Int
  }

  private init(_ settings: GrowthBookSettings, key: String?) {
    compiler = PayloadCompiler(settings)
    self.key = key
  }

  /// Reads a document, and compiles its features.
  ///
  /// - Throws: An error if the document as a whole cannot be read.
  static func read(
    _ text: [UInt8], of file: String?, _ settings: GrowthBookSettings, key: String?
  ) throws(FlagDocumentError) -> PayloadReader {
    func error(_ diagnostic: UnlocatedDiagnostic) -> FlagDocumentError {
      FlagDocumentError(diagnostics: [diagnostic].located(in: text, of: file))
    }
    guard text.count <= RuleLimits.documentBytes else {
      let message = "expected a document of at most \(RuleLimits.documentBytes) bytes, found \(text.count)"
      throw error(UnlocatedDiagnostic(path: .root, message: message))
    }
    var reader = PayloadReader(settings, key: key)
    do throws(JSONError) {
      try JSONReader.read(text) { json throws(JSONError) in try reader.readDocument(&json) }
    } catch let failure {
      throw error(UnlocatedDiagnostic(failure, reading: text))
    }
    do throws(Unreadable) { try reader.decrypt() } catch let failure { throw error(failure.diagnostic) }
    guard reader.hasFeatures else {
      throw error(
        DocumentShape.growthBookFeatures.mismatch(in: text)
          ?? UnlocatedDiagnostic(path: .root, message: "expected the member \"features\", an object; found none"))
    }
    reader.resolve()
    return reader
  }

  /// The compiled payload.
  var payload: Payload { Payload(compiler.tables, compiler.settings) }

  private struct Unreadable: Error { let diagnostic: UnlocatedDiagnostic }

  private mutating func readDocument(_ json: inout JSONReader) throws(JSONError) {
    json.maximumDuplicates = 0
    guard json.kind == .object else { return try json.finish() }
    try json.enterObject()
    while let name = try json.nextName() {
      if let section = Section(rawValue: name) {
        try read(section, &json)
      } else if let section = Section.allCases.first(where: { $0.encryptedName == name }) {
        let offset = json.offset
        let text = try json.nextValue()?.text
        encrypted[section] = Encrypted(text: text, offset: offset)
      }
    }
    try json.finish()
  }

  private mutating func read(_ section: Section, _ json: inout JSONReader) throws(JSONError) {
    compiler.trail = [.member(section.rawValue)]
    switch section {
    case .features: try readFeatures(&json)
    case .savedGroups: sections.groups = try value(of: section, "an object", &json) { $0.fields } ?? [:]
    case .contextualBandits: sections.bandits = try value(of: section, "an object", &json) { $0.fields } ?? [:]
    case .experiments:
      for index in try (value(of: section, "an array", &json) { $0.elements } ?? []).indices {
        compiler.at(.element(index)) { $0.warn("an experiment on pages includes nobody") }
      }
      note()
    }
  }

  /// Reads a section; returns nil for a malformed one, and notes why.
  private mutating func value<Value>(
    of section: Section, _ expected: String, _ json: inout JSONReader, _ convert: (FlagValue) -> Value?
  ) throws(JSONError) -> Value? {
    sections.failures[section.rawValue] = nil
    var failure: UnlocatedDiagnostic?
    let value = try json.nextValue { failure = UnlocatedDiagnostic($0) }
    if let value {
      if let converted = convert(value) { return converted }
      failure = UnlocatedDiagnostic(compiler.path, expected: expected, found: value)
    }
    if let failure {
      found.add([failure])
      sections.failures[section.rawValue] = "\(failure.path): \(failure.message)"
    }
    return nil
  }

  private mutating func readFeatures(_ json: inout JSONReader, isEncrypted: Bool = false) throws(JSONError) {
    guard json.kind == .object else { return }
    hasFeatures = true
    compiler.tables.keys = StringTable()
    compiler.tables.features = []
    sources = []
    try json.enterObject()
    while let key = try json.nextName() {
      let start = json.offset
      let feature = try feature(key, &json)
      let source = Source(range: start..<json.offset, isEncrypted: isEncrypted)
      let number = compiler.tables.keys.insert(key)
      if number == sources.count {
        compiler.tables.features.append(feature)
        sources.append(source)
      } else {
        found.add([.repeatedFlag(compiler.path.appending(key), offset: isEncrypted ? nil : start)])
        compiler.tables.features[number] = feature
        sources[number] = source
      }
    }
  }

  private mutating func feature(_ key: String, _ json: inout JSONReader) throws(JSONError) -> Feature {
    do throws(JSONError) {
      let value = try json.readValue()
      defer { note() }
      return compiler.at(.member(key)) { $0.feature(key, value) }
    } catch {
      guard error.code == .range else { throw error }
      found.add([UnlocatedDiagnostic(error)])
      var feature = Feature()
      feature.failure = compiler.message("\(error.path): \(error)")
      return feature
    }
  }

  /// Moves the compiler's diagnostics to those of the document; those of an encrypted part have its place.
  private mutating func note(at offset: Int? = nil) {
    guard !compiler.diagnostics.isEmpty else { return }
    found.add(
      compiler.diagnostics.map { diagnostic in
        var diagnostic = diagnostic
        if let offset { diagnostic.offset = offset }
        return diagnostic
      })
    compiler.diagnostics = []
  }

  /// Reads the parts that are encrypted.
  private mutating func decrypt() throws(Unreadable) {
    for section in Section.allCases {
      guard let encrypted = encrypted[section] else { continue }
      let path = DocumentPath.root.appending(section.encryptedName)
      func failure(_ message: String) -> Unreadable {
        Unreadable(diagnostic: UnlocatedDiagnostic(path: path, message: message, offset: encrypted.offset))
      }
      guard let key else { throw failure("expected a key to decrypt the document, found none") }
      guard let text = encrypted.text.flatMap({ EncryptedText.decrypt($0, key: key) }) else {
        throw failure("expected a text that is encrypted by the given key, found another")
      }
      if section == .features { decrypted = text }
      do throws(JSONError) {
        try JSONReader.read(text) { json throws(JSONError) in
          json.maximumDuplicates = 0
          compiler.trail = [.member(section.encryptedName)]
          if section == .features { try readFeatures(&json, isEncrypted: true) } else { try read(section, &json) }
          try json.finish()
        }
      } catch {
        throw failure("the decrypted text is not a document: \(error)")
      }
    }
  }

  /// Resolves what features refer to outside themselves, which may stand after them.
  private mutating func resolve() {
    compiler.trail = [.member(Section.contextualBandits.rawValue)]
    compiler.resolveBandits(sections.bandits, failure: failure(of: .contextualBandits))
    compiler.trail = [.member(Section.savedGroups.rawValue)]
    compiler.resolveGroups(sections.groups, failure: failure(of: .savedGroups))
    for index in compiler.tables.parents.indices {
      compiler.tables.parents[index].feature = compiler.tables.keys.number(of: compiler.tables.parents[index].key)
    }
    note()
    findCircles()
  }

  /// Returns the number of the message that says why a section is malformed; nil if it is not.
  private mutating func failure(of section: Section) -> UInt32? {
    sections.failures[section.rawValue].map { compiler.message($0) }
  }

  /// Reports features that need each other.
  private mutating func findCircles() {
    let tables = compiler.tables
    guard !tables.parents.isEmpty else { return }
    var references: [String: [String]] = [:]
    for (number, feature) in tables.features.enumerated() where feature.hasParents {
      references[tables.keys[number]] = feature.rules.flatMap { rule in
        tables.rules[Int(rule)].parents.map { tables.parents[Int($0)].key }
      }
    }
    let section = decrypted.isEmpty ? Section.features.rawValue : Section.features.encryptedName
    found.add(
      ReferenceOrder(references).circular.sorted().map { key in
        UnlocatedDiagnostic(
          path: DocumentPath.root.appending(section).appending(key),
          message: "the feature needs itself, directly or through others, by \"parentConditions\"")
      })
  }
}
