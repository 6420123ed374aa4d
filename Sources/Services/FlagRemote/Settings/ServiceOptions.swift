public import FlagDomain
public import FlagFoundation
public import FlagServices

/// The options of a provider for its service: credentials, timeouts, updates and caching.
///
/// ```swift
/// var options = ServiceOptions()
/// options.credentials = .bearer(token)
/// options.cache = AnswerCache(in: cachesFolder)
/// ```
public struct ServiceOptions: Sendable {
  /// The time at which new answers are served.
  public enum Updates: Hashable, Sendable {
    /// As soon as they arrive.
    case live
    /// At the next start, or when the app activates them; values stay the same for a session.
    case session
  }

  /// The values that are served before the service has answered.
  public enum Loading: Hashable, Sendable {
    /// The cached answers of an earlier run, at once.
    case cacheFirst
    /// None; the cached answers are served once a request has failed.
    case networkFirst
  }

  /// The credentials for the service; nil for anonymous requests.
  public var credentials: ServiceCredentials?
  /// The maximum time without any byte of a request or of its answer.
  ///
  /// A request may take ten times as long in total, with at least 100 bytes a second after the first timeout.
  public var timeout = Duration.seconds(10)
  /// The delay between an answer and the next request, with a jitter of a tenth; nil for no polling.
  ///
  /// While a stream of the service is open, it is not polled. Less than a second counts as one.
  public var polling: Duration? = .seconds(30)
  /// Whether a stream is followed, if the service offers one.
  public var isStreaming = true
  /// The time without any bytes, not even a heartbeat, after which a stream counts as dead; at least 10 seconds.
  ///
  /// Then it is reopened, and everything is requested again unconditionally. With nil it is the time that the service
  /// gives, otherwise two minutes.
  public var inactivityLimit: Duration?
  /// The time at which new answers are served.
  public var updates = Updates.live
  /// The values that are served before the service has answered.
  public var loading = Loading.cacheFirst
  /// The cache for the last good answer; with nil, nothing is written.
  public var cache: AnswerCache?
  /// An answer that is bundled with the app, in the service's format, for when there is no other.
  public var bundled: Data?
  /// The names of attributes that never leave the process: they are neither sent nor stored.
  ///
  /// The names of a user's own fields count, too: `countryCode`, `segments`. A rule of the service that uses one of
  /// them finds no value. Local evaluation sees them like all others.
  public var privateAttributes: Set<String> = []
  /// The hosts besides the machine itself that may be reached without encryption; names, without ports.
  public var plaintextHosts: Set<String> = []
  /// The certificates for a service with its own authority; nil for those that the system trusts.
  public var certificates: CertificateFiles?
  /// The maximum size of an answer in bytes.
  public var sizeLimit = 10 << 20
  /// Receives each cause for which answers could not be cached, once, and the end of it, on any thread.
  ///
  /// The end has the code `PROVIDER_READY`.
  public var onCacheError: @Sendable (FlagError) -> Void = { _ in }

  /// Creates the default options: polling every 30 s, streams, live updates, no cache.
  public init() {}

  package func following(sourcesExpire: Bool = false) -> FollowerOptions {
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

  package func bundled<Source: AnswerSource>(for source: Source) throws(FlagError) -> Source.Content? {
    try bundled.map { data throws(FlagError) in try source.content(of: Array(data)) }
  }
}
