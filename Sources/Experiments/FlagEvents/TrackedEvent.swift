public import FlagDomain

/// An event of an experiment: an exposure, a conversion, or a loss of events.
public struct TrackedEvent: Hashable, Sendable {
  /// The content of an event.
  public enum Content: Hashable, Sendable {
    /// An exposure: a user was given a value of an experiment.
    case exposure(TrackedExposure)
    /// A conversion: a user did something.
    case conversion(Conversion)
    /// A loss: events were dropped, because the queue was full or a service refused them.
    case loss(TrackedLoss)
  }

  /// The unique id of the event, a UUID; empty if it was read from a line that needs none.
  public var id: String
  /// The time of the event.
  public var time: EventTime
  /// The content of the event.
  public var content: Content

  /// Creates an event.
  public init(id: String, time: EventTime, content: Content) {
    self.id = id
    self.time = time
    self.content = content
  }
}

extension TrackedEvent.Content {
  /// The name of the kind in lines.
  package var kind: String {
    switch self {
    case .exposure: "exposure"
    case .conversion: "conversion"
    case .loss: "loss"
    }
  }
}

/// An exposure without the app's private attributes: everything that is ever written or sent of it.
public struct TrackedExposure: Hashable, Sendable {
  /// The flag's key.
  public var flag: String
  /// The name of the variant; nil if the value has none.
  public var variant: String?
  /// The value, if the variant has no name.
  public var value: FlagValue?
  /// The unit that was given the value: a value of the ``unitAttribute``.
  public var unit: String
  /// The name of the attribute that the experiment counts by: `targetingKey`, `visitorID`, `company`.
  public var unitAttribute = "targetingKey"
  /// The ids of the user and the visitor by the names of their attributes, without the unit's own.
  public var units: [String: String] = [:]
  /// The reason for the value.
  public var reason: ResolutionReason
  /// The version of the definition, if its metadata has a `version`.
  public var version: String?
  /// The flag set of the definition, if its metadata has a `flagSetId`.
  public var set: String?
  /// The name of the provider that gave the value; nil for a default or a computed value.
  public var provider: String?
  /// The error in the resolution, if any.
  public var error: FlagError.Code?
  /// The share of units whose events are recorded, above 0 and at most 1.
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

  /// Creates the event of an exposure, with only the attributes that may be stored.
  package init(_ exposure: Exposure, attributes names: Set<String>, rate: Double) {
    let resolution = exposure.resolution
    self.init(
      flag: exposure.flag.name, variant: resolution.variant, unit: exposure.unit, reason: resolution.reason,
      version: resolution.metadata["version"].map(\.label), rate: rate)
    // In two steps: nil is also a value, null.
    if variant == nil { value = resolution.value }
    unitAttribute = exposure.unitAttribute
    units = exposure.context.units(named: []).filter { $0.key != exposure.unitAttribute }
    set = resolution.metadata["flagSetId"].map(\.label)
    provider = resolution.provider
    error = resolution.error?.code
    for name in names { attributes[name] = exposure.context[name] }
  }

  /// The name of the variant, or the value as JSON.
  package var label: String { variant ?? "\(value ?? .null)" }
}

extension FlagValue {
  /// The value as a label: text unchanged, anything else as its description.
  fileprivate var label: String {
    if case .string(let text) = self { text } else { "\(self)" }
  }
}
