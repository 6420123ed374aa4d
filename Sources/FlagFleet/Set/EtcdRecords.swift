import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders

/// A revision as its key holds it.
struct EtcdRevision: Hashable, Sendable {
  var revision: PublishedRevision
  /// How many pieces the document has.
  var chunks: Int
  /// How many bytes.
  var size: Int
  /// What no other publication has: by it a publisher finds out whether one of which it has heard nothing was its own.
  var write: String
}

extension EtcdRevision {
  /// Whether a text is the one that was published.
  func names(_ text: [UInt8]) -> Bool { text.count == size && SHA256.hex(of: text) == revision.fingerprint }
}

/// The head as its key holds it.
struct EtcdHead: Hashable, Sendable {
  var current: EtcdRevision
  var candidate: EtcdRevision?
  /// The share of the candidate; 0 without one.
  var percent = 0
  /// What no other write of the head has.
  var write: String

  /// The head as users of the port know it.
  var published: PublishedHead {
    PublishedHead(
      revision: current.revision,
      candidate: candidate.map { StagedRevision(revision: $0.revision, percent: percent) })
  }

  /// What a server runs; one without a name runs no candidate.
  func revision(for server: String?) -> EtcdRevision {
    guard let candidate, published.revision(for: server) == candidate.revision else { return current }
    return candidate
  }
}

// MARK: JSON

extension EtcdRevision {
  var body: FlagValue {
    .object([
      "number": .int(Int128(revision.number)), "fingerprint": .string(revision.fingerprint),
      "author": .string(revision.note.author), "reason": .string(revision.note.reason),
      "timestamp": .int(Int128(revision.timestamp)), "chunks": .int(Int128(chunks)), "size": .int(Int128(size)),
      "write": .string(write),
    ])
  }

  init(_ body: FlagValue) throws(EtcdError) {
    guard let number = body[etcd: "number"]?.etcdCount, number > 0,
      let fingerprint = body[etcd: "fingerprint"]?.etcdText,
      fingerprint.utf8.count == 64, fingerprint.utf8.allSatisfy(\.isHexDigit),
      let timestamp = body[etcd: "timestamp"]?.etcdNumber,
      let chunks = body[etcd: "chunks"]?.etcdCount, (1...9999).contains(chunks),
      let size = body[etcd: "size"]?.etcdCount
    else { throw .unreadable("a revision without its number, fingerprint, timestamp, size or pieces") }
    revision = PublishedRevision(
      number: number, fingerprint: fingerprint,
      note: PublicationNote(
        author: body[etcd: "author"]?.etcdText ?? "", reason: body[etcd: "reason"]?.etcdText ?? ""),
      timestamp: timestamp)
    self.chunks = chunks
    self.size = size
    write = body[etcd: "write"]?.etcdText ?? ""
  }

  init(_ value: [UInt8]) throws(EtcdError) { try self.init(try EtcdHead.json(value)) }
}

extension EtcdHead {
  /// The version of the form in which heads are written.
  private static let format = 1

  var body: FlagValue {
    var members: [String: FlagValue] = [
      "format": .int(Int128(Self.format)), "write": .string(write), "revision": current.body,
    ]
    if let candidate {
      members["candidate"] = .object(["revision": candidate.body, "percent": .int(Int128(percent))])
    }
    return .object(members)
  }

  init(_ value: [UInt8]) throws(EtcdError) {
    let body = try Self.json(value)
    guard body[etcd: "format"]?.etcdCount == Self.format, let revision = body[etcd: "revision"] else {
      throw .unreadable("a head of another format than \(Self.format)")
    }
    current = try EtcdRevision(revision)
    write = body[etcd: "write"]?.etcdText ?? ""
    guard let staged = body[etcd: "candidate"] else { return }
    guard let revision = staged[etcd: "revision"], let percent = staged[etcd: "percent"]?.etcdCount,
      (1...99).contains(percent)
    else { throw .unreadable("a candidate without its revision or its share") }
    candidate = try EtcdRevision(revision)
    self.percent = percent
  }

  static func json(_ value: [UInt8]) throws(EtcdError) -> FlagValue {
    do throws(JSONError) {
      return try FlagValue(json: value)
    } catch {
      throw .unreadable("a value that is no JSON")
    }
  }
}

extension ServerReport {
  var etcdBody: FlagValue {
    var members: [String: FlagValue] = ["timestamp": .int(Int128(timestamp))]
    if let revision { members["revision"] = .int(Int128(revision)) }
    if let failure { members["failure"] = .string(failure) }
    return .object(members)
  }

  init(name: String, etcd value: [UInt8]) {
    do throws(EtcdError) {
      let body = try EtcdHead.json(value)
      self.init(
        name: name, revision: body[etcd: "revision"]?.etcdCount, failure: body[etcd: "failure"]?.etcdText,
        timestamp: body[etcd: "timestamp"]?.etcdNumber ?? 0)
    } catch {
      self.init(name: name, revision: nil, failure: "its report cannot be read: \(error)", timestamp: 0)
    }
  }
}

extension UInt8 {
  /// Whether it is a digit, or a letter from a to f.
  fileprivate var isHexDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}

extension FlagValue {
  /// A number of things.
  fileprivate var etcdCount: Int? { etcdNumber.flatMap { $0 >= 0 ? Int(exactly: $0) : nil } }

  /// The text of a value that is made of texts and integers, which nothing keeps from being written.
  var etcdBytes: [UInt8] {
    do throws(FlagError) { return try json() } catch { preconditionFailure("a record that no JSON can hold: \(error)") }
  }
}
