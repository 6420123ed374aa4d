import FlagDefinitions
import FlagDomain
import FlagPublishing
import FlagReview
import FlagSupport

/// A set of published definitions with blocking calls to its store, for commands.
struct FleetSet {
  let name: String
  let store: any MaintainedDefinitionStore
  let terminal: Terminal

  init(_ address: FleetAddress, on terminal: Terminal) throws(ToolError) {
    name = address.set
    store = try terminal.store(at: address)
    self.terminal = terminal
  }

  /// Returns the head: the revision that servers should run.
  ///
  /// - Throws: An error, also if nothing has been published yet.
  func head() throws(ToolError) -> PublishedHead {
    guard let head = try headIfAny() else { throw .data("\(name): nothing has been published yet") }
    return head
  }

  /// Returns the head: the revision that servers should run; nil if nothing has been published yet.
  func headIfAny() throws(ToolError) -> PublishedHead? {
    try answer { (store) async throws(DefinitionStoreError) in try await store.head() }
  }

  /// Returns the head, or the reason why it cannot be read; neither if nothing has been published yet.
  func readableHead() throws(ToolError) -> (head: PublishedHead?, problem: String?) {
    do throws(DefinitionStoreError) {
      return (try terminal.wait { [store] () async throws(DefinitionStoreError) in try await store.head() }, nil)
    } catch {
      guard error.code == .broken else { throw .published(error) }
      return (nil, error.message)
    }
  }

  func brokenParts() throws(ToolError) -> [BrokenPart] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.brokenParts() }
  }

  func history(limit: Int) throws(ToolError) -> [PublishedRevision] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.history(limit: limit) }
  }

  /// Returns the document of a revision.
  ///
  /// - Throws: An error, also if there is no such revision.
  func text(of revision: Int) throws(ToolError) -> [UInt8] {
    guard let text = try textIfAny(of: revision) else { throw missing(revision) }
    return text
  }

  private func missing(_ revision: Int) -> ToolError {
    .data("\(name): there is no revision \(revision), or it was removed")
  }

  /// Returns the document of a revision; nil if there is no such revision.
  func textIfAny(of revision: Int) throws(ToolError) -> [UInt8]? {
    try answer { (store) async throws(DefinitionStoreError) in try await store.text(of: revision) }
  }

  /// Returns what a closure makes of the head; the closure returns nil if the head's revision is gone.
  ///
  /// Someone may publish, and remove the earlier revisions, between two reads: then the closure gets the newer head.
  func current<Value>(_ read: (PublishedHead) throws(ToolError) -> Value?) throws(ToolError) -> Value {
    var head = try head()
    while true {
      if let value = try read(head) { return value }
      let newer = try self.head()
      guard newer != head else { throw missing(head.revision.number) }
      head = newer
    }
  }

  /// Returns the head, and the definitions of its revision.
  func currentDefinitions() throws(ToolError) -> (head: PublishedHead, definitions: StoredDefinitions) {
    try current { (head) throws(ToolError) in try definitionsIfAny(of: head.revision).map { (head, $0) } }
  }

  /// Returns the definitions of a revision.
  ///
  /// - Throws: An error, also if there is no such revision.
  func definitions(of revision: PublishedRevision) throws(ToolError) -> StoredDefinitions {
    guard let definitions = try definitionsIfAny(of: revision) else { throw missing(revision.number) }
    return definitions
  }

  func definitionsIfAny(of revision: PublishedRevision) throws(ToolError) -> StoredDefinitions? {
    if let current = store.current, current.version == revision.version { return current }
    return try textIfAny(of: revision.number).map { text throws(ToolError) in
      try definitions(in: text, of: revision.number, version: revision.version)
    }
  }

  func definitions(
    in text: [UInt8], of revision: Int, version: DefinitionVersion? = nil
  ) throws(ToolError) -> StoredDefinitions {
    do throws(FlagDocumentError) {
      return try StoredDefinitions(parsing: text, version: version, format: store.format)
    } catch {
      throw .document(path: "\(name) at revision \(revision)", error.diagnostics)
    }
  }

  /// Returns the result of an operation on the store.
  ///
  /// - Throws: The error for a conflict, if there is one, and the store's error otherwise.
  func answer<Answer: Sendable>(
    ifConflict conflict: () throws(ToolError) -> ToolError? = { nil },
    _ ask: @escaping @Sendable (any MaintainedDefinitionStore) async throws(DefinitionStoreError) -> Answer
  ) throws(ToolError) -> Answer {
    do throws(DefinitionStoreError) {
      return try terminal.wait { [store] () async throws(DefinitionStoreError) in try await ask(store) }
    } catch {
      if error.code == .conflict, let conflict = try conflict() { throw conflict }
      throw .published(error)
    }
  }
}

extension Terminal {
  /// Returns a report of a change of definitions, for now or for each of several times.
  func changes(
    from old: StoredDefinitions, to new: StoredDefinitions, named names: (old: String, new: String),
    at times: [Int64] = []
  ) throws(ToolError) -> String {
    if times.isEmpty { return try DiffReport(from: old, to: new, named: names, at: now()).text }
    var text = ""
    for time in times {
      let report = try DiffReport(from: old, to: new, named: names, at: time)
      text += "From \(time.time) on:\n\(report.text)"
    }
    return text
  }

  /// Parses a document for publication, and reports its diagnostics; a document with an error is rejected.
  func publishable(
    _ text: [UInt8], named name: String, bucketing: Bucketing
  ) throws(ToolError) -> StoredDefinitions {
    let (definitions, diagnostics) = StoredDefinitions.checking(text, bucketing: bucketing)
    guard let definitions, !diagnostics.contains(where: { $0.severity == .error }) else {
      throw .document(path: name, diagnostics)
    }
    print(.document(path: name, diagnostics))
    return definitions
  }
}

extension PublishedRevision {
  var words: String {
    let reason = note.reason.isEmpty ? "" : ": \(note.reason.excerpt.escapingHidden())"
    return "revision \(number), published \(timestamp.time) by \(note.author.excerpt.escapingHidden())\(reason)"
  }
}
