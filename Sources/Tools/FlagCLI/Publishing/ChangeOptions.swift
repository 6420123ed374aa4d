import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagProviders
import FlagPublishing
import FlagReview

/// The document that a command changes, a file or that of a set in etcd, and how: options that commands share.
struct ChangeOptions: OptionGroup {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var file: String?

  static var options: [Option<Self>] {
    source
    PublishOptions.changeOptions.of(\.publishing)
  }

  /// The options of a command that may also publish over what cannot be read.
  @OptionsBuilder<Self> static var restoreOptions: [Option<Self>] {
    source
    PublishOptions.options.of(\.publishing)
  }

  @OptionsBuilder<Self> private static var source: [Option<Self>] {
    Option("--flags", .file, "the document to change, instead of a set in etcd", \.file)
    FleetOptions.options.of(\.fleet)
  }

  func check() throws(UsageError) {
    try fleet.checkSet(orFile: file)
    if file != nil, let option = publishing.unusedForFile {
      throw UsageError("\(option) is for a set in etcd, found --flags FILE")
    }
  }
}

/// A change of a document, in the words that reports and the history have for it.
struct DocumentChangeLabels {
  /// The name of the changed document in reports: "the schedule".
  let source: String
  /// The reason in the history, before the one on the command line.
  let reason: String
  /// The times to compare the definitions at; empty for now.
  var times: [Int64] = []
  /// Whether the change removes a flag of the document by intent.
  var removesFlags = false
}

extension ChangeOptions {
  /// Returns the document to change.
  func current(on terminal: Terminal) throws(ToolError) -> StoredDefinitions {
    guard let file else { return try set(on: terminal).currentDefinitions().definitions }
    return try terminal.store(reading: file, format: format).definitions
  }

  var isJSON: Bool { publishing.isJSON }

  private var format: any DefinitionFormat { .inHouse(bucketing: publishing.bucketing) }

  private func set(on terminal: Terminal) throws(ToolError) -> FleetSet {
    try fleet.set(bucketing: publishing.bucketing, on: terminal)
  }

  /// Shows the effect of a change on users, asks for agreement, and writes the file or publishes to the set.
  ///
  /// The changes that others make in the meantime stay.
  ///
  /// - Throws: An error if the changed document has an error, nobody agrees, or someone else changed the same flag, or
  ///   a part that flags share, first.
  func run(
    _ words: DocumentChangeLabels, on terminal: Terminal,
    _ change: (StoredDefinitions) throws(ToolError) -> [UInt8]
  ) throws(ToolError) -> ExitCode {
    if let file { return try write(to: file, words, on: terminal, change) }
    let set = try set(on: terminal)
    var (head, definitions) = try set.currentDefinitions()
    var publication = Publication(words, to: set, publishing)
    var text = try change(definitions)
    while true {
      publication.seen = head
      do throws(ToolError) { return try publication.run(text) } catch {
        guard error.exitCode == .conflict, publishing.expected == nil else { throw error }
        let (newer, theirs) = try set.currentDefinitions()
        guard newer.candidate == head.candidate, let merged = try theirs.merged(with: text, since: definitions)
        else { throw error }
        (head, definitions, text) = (newer, theirs, merged)
      }
    }
  }

  /// Shows the effect of an earlier document, asks for agreement, and writes or publishes it again.
  func goBack(to revision: Int, on terminal: Terminal) throws(ToolError) -> ExitCode {
    let words = DocumentChangeLabels(
      source: "revision \(revision)", reason: "back to revision \(revision)", removesFlags: true)
    guard let file else {
      let set = try set(on: terminal)
      return try Publication(words, to: set, publishing).run(try set.text(of: revision))
    }
    let store = try FileDefinitionHistory.kept(beside: file, author: terminal.author, format: format, on: terminal)
    let text = try mapError(
      try terminal.wait { () async throws(DefinitionStoreError) in try await store.text(of: revision) },
      ToolError.store)
    guard let text else { throw .missing(revision, of: file) }
    return try write(to: file, words, on: terminal) { _ in text }
  }

  private func write(
    to file: String, _ words: DocumentChangeLabels, on terminal: Terminal,
    _ change: (StoredDefinitions) throws(ToolError) -> [UInt8]
  ) throws(ToolError) -> ExitCode {
    if !FileDefinitionHistory.isKept(beside: file), let option = publishing.historyOption {
      throw .usage("\(option) is for the history, and none of \(file) is kept; see flagctl console --history")
    }
    if Terminal.isPipe(file) { throw .data("\(file): expected a file to change, found a pipe or a device") }
    var old = try current(on: terminal)
    var text = try change(old)
    let new = try terminal.publishable(text, named: file, bucketing: publishing.bucketing)
    let names = (file, words.source)
    let report: FlagValue?
    if isJSON {
      report = try DiffReport(from: old, to: new, named: names, at: words.times.first ?? terminal.now()).json
    } else {
      report = nil
      try terminal.print(try terminal.changes(from: old, to: new, named: names, at: words.times))
    }
    func finish() throws(ToolError) -> ExitCode {
      guard let report else { return .success }
      let json = FlagValue(["version": 1, "file": file, "isWritten": !publishing.isDryRun, "changes": report])
      try terminal.print("\(json.printed)\n")
      return .success
    }
    if publishing.isDryRun { return try finish() }
    try terminal.agree(publishing.isAgreed, to: "Write \(file)?", of: file)
    let note = publishing.note(words.reason, on: terminal)
    while try !write(text, over: old, to: store(of: file, on: terminal), note, on: terminal) {
      let theirs = try current(on: terminal)
      guard let merged = try theirs.merged(with: text, since: old) else {
        throw .conflict(["\(file): conflict: someone else changed the same first; nothing was written"])
      }
      (old, text) = (theirs, merged)
    }
    if !isJSON { try terminal.print("\(file): written\n") }
    return try finish()
  }

  /// Writes a file, and returns false if someone else has changed it.
  private func write(
    _ text: [UInt8], over old: StoredDefinitions, to store: any DefinitionStore, _ note: PublicationNote,
    on terminal: Terminal
  ) throws(ToolError) -> Bool {
    do throws(DefinitionStoreError) {
      try terminal.wait { () async throws(DefinitionStoreError) in try await store.write(text, over: old, note) }
      return true
    } catch {
      if error.code == .conflict { return false }
      throw .store(error)
    }
  }

  /// Opens a file; with its history, if states of it are kept.
  private func store(of file: String, on terminal: Terminal) throws(ToolError) -> any DefinitionStore {
    if FileDefinitionHistory.isKept(beside: file) {
      return try FileDefinitionHistory.opened(file, author: terminal.author, format: format, on: terminal)
    }
    return try FileDefinitionStore.opened(file, format: format, on: terminal)
  }

  /// Returns the definition of a flag in the document to change.
  func draft(of key: String, on terminal: Terminal) throws(ToolError) -> DefinitionDraft {
    let stored = try current(on: terminal)
    return try mapError(try DefinitionDraft(key, in: stored), ToolError.flag(key))
  }

  /// Changes the definition of a flag, as ``run(_:on:_:)`` changes a document.
  func run(
    _ reason: String, of key: String, times: [Int64] = [], on terminal: Terminal,
    _ edit: (inout DefinitionDraft) throws(FlagError) -> Void
  ) throws(ToolError) -> ExitCode {
    let words = DocumentChangeLabels(source: "the change", reason: reason, times: times)
    return try run(words, on: terminal) { stored throws(ToolError) in
      do throws(FlagError) {
        var draft = try DefinitionDraft(key, in: stored)
        try edit(&draft)
        return try draft.text(in: stored.text)
      } catch {
        throw .flag(key, error)
      }
    }
  }

  /// Makes an edit of a flag, as ``run(_:on:_:)`` makes a change.
  func run(_ edit: DefinitionEdit, on terminal: Terminal) throws(ToolError) -> ExitCode {
    let words = DocumentChangeLabels(source: "the change", reason: edit.title, removesFlags: edit.removesKey)
    return try run(words, on: terminal) { stored throws(ToolError) in
      try mapError(try edit.applying(to: stored.text), ToolError.flag(edit.keys[0]))
    }
  }
}

extension StoredDefinitions {
  /// Returns these definitions with a change that was made to older ones; nil if both changed the same.
  fileprivate func merged(with text: [UInt8], since old: StoredDefinitions) throws(ToolError) -> [UInt8]? {
    if self.text == old.text { return nil }
    return try mapError(try DocumentSources(old.text).merging(text, into: self.text), ToolError.data)
  }
}

extension DefinitionStore {
  /// Replaces a document; a store with a history notes who did it, and why.
  fileprivate func write(
    _ text: [UInt8], over old: StoredDefinitions, _ note: PublicationNote
  ) async throws(DefinitionStoreError) {
    guard let history = self as? any DefinitionHistory else {
      _ = try await replace(with: text, expecting: old.version)
      return
    }
    let head = try await history.head()
    guard let head, let current, current.version == head.revision.version, current.text == old.text else {
      throw DefinitionStoreError(conflictIn: name, expected: old.version, found: head?.revision.version)
    }
    _ = try await history.publish(text, expecting: head, note: note)
  }
}

extension DefinitionEdit {
  fileprivate var removesKey: Bool {
    switch self {
    case .delete, .rename: true
    default: false
    }
  }
}
