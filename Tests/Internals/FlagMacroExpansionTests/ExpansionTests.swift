import Testing

@testable import FlagMacroExpansion

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
        public final class Flags: FlagDomain._PlacedFlags {
          @available(*, unavailable, message: "the flag 'ranking' has the same key wherever FeedFlags is, \
        so a set can hold FeedFlags only once")
          public typealias SecondPlace = Void
          public let flagCatalog: FlagDomain.FlagCatalog
          private let _flagStorage0: _FlagStorage0
          private final class _FlagStorage0: Sendable {
            let pageSize: _Flag_pageSize
            let ranking: _Flag_ranking
            let teaser: _Flag_teaser
            let video: _Group_video.Flags
            let old: _Group_old.Flags
            init(_ flagCollector: inout FlagDomain._FlagCollector) {
              self.pageSize = flagCollector.flag("pageSize", default: 20, "Posts on one page.") as _Flag_pageSize
              self.ranking = flagCollector.flag("ranking", key: "feed-ranking", default: .popular, \
        metadata: FlagDomain.FlagMetadata("How posts are ordered.", order: 2)) as _Flag_ranking
              self.teaser = flagCollector.flag("teaser", default: nil, \
        metadata: FlagDomain.FlagMetadata("A teaser."), computed: { $0["teaser"] == nil ? "none" : nil }) as _Flag_teaser
              self.video = flagCollector.group(_Group_video.Flags(at: flagCollector.path.group("video"), \
        FlagDomain.FlagMetadata("Video posts.")))
              self.old = flagCollector.group(_Group_old.Flags(at: flagCollector.path.group("old", key: "")))
            }
          }
          public typealias _Flag_pageSize = FlagDomain.Flag<Int>
          /// Posts on one page.
          public var pageSize: _Flag_pageSize { _flagStorage0.pageSize }
          typealias _Flag_ranking = FlagDomain.Flag<Ranking>
          /// How posts are ordered.
          var ranking: _Flag_ranking { _flagStorage0.ranking }
          fileprivate typealias _Flag_teaser = FlagDomain.Flag<String?>
          /// A teaser.
          fileprivate var teaser: _Flag_teaser { _flagStorage0.teaser }
          package typealias _Group_video = FlagDomain._FlagGroupType<VideoFlags>
          /// Video posts.
          package var video: _Group_video.Flags { _flagStorage0.video }
          public typealias _Group_old = FlagDomain._FlagGroupType<FeedFlags.Old>
          public var old: _Group_old.Flags { _flagStorage0.old }

          public init(at flagPath: FlagDomain._FlagPath, _ flagMetadata: FlagDomain.FlagMetadata? = nil) {
            var flagCollector = FlagDomain._FlagCollector(
              at: flagPath, FlagDomain.FlagMetadata("The feed.", owner: "growth"), as: flagMetadata)
            _flagStorage0 = _FlagStorage0(&flagCollector)
            flagCatalog = flagCollector.catalog
          }
        }

        public static let flags = Flags(at: FlagDomain._FlagPath("feed", style: KeyStyle(separator: "/")))

        private let _flagManager: any FlagDomain.FeatureFlagManager
        private let _placedFlags: Flags

        public init(_ manager: any FlagDomain.FeatureFlagManager, flags: Flags) {
          _flagManager = manager
          _placedFlags = flags
        }

        /// Posts on one page.
        public var $pageSize: Flags._Flag_pageSize.Bound \
        { FlagDomain.BoundFlag(_placedFlags.pageSize, in: _flagManager) }
        /// How posts are ordered.
        var $ranking: Flags._Flag_ranking.Bound { FlagDomain.BoundFlag(_placedFlags.ranking, in: _flagManager) }
        /// A teaser.
        private var $teaser: Flags._Flag_teaser.Bound { FlagDomain.BoundFlag(_placedFlags.teaser, in: _flagManager) }
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

  @Test(
    "A type that has a value which says nothing needs no default",
    arguments: [("Bool", "false"), ("String", #""""#), ("Int?", "nil"), ("Optional<Bool>", "nil")])
  func impliedDefault(type: String, value: String) throws {
    let expansion = Expanding.members("@FlagSet(\"a\", \"A.\") struct A {\n  @Flag(\"B.\") var b: \(type)\n}").result
    #expect(try #require(expansion.expandedSource).contains(#"flagCollector.flag("b", default: \#(value), "#))
  }

  @Test("A flag expands to a reading accessor")
  func accessor() {
    #expect(
      Expanding.accessor("\n  @Flag(\"Posts.\") public var pageSize = 20").result.expandedSource
        == "get { _flagManager.variation(for: _placedFlags.pageSize) }")
  }

  @Test("A group expands to an accessor that makes its set")
  func group() {
    #expect(
      Expanding.accessor(#"@FlagGroup("Video.") var video: VideoFlags"#).result.expandedSource
        == "get { Flags._Group_video(_flagManager, flags: _placedFlags.video) }")
  }

  @Test(
    "The flag itself is seen as far as the property",
    arguments: [
      ("", ""), ("public ", "public "), ("package ", "package "), ("internal ", "internal "),
      ("fileprivate ", "fileprivate "), ("private ", "private "), ("nonisolated public ", "public "),
    ])
  func boundFlag(modifiers: String, access: String) throws {
    let set = "@FlagSet(\"a\", \"A.\") struct A {\n  @Flag(\"Posts.\") \(modifiers)var `default`: Self.Size = 20\n}"
    let expansion = try #require(Expanding.members(set).result.expandedSource)
    #expect(
      expansion.hasSuffix(
        """

        \(access)var $default: Flags._Flag_default.Bound \
        { FlagDomain.BoundFlag(_placedFlags.`default`, in: _flagManager) }
        """))
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

  @Test("Flags are under the conditions they were written under")
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
    let storage = lines.drop { !$0.contains("#if") }.prefix { !$0.contains("init(at") }
      .filter { line in ["  #", "    os(macOS)", "    let "].contains(where: line.hasPrefix) && !line.contains("=") }
    #expect(
      storage.joined(separator: "\n") == """
          #if (DEBUG && (os(Linux) ||
            os(macOS)))
            let b: _Flag_b
          #endif
          #if (DEBUG && (os(Linux) ||
            os(macOS))) && (SWIFT)
            let c: _Flag_c
          #endif
          #if !(DEBUG && (os(Linux) ||
            os(macOS))) && (TEST)
            let d: _Flag_d
          #endif
          #if !(DEBUG && (os(Linux) ||
            os(macOS))) && !(TEST)
            let e: _Flag_e
          #endif
            let f: _Flag_f
        """)
  }
}

@Suite("Parts of a set")
struct PartTests {
  @Test("A long set is stored in parts, so that the compiler checks each in little time")
  func long() throws {
    let flags = (0..<120).map { "  @Flag(\"A.\") var f\($0) = \($0)" }.joined(separator: "\n")
    let expansion = try #require(
      Expanding.members("@FlagSet(\"a\", \"A.\") struct A {\n\(flags)\n}").result.expandedSource)
    #expect(expansion.matches(of: /private final class _FlagStorage\d/).count == 8)
    #expect(expansion.contains("var f119: _Flag_f119 { _flagStorage7.f119 }"))
  }

  @Test("Only the second group of a type asks whether its keys depend on the place")
  func repeated() throws {
    let source = """
      @FlagSet("a", "A.") struct A {
        @FlagGroup("B.") var first: B
        @FlagGroup("B.") var second: B
        @FlagGroup("C.") var other: C
        #if X
        @FlagGroup("C.") var conditional: C
        #endif
      }
      """
    let expansion = try #require(Expanding.members(source).result.expandedSource)
    #expect(
      expansion.contains(
        """
              let _: _Group_second.Flags.SecondPlace = ()
              self.second = flagCollector.group(_Group_second.Flags(at: flagCollector.path.group("second"), \
        FlagDomain.FlagMetadata("B.")))
        """))
    #expect(expansion.matches(of: /SecondPlace/).count == 1)
  }

  @Test("A set with storage of its own has an initializer that is never run")
  func storage() throws {
    let expansion = try #require(
      Expanding.members("@FlagSet(\"a\", \"A.\") struct A {\n  let x: Int\n}").result.expandedSource)
    #expect(expansion.contains("flags: Flags) {\n  fatalError()\n}"))
  }
}
