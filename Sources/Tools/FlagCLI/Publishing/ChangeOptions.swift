import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagProviders
import FlagPublishing
import FlagReview
import Foundation

/// The document that a command changes, a file or that of a set in etcd, and how: options that commands share.
struct ChangeOptions: OptionGroup {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var file: String?

  static var options: [Option<Self>] {
    Option("--flags", .file, "the document to change, instead of a set in etcd", \.file)
    FleetOptions.options.of(\.fleet)
    PublishOptions.changeOptions.of(\.publishing)
  }

  /// The usage lines of a command for a file and for a set.
  static func usage(_ command: String) -> String {
    """
    usage: flagctl \(command) --flags FILE [option ...]
           flagctl \(command) --etcd URL[,URL...] --set NAME [option ...]
    """
  }
}

extension ChangeOptions {
  func check() throws(UsageError) {
    if file == nil { try fleet.checkSet() }
    guard file != nil else { return }
    if fleet.isUsed { throw UsageError("--flags FILE or a set in etcd is enough, found both") }
    if let option = publishing.unusedForFile { throw UsageError("\(option) is for a set in etcd, found --flags FILE") }
  }
}

/// A change of a document, in the words that reports and the history have for it.
struct DocumentChangeWords {
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
    guard let file else { return try fleet.set(on: terminal).currentDefinitions().1 }
    return try FileDefinitionStore.opened(file).definitions
  }

  /// Shows the effect of a change on users, asks for agreement, and writes the file or publishes to the set.
  ///
  /// - Throws: An error if the changed document has an error, nobody agrees, or someone else changed it first.
  func run(
    _ words: DocumentChangeWords, on terminal: Terminal,
    _ change: (StoredDefinitions) throws(ToolError) -> [UInt8]
  ) throws(ToolError) -> ExitCode {
    if let file { return try write(to: file, words, on: terminal, change) }
    let set = try fleet.set(on: terminal)
    let (head, definitions) = try set.currentDefinitions()
    var publication = Publication(set: set, options: publishing, source: words.source, reason: words.reason)
    publication.times = words.times
    publication.seen = head
    publication.mayRemoveFlags = words.removesFlags
    return try publication.run(try change(definitions))
  }

  private func write(
    to file: String, _ words: DocumentChangeWords, on terminal: Terminal,
    _ change: (StoredDefinitions) throws(ToolError) -> [UInt8]
  ) throws(ToolError) -> ExitCode {
    if !FileDefinitionHistory.isKept(beside: file), let option = publishing.historyOption {
      throw .usage("\(option) is for the history, and none of \(file) is kept; see flagctl console --history")
    }
    let old = try FileDefinitionStore.opened(file).definitions
    let text = try change(old)
    let new = try terminal.publishable(text, named: file)
    try terminal.print(
      try terminal.changes(
        from: old, to: new, named: (file, words.source), among: publishing.audience, at: words.times))
    if publishing.isDryRun { return .success }
    try terminal.agree(publishing.isAgreed, to: "Write \(file)?", of: file)
    let store = try store(of: file, on: terminal)
    let note = publishing.note(words, on: terminal)
    do throws(DefinitionStoreError) {
      try terminal.wait { () async throws(DefinitionStoreError) in try await store.write(text, over: old, note) }
    } catch {
      if error.code == .conflict {
        throw .conflict(["\(file): conflict: someone else changed it first; nothing was written"])
      }
      throw .store(error)
    }
    try terminal.print("\(file): written\n")
    return .success
  }
}

extension ChangeOptions {
  /// Opens a file; with its history, if states of it are kept.
  private func store(of file: String, on terminal: Terminal) throws(ToolError) -> any DefinitionStore {
    if FileDefinitionHistory.isKept(beside: file) {
      return try FileDefinitionHistory.opened(file, author: terminal.author, on: terminal)
    }
    return try FileDefinitionStore.opened(file)
  }
}

extension PublishOptions {
  fileprivate func note(_ words: DocumentChangeWords, on terminal: Terminal) -> PublicationNote {
    PublicationNote(
      author: author ?? terminal.author, reason: [words.reason, reason].filter { !$0.isEmpty }.joined(separator: ": "))
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

extension ChangeOptions {
  /// Makes edits of a flag, as ``run(_:on:_:)`` makes a change.
  func run(_ edits: [DefinitionEdit], on terminal: Terminal) throws(ToolError) -> ExitCode {
    let words = DocumentChangeWords(
      source: "the change", reason: edits.first?.title ?? "", removesFlags: edits.contains(where: \.removesKey))
    return try run(words, on: terminal) { stored throws(ToolError) in
      var text = stored.text
      for edit in edits {
        do throws(FlagError) { text = try edit.applying(to: text) } catch { throw .flag(edit.keys[0], error) }
      }
      return text
    }
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
