import FeedFlags
import FlagDomain
import FlagTesting
import Testing

@Suite("Feed")
struct FeedModelTests {
  private let posts = [Post("a", likes: 1), Post("b", likes: 3), Post("c", likes: 2)]

  private func screen(_ set: (TestFlags) -> Void) -> [String] {
    FeedModel(posts: posts, flags: TestFlags { set($0) }).screen
  }

  @Test("Posts are in the order of each ranking", arguments: FeedFlags.flags.ranking.cases)
  func ranking(flag: FlagCase<Ranking>) {
    let lines =
      switch flag.value {
      case .chronological: ["a (1)", "b (3)", "c (2)"]
      case .popular: ["b (3)", "c (2)", "a (1)"]
      }
    #expect(screen { flag.apply(to: $0) } == ["Feed"] + lines)
  }

  @Test(
    "A page has as many posts as its flag says, and says how many are left",
    arguments: [(1, ["a (1)", "2 more"]), (3, ["a (1)", "b (3)", "c (2)"]), (-1, ["3 more"])])
  func pageSize(size: Int, lines: [String]) {
    #expect(screen { $0.set(FeedFlags.flags.pageSize, to: size) } == ["Feed"] + lines)
  }

  @Test(
    "Posts are laid out as the flag says",
    arguments: [
      (FeedLayout(columns: 2), ["a (1) | b (3)", "c (2)"]),
      (FeedLayout(columns: 0, showsLikes: false), ["a", "b", "c"]),
    ])
  func layout(layout: FeedLayout, lines: [String]) {
    #expect(screen { $0.set(FeedFlags.flags.layout, to: layout) } == ["Feed"] + lines)
  }

  @Test("A trait sets a flag for code in its scope", .flags { $0.set(FeedFlags.flags.pageSize, to: 1) })
  func scoped() {
    #expect(FeedModel(posts: posts, flags: ScopedFlags()).screen == ["Feed", "a (1)", "2 more"])
  }

  @Test("Opening a post tracks that it was read")
  func tracksReading() {
    let conversions = RecordedConversions()
    #expect(PostModel(posts[0], conversions: conversions).open() == "a")
    #expect(conversions.names == ["read"])
  }
}

/// What a module tracked.
private final class RecordedConversions: ConversionTracker {
  private let state = Locked<[String]>([])
  var names: [String] { state.withLock { $0 } }

  func track(_ name: String, value: Double?, attributes: [String: FlagValue]) { state.withLock { $0.append(name) } }
}
