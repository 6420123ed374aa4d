import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders
import FlagPublishing
import FlagSupport

/// A record that a key of a set has as JSON.
protocol EtcdRecord: JSONDocument {
  /// Throws the part that is invalid in a record.
  func validate() throws(ValueMismatch)
}

extension EtcdRecord {
  static func expectation(at names: [String]) -> String {
    names == ["format"] ? "\(EtcdHead.Format.current.rawValue)" : "a value as publishers write it"
  }

  init(_ value: [UInt8]) throws(EtcdError) {
    do throws(FlagError) {
      self = try Self.read(value) { record throws(ValueMismatch) in
        try record.validate()
        return record
      }
    } catch {
      throw .malformed(error.message)
    }
  }

  /// Parses the value of a key; the error names the key.
  init(_ entry: EtcdEntry) throws(EtcdError) {
    do throws(EtcdError) {
      try self.init(entry.value)
    } catch {
      guard case .malformed(let problem, _) = error else { throw error }
      throw .malformed(problem, key: entry.key)
    }
  }

  /// The record as its key holds it.
  var bytes: [UInt8] {
    // It consists of texts and integers, which can always be encoded.
    do throws(FlagError) { return try FlagValue(encoding: self).json() } catch { preconditionFailure("\(error)") }
  }
}

/// A revision as its key holds it.
struct EtcdRevision: EtcdRecord, Hashable, Sendable {
  var number: Int
  /// The SHA-256 of the document's text, in hexadecimal digits.
  var fingerprint: String
  var author: String?
  var reason: String?
  var timestamp: Int64
  /// The number of chunks of the document.
  var chunks: Int
  /// The size of the document in bytes.
  var size: Int
  /// A unique identifier of the publication, by which a publisher recognizes its own after a lost response.
  var write: String?

  /// The numbers that revisions may have: one more is always a number, too.
  static let numbers = 1...Int.max - 1

  /// The revision in the form of the port.
  var published: PublishedRevision {
    PublishedRevision(
      number: number, fingerprint: fingerprint, note: PublicationNote(author: author ?? "", reason: reason ?? ""),
      timestamp: timestamp)
  }

  /// Returns whether a text is the published one.
  func names(_ text: [UInt8]) -> Bool { text.count == size && SHA256.hex(of: text) == fingerprint }

  func validate() throws(ValueMismatch) { try validate(at: []) }

  fileprivate func validate(at names: [String]) throws(ValueMismatch) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
    let isHash = fingerprint.utf8.count == 64 && fingerprint.utf8.allSatisfy { digits ~= $0 || letters ~= $0 }
    let areValid = [
      "number": Self.numbers ~= number, "fingerprint": isHash, "chunks": 1...9999 ~= chunks, "size": size >= 0,
    ]
    if let name = areValid.filter({ !$0.value }).keys.min() { throw ValueMismatch(names: names + [name]) }
  }
}

/// The head as its key holds it.
struct EtcdHead: EtcdRecord, Hashable, Sendable {
  /// The version of the format of heads.
  enum Format: Int, Codable { case current = 1 }

  /// A revision that a share of the servers runs.
  struct Candidate: Codable, Hashable {
    var revision: EtcdRevision
    var percent: Int
  }

  var format = Format.current
  var revision: EtcdRevision
  var candidate: Candidate?
  /// A unique identifier of the write of the head.
  var write: String?

  /// The head in the form of the port.
  var published: PublishedHead {
    PublishedHead(
      revision: revision.published,
      candidate: candidate.map { StagedRevision(revision: $0.revision.published, percent: $0.percent) })
  }

  /// Returns the revision that a server runs; one without a name runs no candidate.
  func revision(for server: String?) -> EtcdRevision {
    guard let candidate, published.revision(for: server) == candidate.revision.published else { return revision }
    return candidate.revision
  }

  func validate() throws(ValueMismatch) {
    try revision.validate(at: ["revision"])
    guard let candidate else { return }
    try candidate.revision.validate(at: ["candidate", "revision"])
    guard 1...99 ~= candidate.percent else { throw ValueMismatch(names: ["candidate", "percent"]) }
  }
}
