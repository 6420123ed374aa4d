import FlagDefinitions
import FlagDomain
import FlagReview

/// A set of published definitions as commands work on it: each question waits for the store's answer.
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
  /// Returns what servers are told to run.
  ///
  /// - Throws: Where nothing was published, too.
  func head() throws(ToolError) -> PublishedHead {
    guard let head = try headIfAny() else { throw .data("\(name): nothing was published yet") }
    return head
  }

  /// Returns what servers are told to run; nil where nothing was published.
  func headIfAny() throws(ToolError) -> PublishedHead? {
    try answer { (store) async throws(DefinitionStoreError) in try await store.head() }
  }

  func history(limit: Int) throws(ToolError) -> [PublishedRevision] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.history(limit: limit) }
  }

  /// Returns the document of a revision.
  ///
  /// - Throws: Where there is none of that number, too.
  func text(of revision: Int) throws(ToolError) -> [UInt8] {
    guard let text = try textIfAny(of: revision) else {
      throw .data("\(name): there is no revision \(revision), or it was removed")
    }
    return text
  }

  /// Returns the document of a revision; nil where there is none of that number.
  func textIfAny(of revision: Int) throws(ToolError) -> [UInt8]? {
    try answer { (store) async throws(DefinitionStoreError) in try await store.text(of: revision) }
  }

  /// Returns the definitions of a revision; those of no flag for none.
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

  /// Returns the store's answer to a question.
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
  /// Returns what a change of definitions does, in words: now, or at each of some times.
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

  /// Reads a document that is to be published; one with an error is refused, with all that is wrong with it.
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
