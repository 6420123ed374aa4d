public import FlagDomain
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
  private let live: Live<Definitions>

  /// Creates a provider that serves a document.
  ///
  /// - Parameters:
  ///   - document: The definitions.
  ///   - name: The provider's name.
  ///   - now: The time that rules see, in seconds since the beginning of 1970 in UTC.
  public init(
    _ document: FlagDocument, name: String = "in-house",
    now: @escaping @Sendable () -> Int64 = { Int64(Date.now.timeIntervalSince1970) }
  ) {
    self.name = name
    live = Live(Definitions(document: document, provider: name, now: now))
  }

  /// Creates a provider that serves the document in a file.
  ///
  /// - Parameters:
  ///   - file: The file, which is read once.
  ///   - name: The provider's name.
  ///   - bucketing: Which bytes decide a user's share.
  /// - Throws: A `FlagDocumentError` with everything that keeps the document from being served, and what reading throws.
  public convenience init(contentsOf file: URL, name: String = "in-house", bucketing: Bucketing = .v3) throws {
    self.init(try FlagDocument(parsing: Data(contentsOf: file), bucketing: bucketing), name: name)
  }
}

extension InHouseProvider {
  /// Creates a provider that serves the document in some data: JSON in UTF-8.
  ///
  /// - Throws: A `FlagDocumentError` with everything that keeps the document from being served.
  public convenience init(data: Data) throws(FlagDocumentError) { self.init(try FlagDocument(parsing: data)) }

  /// The document that is served.
  public var document: FlagDocument { live.current.document }

  /// What is wrong with single flags of the document.
  public var findings: [Finding] { document.findings }

  /// Serves another document, and tells subscribers which flags are defined differently.
  public func update(with document: FlagDocument) { live.update { $0.document = document } }

  /// Serves the document that is in some data.
  ///
  /// - Throws: A `FlagDocumentError` with everything that keeps the document from being served; then the one before is
  ///   served still.
  public func update(with data: Data) throws(FlagDocumentError) {
    update(with: try FlagDocument(parsing: data, bucketing: document.bucketing))
  }
}

extension InHouseProvider: ChangingFlagProvider {
  /// Returns the definitions of this moment.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

/// A document, and the time to evaluate it at.
private struct Definitions: ProviderSnapshot, LiveContent {
  var document: FlagDocument
  let provider: String
  let now: @Sendable () -> Int64

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    let now = now
    do {
      return try document.evaluate(key.name, in: context, at: now())
    } catch {
      throw FlagError(error.code, error.message, key: key, provider: provider, isTransient: error.isTransient)
    }
  }

  func changes(since old: Definitions) -> ChangedKeys? {
    let keys = document.changedKeys(from: old.document).compactMap { FlagKey($0) }
    return keys.isEmpty ? nil : .some(Set(keys))
  }
}
