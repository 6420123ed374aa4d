public import FlagDomain
import FlagMacros

enum Ranking: String, CaseIterable, Codable, Sendable {
  case chronological, popular
}

/// The flags of posts with videos.
@FlagSet("video", "Posts with videos.")
public struct VideoFlags {
  @Flag("Plays at once.") var autoPlay = false
  @Flag("The height of the picture.") var quality: UInt16?
}

/// The flags of the feed.
@FlagSet("feed", "The feed.", owner: "growth", presentation: .init(icon: "feed"))
public struct FeedFlags {
  /// How many posts a page holds.
  @Flag(
    "Posts on one page.", order: 3, owner: "feed", expires: "2027-01-31",
    presentation: .init(icon: "page", range: 5...100, step: 5, suggestions: [10], userInfo: ["team": "feed"]))
  public var pageSize = 20
  @Flag(key: "feed-ranking", "How posts are ordered.", displayName: "Order", excludedProviders: ["Firebase"])
  var ranking: Ranking = .chronological
  @Flag("A line over the feed.", requiresRestart: true, isInternal: true, isLocked: true)
  package var teaser: String?
  @Flag(
    "On for one user.",
    computed: { context in
      guard let user = context.user else { return nil }
      return user.id == "42"
    })
  var `default`: Bool = Self.isOn
  /// The flags of the first videos.
  @FlagGroup("The first videos.") public var newVideos: VideoFlags
  @FlagGroup(key: "old", "The other videos.", displayName: "Archive", presentation: .init(groupStyle: .navigation))
  var video: VideoFlags
  @FlagGroup(key: "") private var inPlace: VideoFlags

  static let isOn = false
  var pages: Int { 100 / pageSize }
  var playsInPlace: Bool { inPlace.autoPlay }
}

/// The expansion of the macros for a smaller set, written by hand.
struct HandWrittenFlags: NestableFlagSet {
  final class Flags: _PlacedFlags {
    let autoPlay: Flag<Bool>
    let quality: Flag<UInt16?>
    let flagCatalog: FlagCatalog

    init(at path: _FlagPath) {
      autoPlay = path.flag("autoPlay", default: false, "Plays at once.")
      quality = path.flag("quality", default: nil, "The height of the picture.")
      flagCatalog = path.catalog("Posts with videos.", [.flag(autoPlay), .flag(quality)])
    }
  }

  static let flags = Flags(at: _FlagPath("video"))
  private let manager: any FeatureFlagManager
  private let flags: Flags

  init(_ manager: any FeatureFlagManager, flags: Flags) {
    self.manager = manager
    self.flags = flags
  }

  var autoPlay: Bool { manager.variation(for: flags.autoPlay) }
  var quality: UInt16? { manager.variation(for: flags.quality) }
}

/// Values by key, and the defaults of the rest.
struct FixedFlags: FeatureFlagManager {
  var values: [FlagKey: any Sendable] = [:]

  func variation<F: FeatureFlag>(for flag: F) -> F.Value { values[flag.key] as? F.Value ?? flag.defaultValue }
}

extension FlagCatalog {
  /// The catalog as an outline.
  var outline: [String] {
    [line(name, metadata)]
      + items.flatMap { item in
        switch item {
        case .flag(let flag): ["  " + line("\(flag.key) = \(flag.defaultValue)", flag.metadata)]
        case .group(let group): group.outline.map { "  " + $0 }
        }
      }
  }

  private func line(_ head: String, _ metadata: FlagMetadata) -> String {
    [head, metadata.displayName ?? "-", metadata.path.map(\.text).joined(separator: ">"), metadata.description]
      .joined(separator: " | ")
  }
}
