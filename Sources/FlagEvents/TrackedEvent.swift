public import FlagDomain

/// One event of an experiment: an exposure, a conversion, or how many events were lost.
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

  /// What no other event has, a UUID; empty if it was read from a line that needs none.
  public var id: String
  /// When it happened.
  public var time: EventTime
  /// What the event says.
  public var content: Content

  /// Creates an event.
  public init(id: String, time: EventTime, content: Content) {
    self.id = id
    self.time = time
    self.content = content
  }
}

extension TrackedEvent.Content {
  /// The name of the kind, as lines have it.
  package var kind: String {
    switch self {
    case .exposure: "exposure"
    case .conversion: "conversion"
    case .loss: "loss"
    }
  }
}

/// An exposure without what the app keeps to itself: all that is ever written or sent of it.
public struct TrackedExposure: Hashable, Sendable {
  /// The flag's key.
  public var flag: String
  /// The name of the variant; nil where the value has none.
  public var variant: String?
  /// The value, where there is no name of a variant.
  public var value: FlagValue?
  /// Who was given the value.
  public var unit: String
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
  /// The share of units whose events are kept, above 0 and at most 1.
  public var rate: Double
  /// The attributes of the context that the app allows to leave the device.
  public var attributes: [String: FlagValue] = [:]

  package init(
    flag: String, variant: String?, value: FlagValue? = nil, unit: String, reason: ResolutionReason = .unknown,
    version: String? = nil, rate: Double = 1
  ) {
    (self.flag, self.variant, self.value, self.unit) = (flag, variant, value, unit)
    (self.reason, self.version, self.rate) = (reason, version, rate)
  }
}

extension TrackedExposure {
  /// Takes of an exposure what may be kept.
  package init(_ exposure: Exposure, attributes names: Set<String>, rate: Double) {
    let resolution = exposure.resolution
    self.init(
      flag: exposure.flag.name, variant: resolution.variant, unit: exposure.unit, reason: resolution.reason,
      version: resolution.metadata["version"].map(\.label), rate: rate)
    // In two steps: nil is also a value, null.
    if variant == nil { value = resolution.value }
    set = resolution.metadata["flagSetId"].map(\.label)
    provider = resolution.provider
    error = resolution.error?.code
    for name in names { attributes[name] = exposure.context[name] }
  }

  /// The name of the variant, or the value as JSON.
  package var label: String { variant ?? "\(value ?? .null)" }
}

extension FlagValue {
  /// The value as a label: text as it is, anything else as its description.
  fileprivate var label: String {
    if case .string(let text) = self { text } else { "\(self)" }
  }
}
