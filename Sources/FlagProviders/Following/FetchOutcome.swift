package import FlagDomain
package import Foundation

/// The outcome of a request, with the content of its answer.
package enum FetchOutcome<Content: Sendable>: Sendable {
  /// An answer, its tag and streams, and the bytes to keep of it; nil for nothing.
  case content(Content, FetchAnswer, body: [UInt8]?)
  case unchanged
  case failure(FetchFailure)

  /// The outcome without the content.
  var answer: Result<FetchAnswer, FetchFailure> {
    switch self {
    case .content(_, let answer, _): .success(answer)
    case .unchanged: .success(FetchAnswer(isUnchanged: true))
    case .failure(let failure): .failure(failure)
    }
  }
}

/// An answer, without its content.
package struct FetchAnswer: Hashable, Sendable {
  /// Whether the content is that of the answer before; then nothing else is set.
  package var isUnchanged = false
  /// The source's version of the answer.
  package var tag: String?
  /// The streams on which the source announces changes.
  package var sources: [EventSource] = []

  package init(isUnchanged: Bool = false, tag: String? = nil, sources: [EventSource] = []) {
    self.isUnchanged = isUnchanged
    self.tag = tag
    self.sources = sources
  }
}

/// The reason why there is no usable answer.
package struct FetchFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The source does not answer this client: 401, 403.
    case refused
    /// The source has too much to do, 429 or 503, and perhaps said for how long.
    case busy(Duration?)
    case other
  }

  package var error: FlagError
  package var kind: Kind

  package init(error: FlagError, kind: Kind = .other) {
    self.error = error
    self.kind = kind
  }
}

/// The way in which a stream of events ended.
package struct StreamFailure: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// It was open, and nothing came for too long.
    case silent
    case failed(FetchFailure.Kind)
  }

  package var kind: Kind
  /// How long the source wants no new stream.
  package var reconnectionTime: Duration?

  package init(kind: Kind = .failed(.other), reconnectionTime: Duration? = nil) {
    self.kind = kind
    self.reconnectionTime = reconnectionTime
  }
}

/// An event of a stream before it ends.
package enum StreamEvent: Hashable, Sendable {
  case opened
  /// Something has changed, unless the version that is already here is one of these.
  case changed(ChangeHint, versions: [String] = [])
}

/// The address of a stream on which a source announces changes.
///
/// It may hold a ticket, so it is neither printed nor kept.
package struct EventSource: Hashable, Sendable {
  package let url: URL
  /// How long the source may be silent, if it said so.
  package var inactivity: Duration?

  package init(url: URL, inactivity: Duration? = nil) {
    self.url = url
    self.inactivity = inactivity
  }
}

extension EventSource: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { "events of \(url.host() ?? "")" }
  package var debugDescription: String { description }
}

/// A stream's description of a change, which is handed back with the request that it causes.
package struct ChangeHint: Hashable, Sendable {
  package var tag: String?
  package var lastModified: String?

  package init(tag: String? = nil, lastModified: String? = nil) {
    self.tag = tag
    self.lastModified = lastModified
  }
}
