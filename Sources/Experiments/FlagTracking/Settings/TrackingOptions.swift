import FlagDomain
import FlagEvents

/// The options of a tracker: attributes, limits and timing.
public struct TrackingOptions: Sendable {
  /// The names of the context's attributes that exposures may carry; all others are private.
  ///
  /// All other attributes are removed before an event is stored: neither the disk nor the service sees them. The names
  /// of a user's own fields count, too: `countryCode`, `segments`.
  public var attributes: Set<String> = []
  /// The names of the attributes that conversions may carry; nil, the default, for all that the tracking code passes.
  public var conversionAttributes: Set<String>?
  /// The names of attributes that never leave the device, not even as what an experiment counts by.
  ///
  /// Exposures of an experiment that counts by one of them are not tracked; conversions are without it.
  public var privateAttributes: Set<String> = []
  /// The key of a keyed hash (HMAC-SHA-256) that replaces units' ids; nil for the ids themselves.
  ///
  /// Ids are hashed before an event is queued: exposures, conversions, sampling and files have only the hash, in 64
  /// hexadecimal digits, and so have attributes that are ids of the event, such as `targetingKey`. With one key, the
  /// same user has the same hash in all apps and servers. Without the key the id cannot be found by trying ids, so keep
  /// it secret, at least 16 bytes long, and the same for the whole experiment. A key that is shipped in an app can be
  /// read by its users.
  public var unitHashKey: [UInt8]?
  /// The window in which a user's further reads of one value are the same exposure.
  public var window = Duration.seconds(600)
  /// The maximum number of exposures in memory for that; those that were not used for longest are forgotten.
  public var memory = 10_000
  /// The share of units that are tracked, from 0 to 1; a unit is either always tracked or never.
  public var samplingRate = 1.0
  /// Whether tracking is off: no event is tracked or stored.
  public var isOptedOut = false
  /// The maximum time that events wait for a full batch before they are written and sent.
  public var interval = Duration.seconds(30)
  /// The number of events from which on they are written and sent at once, without waiting for the interval.
  public var batchEvents = 50
  /// The maximum number of events in a batch, which grows with the number of waiting events.
  public var maximumBatchEvents = 500
  /// The maximum size of a batch's events in bytes, each as a line of JSON; a larger event is refused.
  public var batchBytes = 500_000
  /// The maximum number of events in memory, which wait to be written to the disk, or sent if that is impossible.
  public var bufferEvents = 10_000
  /// The maximum size of the events on the disk in bytes, at most 256 MiB; the file may take twice as much.
  ///
  /// If the events of all units do not fit, whole units are dropped, and an event reports how many events were lost.
  public var queueBytes = defaultQueueBytes

  /// Creates the default options, which suit an app.
  public init() {}

  /// The default options for an app, with one user at a time and little storage.
  public static var app: TrackingOptions { TrackingOptions() }

  /// The default options for a server, with many users at a time, bursts, and a disk of its own.
  public static var server: TrackingOptions {
    var options = TrackingOptions()
    options.memory = 100_000
    options.interval = .seconds(5)
    options.batchEvents = 500
    options.maximumBatchEvents = 2000
    options.bufferEvents = 200_000
    options.queueBytes = 64 << 20
    return options
  }

  // A tvOS app may rely on about 1 MB of storage.
  #if os(tvOS)
    private static let defaultQueueBytes = 256 << 10
  #else
    private static let defaultQueueBytes = 1 << 20
  #endif

  /// The maximum number of events in memory, at least one.
  var bufferLimit: Int { max(1, bufferEvents) }

  /// The maximum number of stored bytes, at least one.
  var byteLimit: Int { min(max(1, queueBytes), 256 << 20) }

  /// The sampling rate, clamped to 0...1; NaN becomes 0.
  var rate: Double { samplingRate >= 0 ? min(samplingRate, 1) : 0 }

  /// Samples units by a hash of its own, independent of the one that rollouts choose variants by.
  func samples(_ unit: String) -> Bool {
    if rate >= 1 { return true }
    return UnitHash(seed: "").position(of: unit) < rate
  }
}
