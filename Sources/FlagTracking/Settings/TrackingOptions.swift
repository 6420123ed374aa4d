import FlagDomain

/// What is tracked, how much is kept, and when it is sent.
public struct TrackingOptions: Sendable {
  /// The names of the context's attributes that exposures may carry; all others are private.
  ///
  /// What is not named is left out before an event is kept: neither the disk nor the service sees it. The names of a
  /// user's own fields count, too: `countryCode`, `segments`.
  public var attributes: Set<String> = []
  /// How long a user's further reads of one value are the same exposure.
  public var window = Duration.seconds(600)
  /// How many exposures are remembered for that; the one that was used longest ago is forgotten first.
  public var memory = 10_000
  /// The share of units that are tracked, from 0 to 1; a unit is tracked always or never.
  public var samplingRate = 1.0
  /// Whether nothing is tracked, and nothing kept.
  public var isOptedOut = false
  /// How long events wait for others before they are written and sent, unless there are enough of them.
  public var interval = Duration.seconds(30)
  /// The most events of a batch.
  public var batchEvents = 50
  /// The most bytes of a batch's events, each as a line of JSON; an event with more is refused.
  public var batchBytes = 500_000
  /// The most events that are kept; then the oldest are dropped, and how many is an event.
  public var queueEvents = 1000
  /// The most bytes of the events that are kept; 16 MiB at most.
  public var queueBytes = 1 << 20

  /// Creates the usual options.
  public init() {}
}

extension TrackingOptions {
  /// The most events that are kept, at least one.
  var eventLimit: Int { max(1, queueEvents) }

  /// The most bytes that are kept, at least one.
  var byteLimit: Int { min(max(1, queueBytes), 16 << 20) }

  /// The sampling rate; one that is no share becomes the nearest, NaN 0.
  var rate: Double { samplingRate >= 0 ? min(samplingRate, 1) : 0 }

  /// Chooses units by a hash of their own, which has nothing to do with the one that rollouts choose variants by.
  func samples(_ unit: String) -> Bool {
    if rate >= 1 { return true }
    // FNV-1a of 64 bits (Fowler, Noll, Vo), and the finalizer of MurmurHash3, which spreads it over all bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in unit.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Double(hash.spreadOverAllBits >> 11) * 0x1p-53 < rate
  }
}
