/// A format of definitions: reads documents, and merges them.
///
/// Stores take a format, and hand on documents without knowing what is in them; so does a `DefinitionsProvider`. A
/// format is a value that reads no clock, no file and no network. It may be used from any thread.
public protocol DefinitionFormat: Sendable, Equatable {
  /// The format's name in messages, such as `in-house`.
  var name: String { get }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document's bytes.
  ///   - file: The name of its file, which diagnostics repeat; nil for a document of no file.
  /// - Returns: The document.
  /// - Throws: A `FlagDocumentError` that says where the document as a whole cannot be read, and what was expected.
  func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument

  /// Merges documents of this format; of two flags with one key, the later one counts.
  ///
  /// The default takes a single document as it is, and refuses several.
  ///
  /// - Throws: A `FlagDocumentError` if the documents cannot be one.
  func merge(_ parts: [StoredDefinitions]) throws(FlagDocumentError) -> StoredDefinitions
}

extension DefinitionFormat {
  /// Returns whether another format is of the same type, and equal.
  package func isEqual(to other: any DefinitionFormat) -> Bool { self == other as? Self }

  /// Takes a single document as it is, and refuses several.
  public func merge(_ parts: [StoredDefinitions]) throws(FlagDocumentError) -> StoredDefinitions {
    guard parts.count == 1, let part = parts.first else {
      throw FlagDocumentError("expected one document, since the format \(name) merges none; found \(parts.count)")
    }
    return part
  }
}
