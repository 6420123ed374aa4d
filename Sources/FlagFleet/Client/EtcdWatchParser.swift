import FlagDomain
import FlagJSON
import FlagProviders

/// Reads what a watch says: an object a line, however the lines are cut into pieces.
struct EtcdWatchParser: Sendable {
  enum Message: Hashable, Sendable {
    /// It was made, or has nothing to tell; at this revision of the store.
    case progress(Int64)
    /// Keys were written, or removed where there is no entry, in this order.
    case changes([Change], revision: Int64)
  }

  struct Change: Hashable, Sendable {
    var key: String
    /// The key's value; nil where it was removed.
    var value: [UInt8]?
    var modRevision: Int64
  }

  /// The most bytes of a line.
  private let limit: Int
  private var rest: [UInt8] = []

  init(limit: Int = 4 << 20) { self.limit = limit }
}

extension EtcdWatchParser {
  /// Takes the next bytes, and returns what was said by them.
  ///
  /// - Throws: Why the watch is over, or what of it cannot be read.
  mutating func append(_ bytes: [UInt8]) throws(EtcdError) -> [Message] {
    var messages: [Message] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      let line = rest + bytes[start..<end]
      rest = []
      start = end + 1
      if line.contains(where: { $0 != 0x0D && $0 != 0x20 }) { messages.append(try Self.message(line)) }
    }
    rest += bytes[start...]
    guard rest.count <= limit else { throw .unreadable("a line of more than \(limit) bytes") }
    return messages
  }

  private static func message(_ line: [UInt8]) throws(EtcdError) -> Message {
    let body: FlagValue
    do throws(JSONError) { body = try FlagValue(json: line) } catch { throw .unreadable("a line that is no JSON") }
    guard let result = body[etcd: "result"] else {
      throw EtcdError(body: body) ?? .unreadable("a line without a result")
    }
    // A watch that was refused, or whose beginning was compacted, is open still, and would be silent for ever.
    if case .bool(true)? = result[etcd: "canceled"] {
      if let compacted = result[etcd: "compact_revision"]?.etcdNumber, compacted > 0 {
        throw .refused(.outOfRange, "the watch begins before revision \(compacted), up to which there is no more")
      }
      throw EtcdError(cancelReason: result[etcd: "cancel_reason"]?.text ?? "the watch was cancelled")
    }
    let revision = try EtcdRange.revision(in: result)
    var changes: [Change] = []
    for event in result[etcd: "events"]?.elements ?? [] {
      guard let entry = event[etcd: "kv"] else { throw .unreadable("an event without a key") }
      let kept = try EtcdEntry(entry)
      let isRemoved = event[etcd: "type"]?.text == "DELETE"
      changes.append(Change(key: kept.key, value: isRemoved ? nil : kept.value, modRevision: kept.modRevision))
    }
    return changes.isEmpty ? .progress(revision) : .changes(changes, revision: revision)
  }
}
