public import FlagDefinitions
public import FlagDomain
import FlagFiles
public import Foundation

/// A provider that evaluates definitions in the in-house format, which is flagd's.
///
/// ```swift
/// try InHouseProvider(contentsOf: file)
/// ```
///
/// A flag whose own entry is malformed is an error of code `PARSE_ERROR`; the others are served.
public final class InHouseProvider: Sendable {
  /// The provider's name.
  public let name: String
  private let live: ObservableContent<Definitions>
  /// Follows a file, if the provider was created to.
  let follower = Locked<FileFollower?>(nil)

  /// Creates a provider that serves a document.
  ///
  /// - Parameters:
  ///   - document: The definitions.
  ///   - name: The provider's name.
  ///   - now: Returns the time that rules see, in seconds since 1970-01-01 UTC.
  public init(
    _ document: FlagDocument, name: String = "in-house",
    now: @escaping @Sendable () -> Int64 = { Int64(Date.now.timeIntervalSince1970) }
  ) {
    self.name = name
    live = ObservableContent(Definitions(document: document, provider: name, now: now))
  }
}

extension InHouseProvider {
  /// Creates a provider that serves a document: JSON in UTF-8.
  ///
  /// - Throws: A `FlagDocumentError` with everything that keeps the document from being served.
  public convenience init(data: Data) throws(FlagDocumentError) { self.init(try FlagDocument(parsing: data)) }

  /// The document that is served.
  public var document: FlagDocument { live.current.document }

  /// The diagnostics of single flags of the document.
  public var diagnostics: [DocumentDiagnostic] { document.diagnostics }

  /// Replaces the document, and notifies subscribers of the flags that are defined differently.
  public func update(with document: FlagDocument) { live.update { $0.document = document } }

  /// Replaces the document: JSON in UTF-8.
  ///
  /// - Throws: A `FlagDocumentError` with everything that keeps the document from being served. Then the previous one
  ///   stays in use.
  public func update(with data: Data) throws(FlagDocumentError) {
    try update(with: data, of: nil)
  }

  /// Serves the document that is in some data, which diagnostics say to be of a file.
  func update(with data: Data, of file: String?) throws(FlagDocumentError) {
    update(with: try FlagDocument(parsing: data, bucketing: document.bucketing, file: file))
  }
}

extension InHouseProvider: ObservableFlagProvider {
  /// Returns the current definitions.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

/// A document, and the clock that its rules see.
private struct Definitions: ProviderSnapshot, DiffableContent {
  var document: FlagDocument
  let provider: String
  let now: @Sendable () -> Int64

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    let now = now
    do {
      return try document.evaluate(key, in: context, at: now())
    } catch {
      var error = error
      error.key = key
      error.provider = provider
      throw error
    }
  }

  /// The diagnostics of single flags as errors; at most 100.
  var findings: [FlagError] {
    document.diagnostics.prefix(100).map { FlagError(.parseError, "\($0)", provider: provider) }
  }

  func changes(since old: Definitions) -> ChangedKeys? {
    let names = document.changedKeys(from: old.document)
    return names.isEmpty ? nil : .some(names)
  }
}
