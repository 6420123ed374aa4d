/// A format of definitions, which reads and merges documents.
///
/// Stores use a format, and pass documents on without knowing their content; so does `DefinitionStoreProvider`.
/// A format is a value that uses no clock, file or network. It may be used from any thread.
public protocol DefinitionFormat: Sendable, Equatable {
  /// The format's name in messages, such as `in-house`.
  var name: String { get }

  /// Creates the format with its usual settings.
  init()

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document's bytes.
  ///   - file: The name of its file, which diagnostics include; nil for a document without a file.
  /// - Returns: The document.
  /// - Throws: A `FlagDocumentError` with the location and the expected value if the document as a whole cannot be
  ///   read.
  func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument

  /// Merges documents of this format; if two flags have the same key, the later one counts.
  ///
  /// The default returns a single document unchanged, and rejects several.
  ///
  /// - Throws: A `FlagDocumentError` if the documents cannot be merged.
  func merge(_ parts: [StoredDefinitions]) throws(FlagDocumentError) -> StoredDefinitions
}

extension DefinitionFormat {
  /// Returns whether another format has the same type and is equal.
  package func isEqual(to other: any DefinitionFormat) -> Bool { self == other as? Self }

  /// Returns a single document unchanged, and rejects several.
  public func merge(_ parts: [StoredDefinitions]) throws(FlagDocumentError) -> StoredDefinitions {
    guard parts.count == 1, let part = parts.first else {
      throw FlagDocumentError("expected one document, since the format \(name) merges none; found \(parts.count)")
    }
    return part
  }
}
