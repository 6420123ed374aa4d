import FlagDefinitions
import FlagDomain
import FlagPublishing
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

  /// Returns the result of an operation on the store.
  func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (any MaintainedDefinitionStore) async throws(DefinitionStoreError) -> Answer
  ) throws(DefinitionStoreError) -> Answer {
    try terminal.wait { [store] () async throws(DefinitionStoreError) in try await question(store) }
  }

  /// Returns the result of an operation on the store.
  ///
  /// - Throws: The error for a conflict, if there is one, and the store's error otherwise.
  func answer<Answer: Sendable>(
    ifConflict conflict: () throws(ToolError) -> ToolError? = { nil },
    _ question: @escaping @Sendable (any MaintainedDefinitionStore) async throws(DefinitionStoreError) -> Answer
  ) throws(ToolError) -> Answer {
    do throws(DefinitionStoreError) { return try ask(question) } catch {
      if error.code == .conflict, let conflict = try conflict() { throw conflict }
      throw .published(error)
    }
  }

  // MARK: - The head

  /// Returns the head: the revision that servers should run.
  ///
  /// - Throws: An error, also if nothing has been published yet.
  func head() throws(ToolError) -> PublishedHead {
    guard let head = try mapError(try headIfAny(), ToolError.published) else { throw nothingPublished }
    return head
  }

  private var nothingPublished: ToolError { .data("\(name): nothing has been published yet") }

  /// Returns the head: the revision that servers should run; nil if nothing has been published yet.
  func headIfAny() throws(DefinitionStoreError) -> PublishedHead? {
    try ask { (store) async throws(DefinitionStoreError) in try await store.head() }
  }

  /// Returns the head, or the reason why it cannot be read; neither if nothing has been published yet.
  func readableHead() throws(ToolError) -> (head: PublishedHead?, problem: String?) {
    do throws(DefinitionStoreError) { return (try headIfAny(), nil) } catch {
      guard error.code == .broken else { throw .published(error) }
      return (nil, error.message)
    }
  }

  /// Returns what a closure makes of the head; the closure returns nil if the head's revision is gone.
  ///
  /// Someone may publish, and remove the earlier revisions, between two reads: then the closure gets the newer head.
  ///
  /// - Throws: An error, also if nothing has been published yet.
  func current<Value>(
    _ read: (PublishedHead) throws(DefinitionStoreError) -> Value?
  ) throws(ToolError) -> Value {
    guard let value = try mapError(try currentIfAny(nil, read), ToolError.published) else { throw nothingPublished }
    return value
  }

  /// Returns what a closure makes of the head, or of one that was seen; nil if nothing has been published yet.
  func currentIfAny<Value>(
    _ seen: PublishedHead?, _ read: (PublishedHead) throws(DefinitionStoreError) -> Value?
  ) throws(DefinitionStoreError) -> Value? {
    var next = if let seen { Optional(seen) } else { try headIfAny() }
    while let head = next {
      if let value = try read(head) { return value }
      if seen == nil { next = try headIfAny() }
      if next == head { throw DefinitionStoreError(.unreadable, store: name, "\(head) has no document") }
    }
    return nil
  }

  /// Returns the head, and the definitions of its revision.
  func currentDefinitions() throws(ToolError) -> (head: PublishedHead, definitions: StoredDefinitions) {
    try current { (head) throws(DefinitionStoreError) in
      try definitionsIfAny(of: head.revision.number).map { (head, $0) }
    }
  }

  /// Returns the revision that servers run without a candidate, and its document.
  func currentText() throws(ToolError) -> (revision: Int, text: [UInt8]) {
    try current { (head) throws(DefinitionStoreError) in
      try textIfAny(of: head.revision.number).map { (head.revision.number, $0) }
    }
  }

  // MARK: - Revisions

  func history(limit: Int) throws(ToolError) -> [PublishedRevision] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.history(limit: limit) }
  }

  func brokenParts() throws(ToolError) -> [BrokenPart] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.brokenParts() }
  }

  /// Returns the document of a revision.
  ///
  /// - Throws: An error, also if there is no such revision.
  func text(of revision: Int) throws(ToolError) -> [UInt8] {
    guard let text = try mapError(try textIfAny(of: revision), ToolError.published) else {
      throw .missing(revision, of: name)
    }
    return text
  }

  private func textIfAny(of revision: Int) throws(DefinitionStoreError) -> [UInt8]? {
    try ask { (store) async throws(DefinitionStoreError) in try await store.text(of: revision) }
  }

  /// Returns the definitions of a revision.
  ///
  /// - Throws: An error, also if there is no such revision.
  func definitions(of revision: Int) throws(ToolError) -> StoredDefinitions {
    guard let definitions = try mapError(try definitionsIfAny(of: revision), ToolError.published) else {
      throw .missing(revision, of: name)
    }
    return definitions
  }

  /// Returns the definitions of a revision; nil if there is no such revision.
  func definitionsIfAny(of revision: Int) throws(DefinitionStoreError) -> StoredDefinitions? {
    try textIfAny(of: revision).map { text throws(DefinitionStoreError) in
      try StoredDefinitions(
        parsing: text, version: DefinitionVersion(rawValue: "\(revision)"), format: store.format,
        of: title(ofRevision: revision))
    }
  }

  /// The name of a revision in messages: "production at revision 7".
  func title(ofRevision number: Int) -> String { "\(name) at revision \(number)" }

  // MARK: - Servers

  func servers() throws(ToolError) -> [ServerReport] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.servers() }
  }

  /// Returns a note if no server that reports is in the share of a candidate; nil if one is.
  func unchosen(by candidate: StagedRevision) -> String? {
    let share = "\(candidate.percent) %"
    let names: [String]
    do throws(ToolError) { names = try servers().filter { !$0.isAbsent }.map(\.name) } catch {
      return "flagctl: \(name): it is unknown whether \(share) chooses a server: the reports cannot be read"
    }
    if names.isEmpty { return "flagctl: \(name): \(share) chooses no server: none reports" }
    func chooses(_ percent: Int) -> Bool {
      names.contains { StagedRevision(revision: candidate.revision, percent: percent).includes(server: $0) }
    }
    if chooses(candidate.percent) { return nil }
    let servers = names.count == 1 ? "the server that reports" : "any of the \(names.count) servers that report"
    let wider = (candidate.percent...99).first { chooses($0) }.map { "\($0) %" } ?? "100 %"
    return "flagctl: \(name): \(share) does not choose \(servers): the smallest share that does is \(wider)"
  }
}

extension PublishedRevision {
  var words: String {
    let reason = note.reason.isEmpty ? "" : ": \(note.reason.excerpt.escapingHidden())"
    return "revision \(number), published \(timestamp.time) by \(note.author.excerpt.escapingHidden())\(reason)"
  }
}
