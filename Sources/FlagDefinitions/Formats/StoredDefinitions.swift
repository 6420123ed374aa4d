import FlagDomain

/// A document as a store has it: its text, what it means, and its version.
public struct StoredDefinitions: Sendable {
  /// The document, ready to be evaluated.
  public let document: any DefinitionDocument
  /// The document's bytes.
  public let text: [UInt8]
  /// The version, which another text never has in the same store.
  public let version: DefinitionVersion

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document's bytes.
  ///   - version: The store's own version; nil for one that is made of the text.
  ///   - format: The document's format.
  /// - Throws: A `FlagDocumentError` if the document as a whole cannot be read.
  public init(
    parsing text: [UInt8], version: DefinitionVersion? = nil, format: any DefinitionFormat = .inHouse
  ) throws(FlagDocumentError) {
    self.init(try format.read(text, of: nil), text: text, version: version ?? DefinitionVersion(of: text))
  }

  /// Merges documents; of two flags with one key, the later one counts.
  ///
  /// - Parameters:
  ///   - parts: The documents; a single one stays as it is.
  ///   - format: Their format; nil for that of the first document.
  /// - Throws: A `FlagDocumentError` if they cannot be one.
  public init(merging parts: [StoredDefinitions], format: (any DefinitionFormat)? = nil) throws(FlagDocumentError) {
    self = try (format ?? parts.first?.document.format ?? .inHouse).merge(parts)
  }

  /// Creates the same definitions under a version of a store's own, without reading them again.
  package init(_ definitions: StoredDefinitions, version: DefinitionVersion) {
    self.init(definitions.document, text: definitions.text, version: version)
  }

  /// Creates definitions of a document that was read from a text.
  package init(_ document: any DefinitionDocument, text: [UInt8], version: DefinitionVersion) {
    self.document = document
    self.text = text
    self.version = version
  }
}

/// What tells one state of a store's document from another.
public struct DefinitionVersion: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The version as text; it has a meaning to its store alone.
  public let rawValue: String

  /// Creates a version of a store's own.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the version of a text in a store that counts none: equal texts have equal versions.
  public init(of text: [UInt8]) { self.init(rawValue: Fingerprint(of: text).description) }

  /// The version as text.
  public var description: String { rawValue }
}
