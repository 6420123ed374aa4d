import FlagDomain
import Foundation

/// What an answer says besides its content.
struct FetchAnswer: Hashable, Sendable {
  /// Whether the content is that of the answer before; then nothing else is said.
  var isUnchanged = false
  /// What tells this answer from later ones, as the service wrote it.
  var tag: String?
  /// Where the service tells of changes.
  var sources: [EventSource] = []
}

/// Why there is no usable answer.
struct FetchFailure: Error, Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The service does not know who asks, or does not want to talk to them: 401, 403.
    case refused
    /// The service has too much to do, 429 or 503, and perhaps said for how long.
    case busy(Duration?)
    case other
  }

  var error: FlagError
  var kind = Kind.other
}

/// How a stream of events ended.
struct StreamFailure: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// It was open, and nothing came for too long.
    case silent
    case refused
    case busy(Duration?)
    case other

    var fetchKind: FetchFailure.Kind {
      switch self {
      case .refused: .refused
      case .busy(let delay): .busy(delay)
      case .silent, .other: .other
      }
    }
  }

  var kind = Kind.other
  /// How long the service wants to be left alone before the stream is opened again.
  var reconnectionTime: Duration?
}

/// Where a service tells of changes.
///
/// The address may hold a ticket, so it is neither printed nor kept.
struct EventSource: Hashable, Sendable {
  let url: URL
  /// How long the service may be silent, where it said so.
  var inactivity: Duration?
}

extension EventSource: CustomStringConvertible, CustomDebugStringConvertible {
  var description: String { "events of \(url.host() ?? "")" }
  var debugDescription: String { description }
}

/// What a stream says of a change, to be handed back with the request that it causes.
struct ChangeHint: Hashable, Sendable {
  var tag: String?
  var lastModified: String?
}
