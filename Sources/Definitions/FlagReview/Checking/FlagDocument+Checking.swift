package import FlagDefinitions
import FlagJSON

extension FlagDocument {
  /// Returns the errors and warnings of a document, in the order of its text.
  ///
  /// Checking is stricter than reading: anything that the format's schema rejects is an error, even if it could be
  /// served, and so are parts that fail whenever they are evaluated. The time is linear in the size of the document.
  ///
  /// - Parameter text: The document: JSON in UTF-8.
  /// - Returns: The diagnostics; empty if the document is valid.
  package static func diagnostics(in text: some Collection<UInt8>) -> [DocumentDiagnostic] {
    check(text, of: nil)
  }

  /// Returns the errors and warnings of one flag of a document, and of the shared rules that it uses.
  ///
  /// If the document as a whole cannot be read, its diagnostics are returned.
  ///
  /// - Parameters:
  ///   - text: The document: JSON in UTF-8.
  ///   - key: The flag's key.
  /// - Returns: The diagnostics; empty if the flag is valid, or the document has no such flag.
  package static func diagnostics(in text: some Collection<UInt8>, of key: String) -> [DocumentDiagnostic] {
    check(text, of: [key])
  }

  fileprivate static func check(
    _ text: some Collection<UInt8>, of keys: Set<String>?,
    servedBy serve: (DocumentReader) -> FlagTable? = { _ in nil }
  ) -> [DocumentDiagnostic] {
    do throws(FlagDocumentError) {
      let reader = try DocumentReader.read(text, isChecking: true)
      let flags = serve(reader) ?? reader.flags(bucketing: .v3, file: nil)
      do throws(JSONError) {
        let checker = try DocumentChecker(reader, flags, of: text, only: keys)
        return (keys.map { checker.diagnostics(of: $0) } ?? checker.diagnostics).located(in: text)
      } catch {
        return [UnlocatedDiagnostic(error)].located(in: text)
      }
    } catch {
      return error.diagnostics
    }
  }
}

extension StoredDefinitions {
  /// Reads and checks a document in one pass: the definitions are nil if it cannot be read as a whole.
  ///
  /// The diagnostics are those of some flags and of the shared rules that they use; if the keys are nil, those of all
  /// flags.
  package static func checking(
    _ text: [UInt8], for keys: [String]? = nil, bucketing: Bucketing = .v3
  ) -> (definitions: StoredDefinitions?, diagnostics: [DocumentDiagnostic]) {
    var definitions: StoredDefinitions?
    let diagnostics = FlagDocument.check(text, of: keys.map { Set($0) }) { reader in
      let document = FlagDocument(reader, of: text, bucketing: bucketing)
      definitions = StoredDefinitions(document, text: text, version: DefinitionVersion(of: text))
      return document.flags
    }
    return (definitions, diagnostics)
  }
}
