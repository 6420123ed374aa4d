package import FlagDomain
package import FlagFoundation

/// The outcome of a request, with the content of its answer.
package enum FetchOutcome<Content: Sendable>: Sendable {
  /// An answer, its tag and streams, and its text; nil if it was never one.
  case content(Content, FetchAnswer, body: [UInt8]?)
  /// The previous answer is still the newest one; it may say where changes are announced.
  case unchanged(sources: [EventSource] = [])
  case failure(FetchFailure)

  /// The outcome without the content.
  var answer: Result<FetchAnswer, FetchFailure> {
    switch self {
    case .content(_, let answer, _): .success(answer)
    case .unchanged(let sources): .success(FetchAnswer(isUnchanged: true, sources: sources))
    case .failure(let failure): .failure(failure)
    }
  }
}

/// An answer, without its content.
package struct FetchAnswer: Hashable, Sendable {
  /// Whether the content is that of the previous answer; then there is no tag.
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
    /// The source rejected this client: 401, 403.
    case refused
    /// The source is overloaded, 429 or 503, with the delay that it requested, if any.
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
    /// The stream was open, and no data arrived within the inactivity limit.
    case silent
    /// The source wants no such stream.
    case declined
    case failed(FetchFailure.Kind)
  }

  package var kind: Kind
  /// The time for which the source wants no new stream.
  package var reconnectionTime: Duration?
  /// The reason why the stream was not opened, if it was not.
  package var error: FlagError?

  package init(kind: Kind = .failed(.other), reconnectionTime: Duration? = nil, error: FlagError? = nil) {
    self.kind = kind
    self.reconnectionTime = reconnectionTime
    self.error = error
  }
}

/// An event of a stream before it ends.
package enum StreamEvent: Hashable, Sendable {
  case opened
  /// Something has changed, unless the known version is one of these.
  case changed(ChangeHint, versions: [String] = [])
}

/// The address of a stream on which a source announces changes.
///
/// It may contain a ticket, so it is neither printed nor stored.
package struct EventSource: Hashable, Sendable {
  package let url: URL
  /// The time for which the source may send nothing, if it specified one.
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

/// A stream's description of a change, which is sent back with the request that it causes.
package struct ChangeHint: Hashable, Sendable {
  package var tag: String?
  package var lastModified: String?

  package init(tag: String? = nil, lastModified: String? = nil) {
    self.tag = tag
    self.lastModified = lastModified
  }
}
