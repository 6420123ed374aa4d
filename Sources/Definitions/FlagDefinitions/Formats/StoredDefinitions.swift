import FlagDomain
import FlagSupport

/// A document in a store: its text, its parsed form, and its version.
public struct StoredDefinitions: Sendable {
  /// The document, ready to be evaluated.
  public let document: any DefinitionDocument
  /// The document's bytes.
  public let text: [UInt8]
  /// The version; another text never has the same version in the same store.
  public let version: DefinitionVersion

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document's bytes.
  ///   - version: The store's own version; nil for one that is derived from the text.
  ///   - format: The document's format.
  /// - Throws: A `FlagDocumentError` if the document as a whole cannot be read.
  public init(
    parsing text: [UInt8], version: DefinitionVersion? = nil, format: any DefinitionFormat = .inHouse
  ) throws(FlagDocumentError) {
    self.init(try format.read(text, of: nil), text: text, version: version ?? DefinitionVersion(of: text))
  }

  /// Merges documents; if two flags have the same key, the later one counts.
  ///
  /// - Parameters:
  ///   - parts: The documents; a single one is unchanged.
  ///   - format: Their format; nil for the first document's.
  /// - Throws: A `FlagDocumentError` if they cannot be merged.
  public init(merging parts: [StoredDefinitions], format: (any DefinitionFormat)? = nil) throws(FlagDocumentError) {
    self = try (format ?? parts.first?.document.format ?? .inHouse).merge(parts)
  }

  /// Creates a copy of definitions with a store's own version, without parsing them again.
  package init(_ definitions: StoredDefinitions, version: DefinitionVersion) {
    self.init(definitions.document, text: definitions.text, version: version)
  }

  /// Creates definitions from a document that was parsed from a text.
  package init(_ document: any DefinitionDocument, text: [UInt8], version: DefinitionVersion) {
    self.document = document
    self.text = text
    self.version = version
  }
}

/// The identifier of one state of a store's document.
public struct DefinitionVersion: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The version as text; it is opaque to everything but its store.
  public let rawValue: String

  /// Creates a version of a store's own.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the version of a text in a store that does not number its versions: equal texts have equal versions.
  public init(of text: [UInt8]) { self.init(rawValue: Fingerprint(of: text).description) }

  /// The version as text.
  public var description: String { rawValue }

  /// Creates the version of a revision that an earlier run of the program stored, which nothing can be based on.
  package static func cached(_ revision: Int) -> DefinitionVersion {
    DefinitionVersion(rawValue: "\(revision), cached")
  }

  /// Whether an earlier run of the program stored the definitions.
  package var isCached: Bool { rawValue.hasSuffix(", cached") }

  /// The number of the revision; nil if the store does not number its versions.
  package var revision: Int? { Int(rawValue.prefix { $0 != "," }) }
}
