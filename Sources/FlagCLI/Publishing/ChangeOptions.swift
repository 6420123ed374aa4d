import FlagDefinitions
import FlagDomain
import FlagProviders
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
    if file != nil, fleet.isUsed { throw UsageError("--flags FILE or a set in etcd is enough, found both") }
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
    let store = try FileDefinitionStore.opened(file)
    let old = try store.definitions
    let text = try change(old)
    let new = try terminal.publishable(text, named: file)
    try terminal.print(
      try terminal.changes(
        from: old, to: new, named: (file, words.source), among: publishing.audience, at: words.times))
    if publishing.isDryRun { return .success }
    try terminal.agree(publishing.isAgreed, to: "Write \(file)?", of: file)
    do throws(DefinitionStoreError) {
      _ = try terminal.wait { () async throws(DefinitionStoreError) in
        try await store.replace(with: text, expecting: old.version)
      }
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
