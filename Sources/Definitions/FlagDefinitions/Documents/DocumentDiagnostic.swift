import FlagDomain
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
  /// The name of the document's file; nil if it has none, or the caller gave none.
  public let file: String?
  /// The line of the document, counted from 1.
  public let line: Int
  /// The character of the line, counted from 1.
  public let column: Int
  /// The message, with the expected and the found value.
  public let message: String
}

extension DocumentDiagnostic {
  /// Creates a diagnostic of a location in a document that is not JSON, or of the document as a whole.
  ///
  /// - Parameters:
  ///   - message: The message, with the expected and the found value.
  ///   - severity: The severity.
  ///   - line: The line, counted from 1.
  ///   - column: The character of the line, counted from 1.
  ///   - file: The name of the document's file; nil for a document without a file.
  public init(
    _ message: String, severity: Severity = .error, line: Int = 1, column: Int = 1, file: String? = nil
  ) {
    self.init(
      severity: severity, documentPath: .root, file: file, line: line, column: column, message: message)
  }

  /// The path from the outermost value: `$` for that one, `.name` for a member, `[index]` for an element.
  ///
  /// The middle of a long path is left out.
  public var path: String { "\(documentPath)" }

  /// The flag that it is about; nil for the document as a whole, or another section of it.
  package var flag: String? {
    let isInside = documentPath.prefix(KubernetesResource.path.count) == KubernetesResource.path
    let steps = documentPath.steps.dropFirst(isInside ? KubernetesResource.path.count : 0)
    guard case .member(let section)? = steps.first, section == "flags" || section == "features",
      case .member(let name)? = steps.dropFirst().first
    else { return nil }
    return name
  }

  /// Returns whether a member with a name is on the path, such as a flag with a key.
  package func concerns(_ name: String) -> Bool {
    documentPath.steps.contains { if case .member(let member) = $0 { member.isIdentical(to: name) } else { false } }
  }
}

extension DocumentDiagnostic: CustomStringConvertible {
  /// The diagnostic in one line: the file, if there is one, line and column, severity, path and message.
  public var description: String { "\(place): \(path): \(message)" }

  /// The parts that diagnostics of several flags have in common.
  fileprivate var cause: [String] { [severity.rawValue, message] }

  fileprivate var place: String { "\(file.map { "\($0):" } ?? "")\(line):\(column): \(severity.rawValue)" }
}

extension [DocumentDiagnostic] {
  /// The diagnostics in lines; what more than three flags have is one line, at its first place.
  package var lines: [String] {
    let causes = Dictionary(grouping: filter { $0.flag != nil }, by: \.cause)
      .mapValues { Set($0.compactMap(\.flag)).count }
    // A loaded document does not have more diagnostics than this.
    let more = count == RuleLimits.diagnostics ? " or more" : ""
    var told: Set<[String]> = []
    return compactMap { diagnostic in
      guard diagnostic.flag != nil, let flags = causes[diagnostic.cause], flags > 3 else { return "\(diagnostic)" }
      guard told.insert(diagnostic.cause).inserted else { return nil }
      return "\(diagnostic.place): \(flags)\(more) flags: \(diagnostic.message), first at \(diagnostic.path)"
    }
  }
}

extension [UnlocatedDiagnostic] {
  /// Returns the diagnostics with their locations, all resolved in one pass, in the order of the text.
  ///
  /// The paths of a document inside a resource of Kubernetes become those of the whole text.
  package func located(in text: some Collection<UInt8>, of file: String? = nil) -> [DocumentDiagnostic] {
    guard !isEmpty else { return [] }
    let isInside = KubernetesResource.document(in: text) != nil
    let diagnostics = isInside ? map { $0.moved(into: KubernetesResource.path) } : self
    var offsets = diagnostics.map { $0.offset ?? 0 }
    let sought = indices.filter { self[$0].offset == nil }
    for (index, offset) in zip(sought, JSONLocator.offsets(of: sought.map { diagnostics[$0].path }, in: text)) {
      offsets[index] = offset
    }
    return zip(diagnostics, JSONSourceLocation.locations(of: offsets, in: text))
      .map { diagnostic, place in
        DocumentDiagnostic(
          severity: diagnostic.severity, documentPath: diagnostic.path, file: file, line: place.line,
          column: place.column, message: diagnostic.message)
      }
      .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}

/// The error of a document that cannot be served at all.
public struct FlagDocumentError: Error, Hashable, Sendable {
  /// All problems that were found, in the order of the document.
  public let diagnostics: [DocumentDiagnostic]

  /// Creates the error of a document.
  public init(diagnostics: [DocumentDiagnostic]) { self.diagnostics = diagnostics }

  /// Creates an error with a single problem, which concerns the document as a whole.
  init(_ message: String) { self.init(diagnostics: [DocumentDiagnostic(message)]) }
}

extension FlagDocumentError: CustomStringConvertible {
  /// The diagnostics, one per line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
