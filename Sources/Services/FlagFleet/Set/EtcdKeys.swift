import FlagHTTP
import FlagProviders

/// The keys of a set of definitions in etcd.
///
/// | key | content |
/// |---|---|
/// | `PREFIX/SET/head` | the revisions that servers run: small, and the one key that is compared and swapped |
/// | `PREFIX/SET/head/text` | the text of the newest revision if it is small, for those who watch the head |
/// | `PREFIX/SET/revisions/NUMBER` | the author, time and reason of a revision; the number has 20 digits |
/// | `PREFIX/SET/documents/SHA256/CHUNK` | a chunk of a document's text; it is never written twice |
/// | `PREFIX/SET/servers/NAME` | the last report of a server, until it signs off or is taken out |
/// | `PREFIX/SET/users` | the test users of consoles, as JSON lines |
/// | `PREFIX/SET/servers/NAME/live` | the sign of life of a server, under a lease that expires with it |
///
/// Chunks of a large text are written first. Then one transaction writes the head and the revision, on the condition
/// that the head is the one that the publisher has seen and that all chunks exist. A small text is written in that
/// transaction, too, as a chunk for the history and beside the head: so one message of the watch brings both. No reader
/// sees a partial set.
struct EtcdKeys: Hashable, Sendable {
  /// The prefix of all keys of the set, with a "/" at the end.
  let root: String

  /// Creates the keys of a set; characters of its name that keys cannot have are percent-encoded.
  init(prefix: String, set: String) { root = "\(prefix)/\(Self.component(set))/" }

  var head: String { root + "head" }
  var text: String { head + "/text" }
  /// The head, and the text beside it.
  var watched: EtcdQuery { EtcdQuery(key: head, end: EtcdText.end(of: head + "/")) }
  var revisions: String { root + "revisions/" }
  var documents: String { root + "documents/" }
  var servers: String { root + "servers/" }
  var users: String { root + "users" }

  func revision(_ number: Int) -> String {
    let digits = String(number)
    return revisions + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }

  func document(_ fingerprint: String) -> String { "\(documents)\(fingerprint)/" }

  /// Returns the key of a chunk; its number has four digits, so that the keys sort in the order of the chunks.
  func chunk(_ number: Int, of fingerprint: String) -> String {
    let digits = String(number)
    return document(fingerprint) + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// All keys of the history that begin with a digit, the newest number first.
  var newest: EtcdQuery {
    var query = numbered(from: 0)
    query.isDescending = true
    return query
  }

  func numbered(from number: Int) -> EtcdQuery {
    EtcdQuery(key: number > 0 ? revision(number) : revisions + "0", end: revisions + ":")
  }

  /// Returns the number of the revision that a key of the history is for; nil for any other key.
  func number(of key: String) -> Int? {
    let digits = key.dropFirst(revisions.count)
    guard key.hasPrefix(revisions), digits.utf8.count == 20, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return Int(digits).flatMap { EtcdRevision.numbers ~= $0 ? $0 : nil }
  }

  func server(_ name: String) -> String { servers + Self.component(name) }
  func presence(_ name: String) -> String { server(name) + Self.presenceSuffix }

  /// Returns the key of the report that a sign of life belongs to; nil for any other key.
  func report(ofPresence key: String) -> String? {
    key.hasSuffix(Self.presenceSuffix) ? String(key.dropLast(Self.presenceSuffix.count)) : nil
  }

  private static let presenceSuffix = "/live"

  func server(of key: String) -> String {
    let name = String(key.dropFirst(servers.count))
    return PercentEncoding.decode(name) ?? name
  }

  private static func component(_ name: String) -> String { PercentEncoding.encode(name) }
}
