public import FlagDomain

/// An error of a store of definitions.
public struct DefinitionStoreError: Error, Hashable, Sendable {
  /// The kind of the failure.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let rawValue: String

    /// Creates a code from its name; any name is accepted, because the set of codes is open.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's name.
    public var description: String { rawValue }

    /// The store cannot be read now.
    public static let unreadable = Self(rawValue: "UNREADABLE")
    /// The document cannot be served; the diagnostics say why.
    public static let invalid = Self(rawValue: "INVALID")
    /// The store has another version than expected; nothing was written.
    public static let conflict = Self(rawValue: "CONFLICT")
    /// The store cannot be written to.
    public static let notWritten = Self(rawValue: "NOT_WRITTEN")
    /// A part of a published set cannot be used, which the message names.
    ///
    /// Publishing over it repairs the set.
    public static let broken = Self(rawValue: "BROKEN")
  }

  /// The kind of the failure.
  public var code: Code
  /// The name of the store.
  public var store: String
  /// The message, with the expected and the found value.
  public var message: String
  /// The errors of the document, if it cannot be served; else empty.
  public var diagnostics: [DocumentDiagnostic]
  /// The reason why a store cannot be read, if it is known, such as `UNAUTHORIZED` or `TIMEOUT`.
  public var cause: FlagError.Code?

  /// Creates an error.
  public init(_ code: Code, store: String, _ message: String, diagnostics: [DocumentDiagnostic] = []) {
    self.code = code
    self.store = store
    self.message = message
    self.diagnostics = diagnostics
  }

  /// Creates the error of a store whose document cannot be served.
  public init(_ error: FlagDocumentError, store: String) {
    self.init(.invalid, store: store, "expected a document that can be served", diagnostics: error.diagnostics)
  }

  /// Creates the error of a caller that has not seen the newest version.
  public init(conflictIn store: String, expected: DefinitionVersion?, found: DefinitionVersion?) {
    self.init(
      .conflict, store: store,
      "expected \(expected.map { "version \($0)" } ?? "no document"), found \(found.map { "\($0)" } ?? "none")")
  }
}

extension StoredDefinitions {
  /// Parses a document of a store, and throws the store's error if the document cannot be served.
  package init(
    parsing text: [UInt8], version: DefinitionVersion? = nil, format: any DefinitionFormat = .inHouse, of store: String
  ) throws(DefinitionStoreError) {
    do throws(FlagDocumentError) {
      try self.init(parsing: text, version: version, format: format)
    } catch {
      throw DefinitionStoreError(error, store: store)
    }
  }

  /// Returns the definitions as a format reads them: the same ones if it is their own.
  package func read(
    as format: any DefinitionFormat, of store: String
  ) throws(DefinitionStoreError) -> StoredDefinitions {
    if document.format.isEqual(to: format) { return self }
    return try StoredDefinitions(parsing: text, version: version, format: format, of: store)
  }
}

extension DefinitionStoreError: CustomStringConvertible {
  /// The store with the message, or with each diagnostic on a line of its own.
  public var description: String {
    diagnostics.isEmpty ? "\(store): \(message)" : diagnostics.map { "\(store):\($0)" }.joined(separator: "\n")
  }
}
