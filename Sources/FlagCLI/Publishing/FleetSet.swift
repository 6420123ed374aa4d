import FlagDefinitions
import FlagDomain
import FlagReview

/// A set of published definitions with blocking calls to its store, for commands.
struct FleetSet {
  let name: String
  let store: any PublishedDefinitionStore
  let terminal: Terminal

  init(_ address: FleetAddress, on terminal: Terminal) throws(ToolError) {
    name = address.set
    store = try terminal.store(at: address)
    self.terminal = terminal
  }
}

extension FleetSet {
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

  func history(limit: Int) throws(ToolError) -> [PublishedRevision] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.history(limit: limit) }
  }

  /// Returns the document of a revision.
  ///
  /// - Throws: An error, also if there is no such revision.
  func text(of revision: Int) throws(ToolError) -> [UInt8] {
    guard let text = try textIfAny(of: revision) else {
      throw .data("\(name): there is no revision \(revision), or it was removed")
    }
    return text
  }

  /// Returns the document of a revision; nil if there is no such revision.
  func textIfAny(of revision: Int) throws(ToolError) -> [UInt8]? {
    try answer { (store) async throws(DefinitionStoreError) in try await store.text(of: revision) }
  }

  /// Returns the definitions of a revision; those of an empty document for nil.
  func definitions(of revision: PublishedRevision?) throws(ToolError) -> StoredDefinitions {
    guard let revision else { return try definitions(in: Array(#"{"flags": {}}"#.utf8), of: 0) }
    if let current = store.current, current.version == revision.version { return current }
    return try definitions(in: try text(of: revision.number), of: revision.number, version: revision.version)
  }

  func definitions(
    in text: [UInt8], of revision: Int, version: DefinitionVersion? = nil
  ) throws(ToolError) -> StoredDefinitions {
    do throws(FlagDocumentError) { return try StoredDefinitions(parsing: text, version: version) } catch {
      throw .document(path: "\(name) at revision \(revision)", error.diagnostics)
    }
  }

  /// Returns the result of an operation on the store.
  ///
  /// - Throws: The error for a conflict, if there is one, and the store's error otherwise.
  func answer<Answer: Sendable>(
    ifConflict conflict: () throws(ToolError) -> ToolError? = { nil },
    _ ask: @escaping @Sendable (any PublishedDefinitionStore) async throws(DefinitionStoreError) -> Answer
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
    among audience: Audience = Audience(), at times: [Int64] = []
  ) throws(ToolError) -> String {
    if times.isEmpty { return try DiffReport(from: old, to: new, named: names, among: audience, at: now()).text }
    var text = ""
    for time in times {
      let report = try DiffReport(from: old, to: new, named: names, among: audience, at: time)
      text += "From \(time.time) on:\n\(report.text)"
    }
    return text
  }

  /// Parses a document for publication, and reports its diagnostics; a document with an error is rejected.
  func publishable(_ text: [UInt8], named name: String) throws(ToolError) -> StoredDefinitions {
    let (definitions, diagnostics) = StoredDefinitions.checking(text)
    guard let definitions, !diagnostics.contains(where: { $0.severity == .error }) else {
      throw .document(path: name, diagnostics)
    }
    print(.document(path: name, diagnostics))
    return definitions
  }
}

extension PublishedRevision {
  var words: String {
    let reason = note.reason.isEmpty ? "" : ": \(note.reason.printable)"
    return "revision \(number), published \(timestamp.time) by \(note.author.printable)\(reason)"
  }
}
