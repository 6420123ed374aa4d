import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders

/// What the key of a set holds, as JSON.
protocol EtcdRecord: JSONDocument {
  /// Throws the part that no publisher writes so.
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

  /// The record as its key holds it.
  var bytes: [UInt8] {
    // It is made of texts and integers, which nothing keeps from being written.
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
  /// How many pieces the document has.
  var chunks: Int
  /// How many bytes.
  var size: Int
  /// What no other publication has: by it a publisher finds out whether one of which it has heard nothing was its own.
  var write: String?
}

extension EtcdRevision {
  /// The revision as users of the port know it.
  var published: PublishedRevision {
    PublishedRevision(
      number: number, fingerprint: fingerprint, note: PublicationNote(author: author ?? "", reason: reason ?? ""),
      timestamp: timestamp)
  }

  /// Whether a text is the one that was published.
  func names(_ text: [UInt8]) -> Bool { text.count == size && SHA256.hex(of: text) == fingerprint }

  func validate() throws(ValueMismatch) { try validate(at: []) }

  fileprivate func validate(at names: [String]) throws(ValueMismatch) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
    let isHash = fingerprint.utf8.count == 64 && fingerprint.utf8.allSatisfy { digits ~= $0 || letters ~= $0 }
    let areValid = ["number": number > 0, "fingerprint": isHash, "chunks": 1...9999 ~= chunks, "size": size >= 0]
    if let name = areValid.filter({ !$0.value }).keys.min() { throw ValueMismatch(names: names + [name]) }
  }
}

/// The head as its key holds it.
struct EtcdHead: EtcdRecord, Hashable, Sendable {
  /// The version of the form in which heads are written.
  enum Format: Int, Codable { case current = 1 }

  /// A revision that a share of the servers runs.
  struct Candidate: Codable, Hashable {
    var revision: EtcdRevision
    var percent: Int
  }

  var format = Format.current
  var revision: EtcdRevision
  var candidate: Candidate?
  /// What no other write of the head has.
  var write: String?
}

extension EtcdHead {
  /// The head as users of the port know it.
  var published: PublishedHead {
    PublishedHead(
      revision: revision.published,
      candidate: candidate.map { StagedRevision(revision: $0.revision.published, percent: $0.percent) })
  }

  /// What a server runs; one without a name runs no candidate.
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

/// What a server says of itself, as its key holds it.
struct EtcdReport: EtcdRecord, Hashable, Sendable {
  var revision: Int?
  var failure: String?
  var timestamp: Int64

  func validate() {}
}

extension ServerReport {
  init(name: String, etcd value: [UInt8]) {
    do throws(EtcdError) {
      let report = try EtcdReport(value)
      self.init(name: name, revision: report.revision, failure: report.failure, timestamp: report.timestamp)
    } catch {
      self.init(name: name, revision: nil, failure: "its report cannot be read: \(error)", timestamp: 0)
    }
  }
}
