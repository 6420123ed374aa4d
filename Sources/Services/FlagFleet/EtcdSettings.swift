public import FlagDomain
import FlagFoundation
public import FlagRemote
public import FlagServices
import FlagTransport

/// The settings of an etcd cluster: the addresses of its members, the credentials and the timeouts.
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
  /// The prefix of all keys.
  public let prefix: String
  /// The hosts besides the machine itself that may be reached without encryption; names, without ports.
  public let plaintextHosts: Set<String>
  /// The timeout of an operation in total: several attempts, at one member after the other.
  public var timeout = Duration.seconds(10)
  /// The timeout of the first attempt of an operation; each further one is half as long again as the one before.
  public var attemptTimeout = Duration.seconds(1)
  /// The time for which a watch may be silent before its member is checked.
  public var idleLimit = Duration.seconds(30)
  /// The time after which the report of a stopped server expires.
  public var reportLifetime = Duration.seconds(60)
  /// The certificates of the cluster, and of this client; nil for those that the system trusts, and for no client
  /// certificate.
  public var certificates: CertificateFiles?
  /// The maximum size of a document in bytes.
  public var sizeLimit = 32 << 20
  /// The cache for the last good document of each set, for a start without etcd; nil for no cache.
  public var cache: AnswerCache?
  /// Receives the error of a document that could not be read, and each cause for which documents could not be cached,
  /// once, and the end of it, on any thread.
  public var onCacheError: @Sendable (FlagError) -> Void = { _ in }
  /// The closure to call when another server reports under the same name, on any thread; again only after that ended.
  public var onNameShared: @Sendable () -> Void = {}
  let members: [URL]
  let credentials: (user: String, password: String)?

  /// Creates settings with the default limits.
  ///
  /// - Parameters:
  ///   - endpoints: The addresses of the members: `https://HOST:PORT`. With http the host must be the machine itself,
  ///     or one of those that may be reached without encryption.
  ///   - user: The name of the user of etcd; nil if etcd requires no authentication.
  ///   - password: The user's password.
  ///   - prefix: The prefix of all keys.
  ///   - plaintextHosts: The hosts that may be reached without encryption; names, without ports.
  /// - Throws: A `FlagError` that names the invalid endpoint and the reason.
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

  /// Parses the address of a member; none of its parts is a secret, except a user, which it must not have.
  private static func member(_ text: String, _ plaintextHosts: Set<String>) throws(FlagError) -> URL {
    guard let url = URL(string: text), let host = url.host(), !host.isEmpty, url.user() == nil, url.query() == nil,
      url.fragment() == nil, url.path().isEmpty || url.path() == "/"
    else {
      let shown = text.contains("@") ? "one with a user" : "\"\(text)\""
      throw FlagError(.providerFatal, "expected an endpoint such as https://etcd-0:2379, found \(shown)")
    }
    do throws(TransportError) {
      try HTTPClient.validate(url, plaintextHosts: plaintextHosts)
    } catch {
      throw FlagError(.providerFatal, "\(text): \(error)")
    }
    return url
  }
}

extension EtcdSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The endpoints and the prefix, without user and password.
  public var description: String { "etcd at \(endpoints.joined(separator: ", ")) under \(prefix)" }
  /// The endpoints and the prefix, without user and password.
  public var debugDescription: String { description }
  /// An empty mirror, which hides the password.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
