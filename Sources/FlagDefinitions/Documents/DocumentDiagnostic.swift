import FlagJSON

/// An error or a warning about a part of a document.
public struct DocumentDiagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable {
    /// The document, or the flag, cannot be served as it is.
    case error
    /// The document can be served, but probably does not mean what its author intended.
    case warning
  }

  /// The severity.
  public let severity: Severity
  let documentPath: DocumentPath
  /// The name of the file that the document is from; nil where it is from none, or the caller did not say.
  public let file: String?
  /// The line of the document, counted from 1.
  public let line: Int
  /// The character of the line, counted from 1.
  public let column: Int
  /// What was expected, and what was found.
  public let message: String
}

extension DocumentDiagnostic {
  /// Creates a diagnostic of a place in a document that is no JSON, or of the document as a whole.
  ///
  /// - Parameters:
  ///   - message: What was expected, and what was found.
  ///   - severity: The severity.
  ///   - line: The line, counted from 1.
  ///   - column: The character of the line, counted from 1.
  ///   - file: The name of the document's file; nil for a document of no file.
  public init(
    _ message: String, severity: Severity = .error, line: Int = 1, column: Int = 1, file: String? = nil
  ) {
    self.init(
      severity: severity, documentPath: .root, file: file, line: line, column: column, message: message)
  }

  /// The path from the outermost value: `$` for that one, `.name` for a member, `[index]` for an element.
  ///
  /// Of a long path, what is in the middle is left out.
  public var path: String { "\(documentPath)" }
}

extension DocumentDiagnostic: CustomStringConvertible {
  /// The diagnostic in one line: the file, where there is one, line and column, severity, path and message.
  public var description: String {
    "\(file.map { "\($0):" } ?? "")\(line):\(column): \(severity.rawValue): \(path): \(message)"
  }
}

extension DocumentDiagnostic {
  fileprivate init(_ diagnostic: UnlocatedDiagnostic, at location: JSONSourceLocation, of file: String?) {
    self.init(
      severity: diagnostic.severity, documentPath: diagnostic.path, file: file, line: location.line,
      column: location.column,
      message: diagnostic.message)
  }
}

extension [UnlocatedDiagnostic] {
  /// Returns the diagnostics with their locations, all looked up together, in the order of the text.
  package func located(in text: some Collection<UInt8>, of file: String? = nil) -> [DocumentDiagnostic] {
    guard !isEmpty else { return [] }
    var offsets = map { $0.offset ?? 0 }
    let sought = indices.filter { self[$0].offset == nil }
    for (index, offset) in zip(sought, JSONLocator.offsets(of: sought.map { self[$0].path }, in: text)) {
      offsets[index] = offset
    }
    return zip(self, JSONSourceLocation.locations(of: offsets, in: text))
      .map { DocumentDiagnostic($0, at: $1, of: file) }
      .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}

/// Why a document cannot be served at all.
public struct FlagDocumentError: Error, Hashable, Sendable {
  /// Everything that is wrong, in the order of the document.
  public let diagnostics: [DocumentDiagnostic]

  /// Creates the error of a document.
  public init(diagnostics: [DocumentDiagnostic]) { self.diagnostics = diagnostics }

  /// Creates the error of a document of which one thing is wrong as a whole.
  init(_ message: String) { self.init(diagnostics: [DocumentDiagnostic(message)]) }
}

extension FlagDocumentError: CustomStringConvertible {
  /// The diagnostics, one a line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
