import Foundation
import FlagProviders

/// Where a set of definitions is kept in etcd.
///
/// | key | what it holds |
/// |---|---|
/// | `PREFIX/SET/head` | what servers are told to run: small, and the one key that is compared and swapped |
/// | `PREFIX/SET/head/text` | the text of the newest revision where it is small, for those who watch the head |
/// | `PREFIX/SET/revisions/NUMBER` | who published a revision, when and why; the number has 20 digits |
/// | `PREFIX/SET/documents/SHA256/CHUNK` | a piece of a document's text; it is never written twice |
/// | `PREFIX/SET/servers/NAME` | what a server says of itself, under a lease that ends with it |
///
/// Pieces of a large text are written first. Then one transaction writes the head and the revision, on the condition
/// that the head is the one that the publisher has seen and that all pieces are there. A small text is written in that
/// transaction, too, as a piece for the history and beside the head: so the watch's one message brings both. Nobody
/// sees half of a set.
struct EtcdKeys: Hashable, Sendable {
  /// What all keys of the set begin with, a "/" at the end.
  let root: String

  /// Creates the keys of a set; what a key cannot hold of its name is percent-encoded.
  init(prefix: String, set: String) { root = "\(prefix)/\(Self.component(set))/" }

  var head: String { root + "head" }
  var text: String { head + "/text" }
  /// The head, and the text beside it.
  var watched: EtcdQuery { EtcdQuery(key: head, end: EtcdText.end(of: head + "/")) }
  var revisions: String { root + "revisions/" }
  var documents: String { root + "documents/" }
  var servers: String { root + "servers/" }

  func revision(_ number: Int) -> String {
    let digits = String(number)
    return revisions + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }

  func document(_ fingerprint: String) -> String { "\(documents)\(fingerprint)/" }

  /// The key of a piece; its number has four digits, so that keys are in the order of the pieces.
  func chunk(_ number: Int, of fingerprint: String) -> String {
    let digits = String(number)
    return document(fingerprint) + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  func server(_ name: String) -> String { servers + Self.component(name) }

  func server(of key: String) -> String {
    let name = String(key.dropFirst(servers.count))
    return name.removingPercentEncoding ?? name
  }

  private static func component(_ name: String) -> String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return name.addingPercentEncoding(withAllowedCharacters: plain) ?? name
  }
}
