import Testing

@testable import FlagMacrosPlugin

@Suite("Expansions")
struct ExpansionTests {
  @Test("A set expands to its flags, what they are read from, and an initializer")
  func set() {
    let source = """
      /// The flags of the feed.
      @FlagSet("feed", "The feed.", owner: "growth", style: KeyStyle(separator: "/"))
      public struct FeedFlags {
        @Flag("Posts on one page.") public var pageSize = 20
        @Flag(key: "feed-ranking", "How posts are ordered.", order: 2) var ranking: Ranking = .popular
        @Flag("A teaser.", computed: { $0["teaser"] == nil ? "none" : nil }) private var teaser: String?
        @FlagGroup("Video posts.") package var video: VideoFlags
        @FlagGroup(key: "") public var old: Self.Old
        func unrelated() {}
      }
      """
    #expect(
      Expanding.members(source).result.expandedSource == """
        public final class Flags: FlagDomain.PlacedFlags {
          public let pageSize: FlagDomain.Flag<Int>
          let ranking: FlagDomain.Flag<Ranking>
          fileprivate let teaser: FlagDomain.Flag<String?>
          package let video: VideoFlags.Flags
          public let old: FeedFlags.Old.Flags
          public let flagCatalog: FlagDomain.FlagCatalog

          public init(at flagPath: FlagDomain.FlagPath, _ flagMetadata: FlagDomain.FlagMetadata? = nil) {
            var flagItems: [FlagDomain.FlagCatalog.Item] = []
            flagItems.reserveCapacity(5)
            self.pageSize = flagPath.flag("pageSize", default: 20, FlagDomain.FlagMetadata("Posts on one page."))
            flagItems.append(.flag(self.pageSize))
            self.ranking = flagPath.flag("ranking", key: "feed-ranking", default: .popular, \
        FlagDomain.FlagMetadata("How posts are ordered.", order: 2))
            flagItems.append(.flag(self.ranking))
            self.teaser = flagPath.flag("teaser", default: nil, FlagDomain.FlagMetadata("A teaser."), \
        computed: { $0["teaser"] == nil ? "none" : nil })
            flagItems.append(.flag(self.teaser))
            self.video = VideoFlags.Flags(at: flagPath.group("video"), FlagDomain.FlagMetadata("Video posts."))
            flagItems.append(.group(self.video.flagCatalog))
            self.old = FeedFlags.Old.Flags(at: flagPath.group("old", key: ""))
            flagItems.append(.group(self.old.flagCatalog))
            flagCatalog = flagPath.catalog(flagMetadata ?? FlagDomain.FlagMetadata("The feed.", owner: "growth"), flagItems)
          }
        }

        public static let flags = Flags(at: FlagDomain.FlagPath("feed", style: KeyStyle(separator: "/")))

        private let flagManager: any FlagDomain.FeatureFlagManager
        private let placedFlags: Flags

        public init(_ manager: any FlagDomain.FeatureFlagManager, flags: Flags) {
          flagManager = manager
          placedFlags = flags
        }
        """)
  }

  @Test(
    "A set conforms to the protocols of sets that its author does not name",
    arguments: [
      ("struct Placeholder: FlagSet, NestableFlagSet {}", "FlagDomain.FlagSet, FlagDomain.NestableFlagSet"),
      ("struct Placeholder: NestableFlagSet {}", "FlagDomain.NestableFlagSet"),
    ])
  func conformance(asked: String, given: String) {
    var set = Expanding.conformance(#"@FlagSet("a", "A.") struct A {}"#)
    set.conformances = asked
    #expect(set.result.expandedSource == "extension FeedFlags: \(given) {}")
  }

  @Test("A set whose author names both protocols gets no extension", arguments: ["", "struct Placeholder {}", nil])
  func noConformance(asked: String?) {
    var set = Expanding.conformance(#"@FlagSet("a", "A.") struct A {}"#)
    set.conformances = asked
    #expect(set.result.expandedSource == "")
  }

  @Test("A flag expands to a reading accessor")
  func accessor() {
    #expect(
      Expanding.accessor("\n  @Flag(\"Posts.\") public var pageSize = 20").result.expandedSource
        == "get { flagManager.variation(for: placedFlags.pageSize) }")
  }

  @Test("A group expands to an accessor that makes its set")
  func group() {
    #expect(
      Expanding.accessor(#"@FlagGroup("Video.") var video: VideoFlags"#).result.expandedSource
        == "get { VideoFlags(flagManager, flags: placedFlags.video) }")
  }

  @Test(
    "The flag itself is seen as far as the property",
    arguments: [
      ("", ""), ("public ", "public "), ("package ", "package "), ("internal ", "internal "),
      ("fileprivate ", "fileprivate "), ("private ", "private "), ("nonisolated public ", "public "),
    ])
  func peer(modifiers: String, access: String) {
    #expect(
      Expanding.peer("@Flag(\"Posts.\") \(modifiers)var `default`: Self.Size = 20").result.expandedSource == """
        \(access)var $default: FlagDomain.BoundFlag<FeedFlags.Size> {
          FlagDomain.BoundFlag(placedFlags.`default`, in: flagManager)
        }
        """)
  }

  @Test(
    "The members are seen as far as the set",
    arguments: [("public", "public "), ("package", "package "), ("", ""), ("fileprivate", ""), ("private", "")])
  func access(modifier: String, access: String) throws {
    let expansion = Expanding.members("@FlagSet(\"a\", \"A.\") \(modifier) struct A {}").result.expandedSource
    let lines = try #require(expansion).split(separator: "\n").map { $0.drop { $0 == " " } }
    for member in ["final class Flags", "let flagCatalog", "static let flags", "init(_ manager", "init(at flagPath"] {
      #expect(lines.contains { $0.hasPrefix(access + member) })
    }
  }

  @Test("Flags stand under the conditions they were written under")
  func conditions() throws {
    let source = """
      @FlagSet("a", "A.") struct A {
        #if DEBUG && (os(Linux) ||
          os(macOS))
        @Flag("B.") var b = true
        #if SWIFT
        @Flag("C.") var c = true
        #endif
        #elseif TEST
        @Flag("D.") var d = true
        #else
        @Flag("E.") var e = true
        #endif
        @Flag("F.") var f = true
      }
      """
    let lines = try #require(Expanding.members(source).result.expandedSource).split(separator: "\n")
    let storage = lines.drop { !$0.contains("#if") }.prefix { !$0.contains("flagCatalog") }
    #expect(
      storage.joined(separator: "\n") == """
          #if (DEBUG && (os(Linux) ||
            os(macOS)))
          let b: FlagDomain.Flag<Bool>
          #endif
          #if (DEBUG && (os(Linux) ||
            os(macOS))) && (SWIFT)
          let c: FlagDomain.Flag<Bool>
          #endif
          #if !(DEBUG && (os(Linux) ||
            os(macOS))) && (TEST)
          let d: FlagDomain.Flag<Bool>
          #endif
          #if !(DEBUG && (os(Linux) ||
            os(macOS))) && !(TEST)
          let e: FlagDomain.Flag<Bool>
          #endif
          let f: FlagDomain.Flag<Bool>
        """)
  }
}
