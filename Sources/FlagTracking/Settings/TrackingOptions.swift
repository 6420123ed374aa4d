import FlagDomain
import FlagEvents

/// The options of a tracker: attributes, limits and timing.
public struct TrackingOptions: Sendable {
  /// The names of the context's attributes that exposures may carry; all others are private.
  ///
  /// All other attributes are removed before an event is stored: neither the disk nor the service sees them. The names
  /// of a user's own fields count, too: `countryCode`, `segments`.
  public var attributes: Set<String> = []
  /// The window in which a user's further reads of one value are the same exposure.
  public var window = Duration.seconds(600)
  /// The maximum number of exposures in memory for that; the least recently used one is evicted first.
  public var memory = 10_000
  /// The share of units that are tracked, from 0 to 1; a unit is either always tracked or never.
  public var samplingRate = 1.0
  /// Whether tracking is off: no event is tracked or stored.
  public var isOptedOut = false
  /// The maximum time that events wait for a full batch before they are written and sent.
  public var interval = Duration.seconds(30)
  /// The maximum number of events in a batch.
  public var batchEvents = 50
  /// The maximum size of a batch's events in bytes, each as a line of JSON; a larger event is refused.
  public var batchBytes = 500_000
  /// The maximum number of stored events; beyond it the oldest are dropped, and an event reports their number.
  public var queueEvents = 1000
  /// The maximum size of the stored events in bytes, at most 16 MiB.
  public var queueBytes = 1 << 20

  /// Creates the default options.
  public init() {}
}

extension TrackingOptions {
  /// The maximum number of stored events, at least one.
  var eventLimit: Int { max(1, queueEvents) }

  /// The maximum number of stored bytes, at least one.
  var byteLimit: Int { min(max(1, queueBytes), 16 << 20) }

  /// The sampling rate, clamped to 0...1; NaN becomes 0.
  var rate: Double { samplingRate >= 0 ? min(samplingRate, 1) : 0 }

  /// Samples units by a hash of its own, independent of the one that rollouts choose variants by.
  func samples(_ unit: String) -> Bool {
    if rate >= 1 { return true }
    return UnitHash(seed: "").position(of: unit) < rate
  }
}
