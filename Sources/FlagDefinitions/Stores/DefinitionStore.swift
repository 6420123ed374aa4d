public import FlagDomain

/// Where definitions are kept: the port that files, services and key-value stores are put behind.
///
/// Servers and consoles know this port alone. Every requirement may be called from any thread.
public protocol DefinitionStore: Sendable {
  /// What messages call the store, such as a path.
  var name: String { get }

  /// The definitions that were good last; nil until there were any.
  ///
  /// It waits for no disk and no network. While the store is broken or away, they stay.
  var current: StoredDefinitions? { get }

  /// The definitions and the state of the store at this moment.
  ///
  /// The default says that the current definitions are the newest. It is read while a lock is held: it returns at once,
  /// and calls no subscriber.
  var standing: DefinitionStanding { get }

  /// Reads the definitions again, and waits for the end of that; the default does nothing.
  ///
  /// - Throws: The reason why they cannot be read or served; the current definitions stay.
  func refresh() async throws(DefinitionStoreError)

  /// Tells a closure what becomes of the definitions, until the subscription ends.
  ///
  /// The current definitions, where there are any, are told before this returns. Then every change is, and every
  /// failure to read or to understand what the store has; definitions that come back after a failure are told again.
  /// The closure is called for one thing at a time, in order, with no lock held. A slow one may miss what is no longer
  /// true, and ends on the newest definitions.
  func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription

  /// Replaces the document, if the store still has the version that the caller has seen.
  ///
  /// When it returns, ``current`` is the new document, or one that has replaced it since.
  ///
  /// - Parameters:
  ///   - text: The new document: JSON in UTF-8. One that cannot be served is refused.
  ///   - version: The version that it takes the place of; nil where there is to be no document yet.
  /// - Returns: What is stored now.
  /// - Throws: An error whose code tells a conflict from what cannot be served, and from a store that is not written.
  @discardableResult
  func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions
}

extension DefinitionStore {
  /// The current definitions, as the newest.
  public var standing: DefinitionStanding { DefinitionStanding(current, isSettled: current != nil) }

  /// Does nothing: the store reads its definitions by itself.
  public func refresh() async throws(DefinitionStoreError) {}
}

/// A document as a store has it: its text, what it means, and its version.
public struct StoredDefinitions: Sendable {
  /// The document, ready to be evaluated.
  public let document: FlagDocument
  /// The document as it is written: JSON in UTF-8.
  public let text: [UInt8]
  /// The version, which another text never has in the same store.
  public let version: DefinitionVersion

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document: JSON in UTF-8.
  ///   - version: The store's own version; nil for one that is made of the text.
  ///   - bucketing: Which bytes decide a user's share.
  /// - Throws: A `FlagDocumentError` where the document as a whole cannot be read.
  public init(
    parsing text: [UInt8], version: DefinitionVersion? = nil, bucketing: Bucketing = .v3
  ) throws(FlagDocumentError) {
    document = try FlagDocument(parsing: text, bucketing: bucketing)
    self.text = text
    self.version = version ?? DefinitionVersion(of: text)
  }

  /// Creates the same definitions under a version of a store's own, without reading them again.
  package init(_ definitions: StoredDefinitions, version: DefinitionVersion) {
    self.init(definitions.document, text: definitions.text, version: version)
  }

  /// Creates definitions of a document that was read from a text.
  package init(_ document: FlagDocument, text: [UInt8], version: DefinitionVersion) {
    self.document = document
    self.text = text
    self.version = version
  }
}

/// What tells one state of a store's document from another.
public struct DefinitionVersion: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The version as text; it has a meaning to its store alone.
  public let rawValue: String

  /// Creates a version of a store's own.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the version of a text in a store that counts none: equal texts have equal versions.
  public init(of text: [UInt8]) { self.init(rawValue: Fingerprint(of: text).description) }

  /// The version as text.
  public var description: String { rawValue }
}
