/// A store that keeps every revision of its document, and can try a new one on a share of the servers first.
///
/// Its ``DefinitionStore/current`` is what a server of its name runs: the candidate where the name falls into the
/// candidate's share, else the head's revision. The versions of a ``DefinitionStore`` are the numbers of its
/// revisions, so what was read through the one can be expected in the other.
/// ``DefinitionStore/replace(with:expecting:)`` publishes to all, expecting the head's revision; while a candidate is
/// out it is a `CONFLICT`, since the candidate would be lost unseen. Every requirement may be called from any thread,
/// and waits for the store's answer; an answer that does not come is an error within the store's time limit.
public protocol PublishedDefinitionStore: DefinitionStore {
  /// The format of what is published.
  var format: any DefinitionFormat { get }

  /// What servers are told to run now; nil until something was published.
  ///
  /// - Throws: `UNREADABLE` where the store gives no answer, or one that is not understood.
  func head() async throws(DefinitionStoreError) -> PublishedHead?

  /// What was published, newest first, with candidates that were withdrawn.
  ///
  /// - Parameter limit: How many revisions at most.
  /// - Returns: The newest revisions.
  /// - Throws: `UNREADABLE`.
  func history(limit: Int) async throws(DefinitionStoreError) -> [PublishedRevision]

  /// The document of one revision: JSON in UTF-8; nil where there is no such revision, or it was pruned.
  ///
  /// - Throws: `UNREADABLE`.
  func text(of revision: Int) async throws(DefinitionStoreError) -> [UInt8]?

  /// Publishes definitions as a new revision, in one step: it is in the history and the head says so, or neither is.
  ///
  /// - Parameters:
  ///   - definitions: The new definitions; their version does not matter. Those of another format are read again, as
  ///     the store's format reads their text.
  ///   - head: The head that the publisher has seen; nil where there is to be none yet.
  ///   - percent: The share of the servers, 1 to 99, that runs it as a candidate; nil for all. The first revision of a
  ///     set, and one that follows while a candidate is out, go to all, or replace the candidate.
  ///   - note: Who publishes, and why.
  /// - Returns: The head as it is now.
  /// - Throws: `CONFLICT` where the head is another one, `UNREADABLE`, and `NOT_WRITTEN`; its message says so where the
  ///   store did not tell whether it wrote.
  @discardableResult
  func publish(
    _ definitions: StoredDefinitions, expecting head: PublishedHead?, percent: Int?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead

  /// Widens or narrows the candidate's share; 100 makes it the head's revision, 0 withdraws it.
  ///
  /// - Parameters:
  ///   - percent: The share of the servers, 0 to 100.
  ///   - head: The head that the publisher has seen.
  /// - Returns: The head as it is now.
  /// - Throws: `CONFLICT` where the head is another one, or has no candidate; `UNREADABLE`, `NOT_WRITTEN`.
  @discardableResult
  func stage(percent: Int, expecting head: PublishedHead) async throws(DefinitionStoreError) -> PublishedHead

  /// Removes the documents and notes of all but the newest revisions; those that the head names always stay.
  ///
  /// - Parameter count: How many revisions are kept at least: 1 or more.
  /// - Returns: The numbers that were removed.
  /// - Throws: `UNREADABLE`, `NOT_WRITTEN`.
  @discardableResult
  func prune(keeping count: Int) async throws(DefinitionStoreError) -> [Int]

  /// What the servers of the set report, by name.
  ///
  /// - Throws: `UNREADABLE`.
  func servers() async throws(DefinitionStoreError) -> [ServerReport]

  /// Stops following the set, and takes the server's report back; what is current stays so.
  func close() async
}

extension PublishedDefinitionStore {
  /// Publishes a document as a new revision, in one step.
  ///
  /// - Parameters:
  ///   - text: The new document.
  ///   - head: The head that the publisher has seen; nil where there is to be none yet.
  ///   - percent: The share of the servers, 1 to 99, that runs it as a candidate; nil for all.
  ///   - note: Who publishes, and why.
  /// - Returns: The head as it is now.
  /// - Throws: `INVALID` if the document cannot be served, and the errors of publishing definitions.
  @discardableResult
  public func publish(
    _ text: [UInt8], expecting head: PublishedHead?, percent: Int?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    try await publish(
      try StoredDefinitions(parsing: text, format: format, of: name), expecting: head, percent: percent, note: note)
  }
}

/// What a server says of itself, for as long as it lives.
public struct ServerReport: Hashable, Sendable {
  /// The server's name, which decides whether it runs a candidate.
  public var name: String
  /// The revision that it runs; nil for none yet.
  public var revision: Int?
  /// Why it does not run what it should; nil where it does.
  public var failure: String?
  /// When it began to run the revision, or failed to, in seconds since 1970-01-01 00:00 UTC, by the server's clock.
  public var timestamp: Int64

  /// Creates a report.
  public init(name: String, revision: Int?, failure: String? = nil, timestamp: Int64) {
    self.name = name
    self.revision = revision
    self.failure = failure
    self.timestamp = timestamp
  }
}
