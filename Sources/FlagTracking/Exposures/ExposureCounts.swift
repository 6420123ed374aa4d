public import FlagDomain

/// How often a value of a flag was given, and why: a number for those who want numbers and no events.
public struct ExposureCount: Hashable, Sendable {
  /// The flag.
  public var flag: FlagKey
  /// The name of the variant, or the value where it has none.
  public var variant: String
  /// Why it was given.
  public var reason: ResolutionReason
  /// How many exposures there were.
  public var count: Int
}

/// Counts exposures; of users it holds nothing.
struct ExposureCounts: Sendable {
  /// The most different counts; an exposure that would need one more is counted under the variant ``other``.
  private static let maximum = 10_000
  private static let other = "(other)"

  /// The counts, each by itself without its number.
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
