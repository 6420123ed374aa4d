import Foundation
import TestSupport

@testable import FlagFleet
@testable import FlagRemote

/// Users of etcd with the rights that the guide says.
enum Rights {
  static func set(up cluster: EtcdCluster) throws {
    func user(_ name: String) throws {
      try cluster.ask(0, "auth/user/add", #"{"name": "\#(name)", "password": "\#(name)-password"}"#)
      try cluster.ask(0, "auth/role/add", #"{"name": "\#(name)"}"#)
      try cluster.ask(0, "auth/user/grant", #"{"user": "\#(name)", "role": "\#(name)"}"#)
    }
    for name in ["root", "publisher", "server"] { try user(name) }
    try allow("publisher", "/flags/", "READWRITE", cluster, token: nil)
    try allow("server", "/flags/app/", "READ", cluster, token: nil)
    try allow("server", "/flags/app/servers/", "READWRITE", cluster, token: nil)
    try cluster.ask(0, "auth/enable", "{}")
  }

  private static func allow(
    _ role: String, _ prefix: String, _ type: String, _ cluster: EtcdCluster, token: String?
  ) throws {
    let answer = try cluster.ask(
      0, "auth/role/grant",
      """
      {"name": "\(role)", "perm": {"permType": "\(type)", "key": "\(encoded(prefix))", \
      "range_end": "\(encoded(EtcdText.end(of: prefix)))"}}
      """, token: token)
    guard answer.contains("200 OK") else { throw EtcdCluster.Failure(description: answer) }
  }

  private static func token(_ cluster: EtcdCluster) throws -> String? {
    EtcdCluster.text(
      "token", in: try cluster.ask(0, "auth/authenticate", #"{"name": "root", "password": "root-password"}"#))
  }

  static func revoke(_ cluster: EtcdCluster) throws {
    let answer = try cluster.ask(
      0, "auth/role/revoke",
      """
      {"role": "server", "key": "\(encoded("/flags/app/"))", \
      "range_end": "\(encoded(EtcdText.end(of: "/flags/app/")))"}
      """, token: try token(cluster))
    guard answer.contains("200 OK") else { throw EtcdCluster.Failure(description: answer) }
  }

  static func grant(_ cluster: EtcdCluster) throws {
    try allow("server", "/flags/app/", "READ", cluster, token: try token(cluster))
  }

  private static func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
