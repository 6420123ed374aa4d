public import FlagDomain

/// One event that is kept and sent: an exposure, a conversion, or how many events were lost.
public struct TrackedEvent: Hashable, Sendable {
  /// What the event says.
  public enum Content: Hashable, Sendable {
    /// A user was given a value of an experiment.
    case exposure(TrackedExposure)
    /// A user did something.
    case conversion(Conversion)
    /// Events were dropped, because the queue was full.
    case loss(count: Int)
  }

  /// What no other event has: a UUID.
  public var id: String
  /// When it happened: milliseconds since the beginning of 1970, UTC.
  public var time: Int64
  /// What the event says.
  public var content: Content

  /// Creates an event.
  public init(id: String, time: Int64, content: Content) {
    self.id = id
    self.time = time
    self.content = content
  }
}

/// An exposure without what the app keeps to itself: all that is ever written or sent of it.
public struct TrackedExposure: Hashable, Sendable {
  /// The flag's key.
  public var flag: String
  /// Who was given the value.
  public var unit: String
  /// The name of the variant; nil where the value has none.
  public var variant: String?
  /// The value, where there is no name of a variant.
  public var value: FlagValue?
  /// Why it is the value.
  public var reason: ResolutionReason
  /// The version of the definition, where its metadata has a `version`.
  public var version: String?
  /// The set of flags that the definition is of, where its metadata has a `flagSetId`.
  public var set: String?
  /// The name of the provider that gave the value; nil for a default or a computed value.
  public var provider: String?
  /// What went wrong on the way.
  public var error: FlagError.Code?
  /// The share of units whose events are kept.
  public var rate: Double
  /// The attributes of the context that the app allows to leave the device.
  public var attributes: [String: FlagValue]
}

extension TrackedExposure {
  /// Takes of an exposure what may be kept.
  init(_ exposure: Exposure, attributes names: Set<String>, rate: Double) {
    let resolution = exposure.resolution
    flag = exposure.flag.name
    unit = exposure.unit
    variant = resolution.variant
    // In two steps: nil is also a value, null.
    if resolution.variant == nil { value = resolution.value }
    reason = resolution.reason
    version = resolution.metadata["version"].map(\.label)
    set = resolution.metadata["flagSetId"].map(\.label)
    provider = resolution.provider
    error = resolution.error?.code
    self.rate = rate
    attributes = [:]
    for name in names { attributes[name] = exposure.context[name] }
  }
}

extension FlagValue {
  /// The value as a label: text as it is, anything else as its description.
  fileprivate var label: String {
    if case .string(let text) = self { text } else { "\(self)" }
  }
}

/// Events that are sent together.
public struct EventBatch: Hashable, Sendable {
  /// What no other batch has, a UUID; it stays the same when the batch is sent again.
  public var id: String
  /// The events, oldest first.
  public var events: [TrackedEvent]

  /// Creates a batch.
  public init(id: String, events: [TrackedEvent]) {
    self.id = id
    self.events = events
  }
}
