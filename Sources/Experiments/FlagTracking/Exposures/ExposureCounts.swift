public import FlagDomain

/// The number of times that a value of a flag was given for one reason, for metrics without events.
public struct ExposureCount: Hashable, Sendable {
  /// The flag.
  public var flag: FlagKey
  /// The name of the variant, or the value if it has no name.
  public var variant: String
  /// The reason for the value.
  public var reason: ResolutionReason
  /// The number of exposures.
  public var count: Int
}

/// Counts of exposures, which contain nothing about users.
struct ExposureCounts: Sendable {
  /// The maximum number of different counts; further exposures are counted under the variant ``other``.
  private static let maximum = 10_000
  private static let other = "(other)"

  /// The counts, each keyed by itself with its number removed.
  private var counts: [ExposureCount: Int] = [:]

  mutating func add(_ exposure: Exposure) {
    let resolution = exposure.resolution
    let variant = resolution.variant ?? "\(resolution.value)"
    var key = ExposureCount(flag: exposure.flag, variant: variant, reason: resolution.reason, count: 0)
    if counts[key] == nil, counts.count >= Self.maximum { (key.variant, key.reason) = (Self.other, .unknown) }
    counts[key, default: 0] += 1
  }

  var all: [ExposureCount] {
    counts.map { ExposureCount(flag: $0.flag, variant: $0.variant, reason: $0.reason, count: $1) }.sorted {
      ($0.flag.name, $0.variant, $0.reason.rawValue) < ($1.flag.name, $1.variant, $1.reason.rawValue)
    }
  }
}
