import FlagDomain
import FlagJSON
import FlagProviders

/// Parses the messages of a watch, one JSON object a line, from chunks of any size.
struct EtcdWatchParser: Sendable {
  /// The maximum size of a line in bytes.
  private let limit: Int
  private var rest: [UInt8] = []

  init(limit: Int = 4 << 20) { self.limit = limit }

  /// Parses the next bytes, and returns the keys that were written or removed, in this order.
  ///
  /// - Throws: The reason why the watch has ended, or cannot be parsed.
  mutating func append(_ bytes: [UInt8]) throws(EtcdError) -> [EtcdEntry] {
    var changes: [EtcdEntry] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      let line = rest + bytes[start..<end]
      rest = []
      start = end + 1
      if line.contains(where: { $0 != 0x0D && $0 != 0x20 }) { changes += try Self.changes(in: line) }
    }
    rest += bytes[start...]
    guard rest.count <= limit else { throw .unreadable("a line of more than \(limit) bytes") }
    return changes
  }

  private static func changes(in line: [UInt8]) throws(EtcdError) -> [EtcdEntry] {
    let body: FlagValue
    do throws(JSONError) { body = try FlagValue(json: line) } catch { throw .unreadable("a line of invalid JSON") }
    guard let result = body[etcd: "result"] else {
      throw EtcdError(body: body) ?? .unreadable("a line without a result")
    }
    // A watch that was refused, or whose first revision was compacted, stays open, and would be silent forever.
    if case .bool(true)? = result[etcd: "canceled"] {
      if let compacted = result[etcd: "compact_revision"]?.etcdNumber, compacted > 0 {
        throw .refused(.outOfRange, "the watch begins before revision \(compacted), up to which there is no more")
      }
      throw EtcdError(cancelReason: result[etcd: "cancel_reason"]?.text ?? "the watch was cancelled")
    }
    _ = try EtcdRange.revision(in: result)
    var changes: [EtcdEntry] = []
    for event in result[etcd: "events"]?.elements ?? [] {
      guard let entry = event[etcd: "kv"] else { throw .unreadable("an event without a key") }
      changes.append(try EtcdEntry(entry))
      changes[changes.count - 1].isRemoved = event[etcd: "type"]?.text == "DELETE"
    }
    return changes
  }
}
