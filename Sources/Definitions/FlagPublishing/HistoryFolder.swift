import FlagDefinitions
import FlagDomain
import FlagFiles
import FlagFoundation
import FlagJSON
import FlagProviders
import FlagSupport

/// The states of a document that are kept in a folder, each in a file of its own.
///
/// `17.state` is a line of JSON with the author, reason and time of revision 17, and then the document's text. A state
/// that is about to become the document is `18.pending` until it is: if the program is killed in between, the document
/// says which of both it is. `newest` has the number of the newest state; its lock is that of the folder.
struct HistoryFolder: Sendable {
  /// The maximum number of states; older ones are removed.
  let count: Int
  private let folder: URL
  private let newest: SharedFile

  init(in folder: URL, keeping count: Int) {
    (self.folder, self.count) = (folder.absoluteURL, count)
    newest = SharedFile(folder.appending(path: "newest"), limit: 100, isDurable: true)
  }

  private var name: String { folder.path(percentEncoded: false) }

  // MARK: - Reading

  /// The numbers of the states, oldest first.
  func numbers() throws(DefinitionStoreError) -> [Int] { try numbers("state") }

  /// Returns the revision of a state; nil if there is none of that number.
  func revision(_ number: Int) throws(DefinitionStoreError) -> PublishedRevision? {
    try contents(number).map { data throws(DefinitionStoreError) in try revision(number, data) }
  }

  /// Returns the document of a state; nil if there is none of that number.
  func text(_ number: Int) throws(DefinitionStoreError) -> [UInt8]? {
    try contents(number).map { data in Array(data.drop { $0 != UInt8(ascii: "\n") }.dropFirst()) }
  }

  private func numbers(_ kind: String) throws(DefinitionStoreError) -> [Int] {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: name)
      return names.filter { $0.hasSuffix(".\(kind)") }.compactMap { Int($0.dropLast(kind.count + 1)) }.sorted()
    } catch {
      if error.isOfMissingFile { return [] }
      throw DefinitionStoreError(.unreadable, store: name, error.words)
    }
  }

  private func file(_ number: Int, _ kind: String = "state") -> URL { folder.appending(path: "\(number).\(kind)") }

  private func contents(_ number: Int, _ kind: String = "state") throws(DefinitionStoreError) -> Data? {
    do {
      return try Data(contentsOf: file(number, kind))
    } catch {
      if error.isOfMissingFile { return nil }
      throw DefinitionStoreError(.unreadable, store: name, error.words)
    }
  }

  private func revision(
    _ number: Int, _ data: Data, _ kind: String = "state"
  ) throws(DefinitionStoreError) -> PublishedRevision {
    let line = data.prefix { $0 != UInt8(ascii: "\n") }
    do throws(FlagError) {
      let fields = try FlagValue.reading(json: line).fields ?? [:]
      guard let author = fields["author"]?.text, let reason = fields["reason"]?.text,
        let fingerprint = fields["fingerprint"]?.text, case .int(let time)? = fields["timestamp"]
      else { throw FlagError(.parseError, "expected the author, reason, time and fingerprint of a state") }
      return PublishedRevision(
        number: number, fingerprint: fingerprint, note: PublicationNote(author: author, reason: reason),
        timestamp: Int64(clamping: time))
    } catch {
      throw DefinitionStoreError(.unreadable, store: file(number, kind).path(percentEncoded: false), error.message)
    }
  }

  // MARK: - Writing

  /// Runs a closure that returns the newest revision, while no one else changes the folder.
  func locked(
    _ body: () throws(DefinitionStoreError) -> PublishedRevision?
  ) throws(DefinitionStoreError) -> PublishedRevision? {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw DefinitionStoreError(.notWritten, store: name, error.words)
    }
    var revision: PublishedRevision?
    try newest.update { error in
      DefinitionStoreError(.notWritten, store: error.path, error.message)
    } _: { old throws(DefinitionStoreError) in
      revision = try body()
      let new = revision.map { Data("\($0.number)\n".utf8) }
      return new == old ? nil : new
    }
    return revision
  }

  /// Returns the revision of a document, which is kept if it is another one than the newest state.
  ///
  /// It must be called within ``locked(_:)``. The closure checks a document before it is kept.
  func settled(
    _ text: [UInt8], at seconds: Int64, _ check: () throws(DefinitionStoreError) -> Void
  ) throws(DefinitionStoreError) -> PublishedRevision {
    try settlePending(over: text)
    let last = try numbers().last.flatMap { number throws(DefinitionStoreError) in try revision(number) }
    if let last, last.fingerprint == Fingerprint(of: text).description { return last }
    try check()
    let note = PublicationNote(
      author: "unknown", reason: last == nil ? "as it was when its history began" : "changed outside")
    let new = try Self.revision(number(after: last?.number), text, note, seconds)
    try write(new, text, "state")
    try prune()
    return new
  }

  /// Returns the number of the state after another one.
  func number(after last: Int?) throws(DefinitionStoreError) -> Int {
    let (next, hasOverflowed) = (last ?? 0).addingReportingOverflow(1)
    guard !hasOverflowed else {
      throw DefinitionStoreError(.unreadable, store: name, "expected a state before \(Int.max), found none")
    }
    return next
  }

  /// Writes a state that is about to become the document.
  func prepare(_ revision: PublishedRevision, _ text: [UInt8]) throws(DefinitionStoreError) {
    try write(revision, text, "pending")
  }

  /// Keeps a prepared state, or removes it.
  func settle(_ number: Int, isDocument: Bool) throws(DefinitionStoreError) {
    do {
      if isDocument {
        try FileManager.default.moveItem(at: file(number, "pending"), to: file(number))
      } else {
        try FileManager.default.removeItem(at: file(number, "pending"))
      }
    } catch {
      throw DefinitionStoreError(.notWritten, store: name, error.words)
    }
    try prune()
  }

  static func revision(
    _ number: Int, _ text: [UInt8], _ note: PublicationNote, _ seconds: Int64
  ) -> PublishedRevision {
    PublishedRevision(
      number: number, fingerprint: Fingerprint(of: text).description, note: note, timestamp: seconds)
  }

  /// Settles the state of a program that was killed: the document says whether it was written.
  private func settlePending(over text: [UInt8]) throws(DefinitionStoreError) {
    let known = Set(try numbers())
    for number in try numbers("pending") {
      guard let data = try contents(number, "pending") else { continue }
      let isDocument = try revision(number, data, "pending").fingerprint == Fingerprint(of: text).description
      try settle(number, isDocument: isDocument && !known.contains(number))
    }
  }

  private func write(_ revision: PublishedRevision, _ text: [UInt8], _ kind: String) throws(DefinitionStoreError) {
    let note = FlagValue.object([
      "author": .string(revision.note.author), "reason": .string(revision.note.reason),
      "timestamp": .int(Int128(revision.timestamp)), "fingerprint": .string(revision.fingerprint),
    ])
    do throws(FileError) {
      try newest.write(Data("\(note)\n".utf8 + text), to: file(revision.number, kind).lastPathComponent)
    } catch {
      throw DefinitionStoreError(.notWritten, store: error.path, error.message)
    }
  }

  private func prune() throws(DefinitionStoreError) {
    for number in try numbers().dropLast(count) {
      do {
        try FileManager.default.removeItem(at: file(number))
      } catch {
        throw DefinitionStoreError(.notWritten, store: name, error.words)
      }
    }
  }
}

extension FlagValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension Error {
  fileprivate var isOfMissingFile: Bool { (self as? CocoaError)?.code == .fileReadNoSuchFile }
}
