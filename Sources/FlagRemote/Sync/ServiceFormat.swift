import FlagDomain
import FlagHTTP
import FlagTransport

/// What reads have to know of what is served.
protocol AnswerFormat: Sendable {
  associatedtype Content: Sendable

  /// Whether answers are those for one context.
  var isPersonal: Bool { get }

  func answer(_ content: Content, for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer?
  /// Returns what differs between two contents; nil where nothing does.
  func changes(from old: Content, to new: Content) -> ChangedKeys?
  func findings(in content: Content) -> [FlagError]
}

/// What the client of a service has to know of its protocol.
protocol ServiceFormat: AnswerFormat {
  /// What names the service in the names of what is kept: its protocol, its address and who asks.
  var identity: [String] { get }
  /// What of a context the service learns, and its answers depend on; nothing for one that answers all alike.
  func disclosed(_ context: EvaluationContext) -> [String: FlagValue]

  /// Returns the request for all answers for a context.
  func request(for fetch: SyncState.Fetch) throws(FlagError) -> TransportRequest
  /// Returns the request for a stream of events.
  func request(for source: EventSource) -> TransportRequest

  /// Reads an answer.
  func content(of body: [UInt8]) throws(FlagError) -> Content
  /// Returns where the service tells of changes, as an answer says.
  func sources(in content: Content) -> [EventSource]
  /// Returns what may be kept of an answer: it can be read as one.
  func keepable(_ body: [UInt8]) throws(FlagError) -> [UInt8]

  /// Returns whether an event says that something has changed, as a hint to hand back; nil where it does not.
  func hint(in event: ServerSentEvent, since tag: String?) -> ChangeHint?
}
