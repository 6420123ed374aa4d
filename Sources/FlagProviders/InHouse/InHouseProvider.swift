public import FlagDomain
public import Foundation
import Synchronization

/// Serves the flags of a document in the in-house format, which may be replaced while the program runs.
public final class InHouseProvider: Sendable {
  /// The provider's name.
  public let name: String

  private let now: @Sendable () -> Int64
  private let document: Mutex<FlagDocument>
  private let subscribers = Subscribers()

  /// Creates a provider that serves a document.
  ///
  /// - Parameters:
  ///   - document: What to serve.
  ///   - name: The provider's name.
  ///   - now: Returns the time that rules see, in seconds since the beginning of 1970 in UTC.
  public init(
    _ document: FlagDocument, name: String = "in-house",
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    self.name = name
    self.now = now
    self.document = Mutex(document)
  }
}

extension InHouseProvider {
  /// Creates a provider that serves the document in a file, as it is now.
  ///
  /// - Throws: A `FlagDocumentError` when the document cannot be read as a whole, or why the file cannot be opened.
  public convenience init(contentsOf file: URL) throws {
    try self.init(data: Data(contentsOf: file))
  }

  /// Creates a provider that serves a document: JSON in UTF-8.
  ///
  /// - Throws: A `FlagDocumentError` when the document cannot be read as a whole.
  public convenience init(data: Data) throws(FlagDocumentError) {
    self.init(try FlagDocument(parsing: data))
  }

  /// Replaces the document; one that cannot be read as a whole changes nothing.
  ///
  /// - Throws: A `FlagDocumentError` when the new document cannot be read; the old one is still served.
  public func update(with data: Data) throws(FlagDocumentError) {
    update(with: try FlagDocument(parsing: data, bucketing: document.withLock { $0.bucketing }))
  }

  /// Replaces the document, and tells subscribers which flags are defined differently.
  public func update(with newDocument: FlagDocument) {
    let changed = document.withLock { document in
      defer { document = newDocument }
      return newDocument.changedKeys(from: document)
    }
    let keys = Set(changed.compactMap(FlagKey.init))
    if !keys.isEmpty { subscribers.notify(.some(keys)) }
  }

  /// What is wrong with single flags of the document.
  public var findings: [Finding] { document.withLock { $0.findings } }
}

extension InHouseProvider: ChangingFlagProvider {
  /// Returns the document as it is now.
  public func snapshot() -> any ProviderSnapshot {
    InHouseSnapshot(document: document.withLock { $0 }, provider: name, now: now)
  }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}

/// A document at one moment, asked with the time of each question.
private struct InHouseSnapshot: ProviderSnapshot {
  let document: FlagDocument
  let provider: String
  let now: @Sendable () -> Int64

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    do {
      return try document.evaluate(key.name, in: context, at: now())
    } catch {
      throw FlagError(error.code, error.message, key: key, provider: provider)
    }
  }
}
