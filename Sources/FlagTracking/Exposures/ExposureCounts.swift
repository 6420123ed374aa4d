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
  private struct Key: Hashable {
    let flag: FlagKey
    let variant: String
    let reason: ResolutionReason
  }

  /// The most different counts; an exposure that would need one more is counted under the variant ``other``.
  private static let maximum = 10_000
  private static let other = "(other)"

  private var counts: [Key: Int] = [:]

  mutating func add(_ exposure: Exposure) {
    let resolution = exposure.resolution
    var key = Key(
      flag: exposure.flag, variant: resolution.variant ?? "\(resolution.value)", reason: resolution.reason)
    if counts[key] == nil, counts.count >= Self.maximum {
      key = Key(flag: exposure.flag, variant: Self.other, reason: .unknown)
    }
    counts[key, default: 0] += 1
  }

  /// All counts, by flag, variant and reason.
  var all: [ExposureCount] {
    counts.map { ExposureCount(flag: $0.flag, variant: $0.variant, reason: $0.reason, count: $1) }.sorted {
      ($0.flag.name, $0.variant, $0.reason.rawValue) < ($1.flag.name, $1.variant, $1.reason.rawValue)
    }
  }
}
