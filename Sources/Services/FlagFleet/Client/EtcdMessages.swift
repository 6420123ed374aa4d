import FlagDomain
import FlagFoundation
import FlagProviders

/// A key and its value in etcd.
struct EtcdEntry: Hashable, Sendable {
  var key: String
  var value: [UInt8]
  /// The revision of the whole store at which the key was last written or removed.
  var modRevision: Int64
  /// Whether a watch reports its removal.
  var isRemoved = false
}

/// The content of a range of keys.
struct EtcdRange: Hashable, Sendable {
  var entries: [EtcdEntry] = []
  /// Whether there are more keys than the limit.
  var hasMore = false
  /// The revision of the whole store at the member that answered.
  var revision: Int64 = 0
}

/// A request for a range of keys.
struct EtcdQuery: Hashable, Sendable {
  var key: String
  /// The key at which the range ends; nil for one key.
  var end: String?
  var limit = 0
  var isDescending = false
  var isKeysOnly = false
  /// Whether the member answers from its own state, which may be stale, and works without a quorum.
  var isSerializable = false

  static func key(_ key: String) -> EtcdQuery { EtcdQuery(key: key) }

  static func prefix(_ prefix: String) -> EtcdQuery { EtcdQuery(key: prefix, end: EtcdText.end(of: prefix)) }

  var body: FlagValue {
    var members: [String: FlagValue] = ["key": EtcdText.encoded(key)]
    if let end { members["range_end"] = EtcdText.encoded(end) }
    if limit > 0 { members["limit"] = EtcdText.number(Int64(limit)) }
    if isDescending {
      members["sort_order"] = .string("DESCEND")
      members["sort_target"] = .string("KEY")
    }
    if isKeysOnly { members["keys_only"] = .bool(true) }
    if isSerializable { members["serializable"] = .bool(true) }
    return .object(members)
  }
}

/// A condition of a transaction.
enum EtcdComparison: Hashable, Sendable {
  /// A key was last written at a revision; 0 for a missing key.
  case modRevision(String, Int64)
  case value(String, [UInt8])
  case exists(String)
  case isMissing(String)

  var body: FlagValue {
    switch self {
    case .modRevision(let key, let revision):
      Self.body(key, "MOD", "EQUAL", ["mod_revision": EtcdText.number(revision)])
    case .value(let key, let value): Self.body(key, "VALUE", "EQUAL", ["value": EtcdText.encoded(value)])
    case .exists(let key): Self.body(key, "VERSION", "GREATER", ["version": EtcdText.number(0)])
    case .isMissing(let key): Self.body(key, "VERSION", "EQUAL", ["version": EtcdText.number(0)])
    }
  }

  private static func body(
    _ key: String, _ target: String, _ result: String, _ value: [String: FlagValue]
  ) -> FlagValue {
    let all: [String: FlagValue] = [
      "key": EtcdText.encoded(key), "target": .string(target), "result": .string(result),
    ]
    return .object(all.merging(value) { $1 })
  }
}

/// An operation of a transaction.
enum EtcdOperation: Hashable, Sendable {
  case put(String, [UInt8])
  case putLeased(String, [UInt8], lease: Int64)
  case delete(EtcdQuery)
  case range(EtcdQuery)

  var isRange: Bool { if case .range = self { true } else { false } }

  var body: FlagValue {
    switch self {
    case .put(let key, let value):
      .object(["request_put": .object(["key": EtcdText.encoded(key), "value": EtcdText.encoded(value)])])
    case .putLeased(let key, let value, let lease):
      .object([
        "request_put": .object([
          "key": EtcdText.encoded(key), "value": EtcdText.encoded(value), "lease": EtcdText.number(lease),
        ])
      ])
    case .delete(let query): .object(["request_delete_range": query.body])
    case .range(let query): .object(["request_range": query.body])
    }
  }
}

/// The result of a transaction.
struct EtcdOutcome: Hashable, Sendable {
  /// Whether all conditions held.
  var isWritten: Bool
  /// The requested ranges, in their order.
  var ranges: [EtcdRange]
  /// The revision of the whole store after a write.
  var revision: Int64
}

/// The encoding of keys, values and numbers in etcd's JSON.
enum EtcdText {
  static func encoded(_ text: String) -> FlagValue { encoded(Array(text.utf8)) }
  static func encoded(_ bytes: [UInt8]) -> FlagValue { .string(Data(bytes).base64EncodedString()) }
  static func number(_ number: Int64) -> FlagValue { .string(String(number)) }

  /// Returns the first key after all keys with a prefix.
  static func end(of prefix: String) -> String {
    // The prefixes here end in an ASCII byte, which can always be incremented.
    var bytes = Array(prefix.utf8)
    if let last = bytes.popLast() { bytes.append(last &+ 1) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: Reading

extension EtcdEntry {
  init(_ body: FlagValue) throws(EtcdError) {
    guard let text = body[etcd: "key"]?.text, let key = Data(base64Encoded: text),
      let value = Data(base64Encoded: body[etcd: "value"]?.text ?? "")
    else { throw .unreadable("an entry without a key or a value in base64") }
    self.key = String(decoding: key, as: UTF8.self)
    self.value = Array(value)
    modRevision = body[etcd: "mod_revision"]?.etcdNumber ?? 0
  }
}

extension EtcdRange {
  init(_ body: FlagValue) throws(EtcdError) {
    for entry in body[etcd: "kvs"]?.elements ?? [] { entries.append(try EtcdEntry(entry)) }
    if case .bool(true)? = body[etcd: "more"] { hasMore = true }
    revision = try Self.revision(in: body)
  }

  /// Returns the revision of a header, which each response of etcd has.
  static func revision(in body: FlagValue) throws(EtcdError) -> Int64 {
    guard let revision = body[etcd: "header"]?[etcd: "revision"]?.etcdNumber else {
      throw .unreadable("an answer without a header")
    }
    return revision
  }
}

extension EtcdOutcome {
  init(_ body: FlagValue) throws(EtcdError) {
    revision = try EtcdRange.revision(in: body)
    isWritten = false
    if case .bool(true)? = body[etcd: "succeeded"] { isWritten = true }
    ranges = []
    for response in body[etcd: "responses"]?.elements ?? [] {
      if let range = response[etcd: "response_range"] { ranges.append(try EtcdRange(range)) }
    }
  }
}
