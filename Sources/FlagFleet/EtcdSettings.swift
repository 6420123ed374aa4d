public import FlagDomain
public import FlagProviders
public import FlagRemote
import FlagTransport
import Foundation

/// Where the members of an etcd cluster are, who asks them, and how long they are waited for.
///
/// ```swift
/// var settings = try EtcdSettings(endpoints: ["https://etcd-0:2379", "https://etcd-1:2379"], user: "web", password: word)
/// settings.idleLimit = .seconds(10)
/// ```
///
/// Certificates are checked against those that the system trusts, unless ``certificates`` names others.
public struct EtcdSettings: Sendable {
  /// The addresses of the members, for clients: any number of them, in any order.
  public let endpoints: [String]
  /// What all keys begin with.
  public let prefix: String
  /// The hosts besides the machine itself that may be asked without encryption; names, without ports.
  public let plaintextHosts: Set<String>
  /// How long a step may take, all in all, before it is given up: several attempts, at one member after the other.
  public var timeout = Duration.seconds(10)
  /// How long the first attempt of a step may take; each further one may take half as long again as the one before.
  public var attemptTimeout = Duration.seconds(1)
  /// How long a watch may say nothing before its member is asked whether it is still there.
  public var idleLimit = Duration.seconds(30)
  /// How long the report of a server outlives the server.
  public var reportLifetime = Duration.seconds(60)
  /// The certificates of the cluster, and of this client; nil for those that the system trusts, and for none.
  public var certificates: CertificateFiles?
  /// The most bytes of a document.
  public var sizeLimit = 32 << 20
  /// Keeps the last good document of each set on disk, for a start without etcd; nil for none.
  public var cache: AnswerCache?
  /// Receives the error of a document that could not be kept or read, on any thread.
  public var onCacheError: @Sendable (FlagError) -> Void = { _ in }
  let members: [URL]
  let credentials: (user: String, password: String)?

  /// Creates settings with the usual limits.
  ///
  /// - Parameters:
  ///   - endpoints: The addresses of the members: `https://HOST:PORT`. With http the host is to be the machine itself,
  ///     or to be named as one that may be asked without encryption.
  ///   - user: The name of the user of etcd; nil where etcd does not ask who asks.
  ///   - password: The user's password.
  ///   - prefix: What all keys begin with.
  ///   - plaintextHosts: The hosts that may be asked without encryption; names, without ports.
  /// - Throws: A `FlagError` that says what is wrong with which endpoint.
  public init(
    endpoints: [String], user: String? = nil, password: String? = nil, prefix: String = "/flags",
    plaintextHosts: Set<String> = []
  ) throws(FlagError) {
    var members: [URL] = []
    for endpoint in endpoints { members.append(try Self.member(endpoint, plaintextHosts)) }
    guard !members.isEmpty else { throw FlagError(.providerFatal, "expected an endpoint of etcd, found none") }
    guard (user == nil) == (password == nil), user?.isEmpty != true else {
      throw FlagError(.providerFatal, "expected a user of etcd and a password, or neither, found one of them")
    }
    self.endpoints = endpoints
    self.prefix = prefix
    self.plaintextHosts = plaintextHosts
    self.members = members
    if let user, let password { credentials = (user, password) } else { credentials = nil }
  }

  /// Reads the address of a member; none of its parts is a secret, but for a user, which it may not have.
  private static func member(_ text: String, _ plaintextHosts: Set<String>) throws(FlagError) -> URL {
    guard let url = URL(string: text), let host = url.host(), !host.isEmpty, url.user() == nil, url.query() == nil,
      url.fragment() == nil, url.path().isEmpty || url.path() == "/"
    else {
      let shown = text.contains("@") ? "one with a user" : "\"\(text)\""
      throw FlagError(.providerFatal, "expected an endpoint such as https://etcd-0:2379, found \(shown)")
    }
    if let objection = HTTPClient.objection(to: url, plaintextHosts: plaintextHosts) {
      throw FlagError(.providerFatal, "\(text): \(objection)")
    }
    return url
  }
}

extension EtcdSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The endpoints and the prefix, without user and password.
  public var description: String { "etcd at \(endpoints.joined(separator: ", ")) under \(prefix)" }
  /// The endpoints and the prefix, without user and password.
  public var debugDescription: String { description }
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
