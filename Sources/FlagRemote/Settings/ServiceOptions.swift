public import FlagDomain
public import FlagProviders
public import Foundation

/// How a provider deals with its service.
///
/// ```swift
/// var options = ServiceOptions()
/// options.credentials = .bearer(token)
/// options.cache = AnswerCache(in: cachesFolder)
/// ```
public struct ServiceOptions: Sendable {
  /// Whether new answers are served while the program runs.
  public enum Updates: Hashable, Sendable {
    /// As soon as they are there.
    case live
    /// At the next start, or when the app says so; values stay as they are for a session.
    case session
  }

  /// What is served before the service has answered.
  public enum Loading: Hashable, Sendable {
    /// What was kept of an earlier run, at once.
    case cacheFirst
    /// Nothing; what was kept is served once the service has failed to answer.
    case networkFirst
  }

  /// Who asks; nil for anybody.
  public var credentials: ServiceCredentials?
  /// How long a request may take, all in all.
  public var timeout = Duration.seconds(10)
  /// How long after an answer the next one is asked for, give or take a tenth; nil for never.
  ///
  /// While a stream of the service is open, it is not polled. Less than a second counts as one.
  public var polling: Duration? = .seconds(30)
  /// Whether a stream is followed, where the service offers one.
  public var isStreaming = true
  /// How long a stream may send nothing, not even a heartbeat, before it counts as dead; at least 10 seconds.
  ///
  /// Then it is opened anew, and everything asked for without conditions. With nil it is what the service says, or else
  /// two minutes.
  public var inactivityLimit: Duration?
  /// Whether new answers are served while the program runs.
  public var updates = Updates.live
  /// What is served before the service has answered.
  public var loading = Loading.cacheFirst
  /// Keeps the last good answer; nil for nobody, and then nothing is written.
  public var cache: AnswerCache?
  /// An answer that the app brought along, in the form that the service gives it, for when there is no other.
  public var bundled: Data?
  /// The names of attributes that never leave the process: the service is not told, and nothing is kept of them.
  ///
  /// The names of a user's own fields count, too: `countryCode`, `segments`. A rule of the service that asks for one
  /// finds nothing. What is evaluated here sees them as it sees all others.
  public var privateAttributes: Set<String> = []
  /// The hosts besides the machine itself that may be asked without encryption; names, without ports.
  public var plaintextHosts: Set<String> = []
  /// The certificates of a service of one's own; nil for those that the system trusts.
  public var certificates: CertificateFiles?
  /// The most bytes of an answer.
  public var sizeLimit = 10 << 20
  /// Hears of answers that could not be kept, on any thread.
  public var onCacheError: @Sendable (FlagError) -> Void = { _ in }

  /// Creates the usual options: polling each 30 s, streams, live updates, nothing kept.
  public init() {}
}

extension ServiceOptions {
  func following(sourcesExpire: Bool = false) -> FollowerOptions {
    var following = FollowerOptions()
    following.schedule = FollowerSchedule(
      polling: polling, isStreaming: isStreaming, sourcesExpire: sourcesExpire)
    following.inactivityLimit = inactivityLimit
    following.isLive = updates == .live
    following.isCacheFirst = loading == .cacheFirst
    following.cache = cache
    following.onCacheError = onCacheError
    return following
  }

  func bundled<Source: AnswerSource>(for source: Source) throws(FlagError) -> Source.Content? {
    try bundled.map { data throws(FlagError) in try source.content(of: Array(data)) }
  }
}

/// Who asks a service: header fields that no description, error or log shows.
public struct ServiceCredentials: Sendable {
  let fields: [(name: String, value: String)]

  /// Creates credentials that are sent as they are.
  public static func headers(_ fields: [String: String]) -> ServiceCredentials {
    ServiceCredentials(fields: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Creates a token that is sent in the field `Authorization`.
  public static func bearer(_ token: String) -> ServiceCredentials { headers(["Authorization": "Bearer \(token)"]) }

  /// Creates a key that is sent in the field `X-API-Key`.
  public static func apiKey(_ key: String) -> ServiceCredentials { headers(["X-API-Key": key]) }
}

extension ServiceCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names of the fields.
  public var description: String { "credentials in \(fields.map(\.name).joined(separator: ", "))" }
  /// The names of the fields.
  public var debugDescription: String { description }
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
