import Foundation
import TestSupport
import Testing

@Suite("flagctl references")
struct ReferencesTests {
  @Test("Flags are found by name, by macro and by hand, in texts for people and for pull requests")
  func readsNames() throws {
    let folder = try SourceFixture(Self.sources)
    defer { folder.remove() }
    let words = ["references", "--source", folder.source, "--today=2026-06-01"]
    let run = folder.run(words)
    #expect(run.errors.isEmpty && run.exitCode == 1)
    #expect(run.output.replacing(folder.source, with: "Sources") == Self.text)
    #expect(folder.run(words + ["--summary"]).output.replacing(folder.source, with: "Sources") == Self.summary)
  }

  @Test("Several folders are searched as one, and a file that is in two of them once")
  func readsFolders() throws {
    let folders = try [SourceFixture(Self.sources.filter { $0.key == "Use.swift" }), SourceFixture(Self.sources)]
    defer { for folder in folders { folder.remove() } }
    let sources = [folders[0].source, folders[1].source, folders[1].source + "/"].flatMap { ["--source", $0] }
    let run = folders[1].run(["references", "--today=2026-06-01"] + sources, reading: folders)
    #expect(run.output.hasPrefix("feed.page-size: may be read in 4 places\n"), "\(run)")
  }

  @Test("Code in a description and names in back-ticks are read as the compiler reads them")
  func readsWords() throws {
    let folder = try SourceFixture([
      "Flags.swift": #"""
      @FlagSet("a", "A.") struct AFlags {
        @Flag("Up to \(limit) (or so).", expires: "2026-01-31") var `default` = 1
      }
      func use(_ flags: AFlags) -> String { "\(flags.default) \(flags.$default)" }

      """#
    ])
    defer { folder.remove() }
    let run = folder.run(["references", "--source", folder.source, "--today=2026-01-01"])
    #expect(
      run.output.replacing(folder.source, with: "Sources") == """
        a.default: may be read in 2 places; expires on 2026-01-31
          declared: Sources/Flags.swift:2:63
          may be read: Sources/Flags.swift:4:48
          may be read: Sources/Flags.swift:4:65
        1 flag: 0 that nothing reads, 0 that expired and may still be read.

        """)
  }

  @Test("A catalog says which flags are looked for: by key, by the end of the key, or by the key in quotes")
  func readsCatalog() throws {
    let folder = try SourceFixture([
      "A.swift": """
      @FlagSet(style: KeyStyle(prefix: "app", separator: "/", transform: .snakeCase)) struct Flags {
        @Flag("One.") var newTitle = 1
      }
      let other = Flag("not-wanted", default: 1)
      func use(_ flags: Flags) { print(flags.newTitle, FlagKey("by_text")) }
      """
    ])
    defer { folder.remove() }
    let entry = #"{"flagType": "integer", "defaultValue": 1}"#
    let catalog = """
      {"flags": {"app/new_title": \(entry), "by_text": \(entry), "gone":
        {"flagType": "integer", "defaultValue": 1, "expires": "2026-01-31", "owner": "me"}}}
      """
    let words = ["references", "--source", folder.source, "--catalog=catalog", "--today=2026-06-01"]
    let run = folder.run(words + ["--json"], files: ["catalog": catalog])
    let place = #""column":40,"file":"\#(folder.source)/A.swift","#
    #expect(
      run.output == """
        {"flags":[{"declaration":{"column":21,"file":"\(folder.source)/A.swift","line":2},"expires":null,"isExpired":\
        false,"isUnread":false,"keys":["app/new_title"],"name":"Flags.newTitle","owner":null,"reads":[{\(place)\
        "line":5}]},{"declaration":null,"expires":null,"isExpired":false,"isUnread":false,"keys":\
        ["by_text"],"name":null,"owner":null,"reads":[{"column":58,"file":"\(folder.source)/A.swift","line":5}]},{\
        "declaration":null,"expires":"2026-01-31","isExpired":true,"isUnread":true,"keys":["gone"],"name":null,"owner":\
        "me","reads":[]}],"source":"\(folder.source)","sources":["\(folder.source)"],"version":1}

        """)
    #expect(run.exitCode == 1)
  }

  @Test(
    "An unusable input is an error that names it",
    arguments: [
      (["--source=/nonesuch"], "flagctl: /nonesuch: the folder cannot be read: No such file or directory\n", 1),
      (["--source=.", "--catalog=none"], "flagctl: none: cannot be read: no such file\n", 1),
      ([], "flagctl: --source DIR is missing; see flagctl references --help\n", 64),
      (["--source=.", "more"], "flagctl: unknown argument more; see flagctl references --help\n", 64),
    ] as [([String], String, Int32)])
  func refuses(words: [String], message: String, exitCode: Int32) throws {
    let folder = try SourceFixture([:])
    defer { folder.remove() }
    let words = words.map { $0.replacing("--source=.", with: "--source=\(folder.source)") }
    let run = folder.run(["references"] + words)
    #expect(run.exitCode == exitCode && run.output.isEmpty && run.errors.hasPrefix(message), "\(run.errors)")
  }

  private static let sources = [
    "Flags.swift": """
    import FlagDomain
    import FlagMacros

    @FlagSet("feed", "The feed.") struct FeedFlags {
      @Flag("Posts.") var pageSize = 20
      @Flag("A line.", owner: "growth", expires: "2026-01-31") var teaser: String?
      @FlagGroup("Video.") var video: VideoFlags
    }
    @FlagSet("video", "Videos.") struct VideoFlags {
      @Flag("Plays.") var autoplay = false
      @Flag("Nobody reads it.") var unread = false
    }
    struct ByHand {
      static let profile = Flag("new-profile", default: false, "Shows it.")
      static let handedOn = Flag("handed-on", default: false, "Nobody reads the property.")
      static let catalog = FlagCatalog("hand", "By hand.") {
        profile
        handedOn
      }
      let manager: any FeatureFlagManager
      var profile: Bool { manager.variation(for: Self.profile) }
      var handedOn: Bool { manager.variation(for: Self.handedOn) }
    }

    """,
    "Use.swift": #"""
    import FlagDomain
    func use(_ flags: FeedFlags, _ hand: ByHand) -> [Any] {
      let size = flags.pageSize // flags.teaser
      let line = "\(FeedFlags.flags.teaser.key), not flags.unread"
      let path = \FeedFlags.pageSize
      return [size, line, path, flags.video.$autoplay, hand.profile]
    }

    """#,
  ]

  private static let text = """
    feed.page-size: may be read in 2 places
      declared: Sources/Flags.swift:5:23
      may be read: Sources/Use.swift:3:20
      may be read: Sources/Use.swift:5:25
    feed.teaser: may be read in 1 place; expired on 2026-01-31, owner growth
      declared: Sources/Flags.swift:6:64
      may be read: Sources/Use.swift:4:33
    handed-on: nothing reads it
      declared: Sources/Flags.swift:15:14
    new-profile: may be read in 1 place
      declared: Sources/Flags.swift:14:14
      may be read: Sources/Use.swift:6:57
    video.autoplay, feed.video.autoplay: may be read in 1 place
      declared: Sources/Flags.swift:10:23
      may be read: Sources/Use.swift:6:41
    video.unread, feed.video.unread: nothing reads it
      declared: Sources/Flags.swift:11:33
    6 flags: 2 that nothing reads, 1 that expired and may still be read.

    """

  private static let summary = """
    ### Feature flags

    6 flags: 2 that nothing reads, 1 that expired and may still be read.

    | flag | | where |
    |---|---|---|
    | `handed-on` | nothing reads it | `Sources/Flags.swift:15` |
    | `video.unread, feed.video.unread` | nothing reads it | `Sources/Flags.swift:11` |
    | `feed.teaser` | expired, may still be read (2026-01-31, growth) | `Sources/Use.swift:4` |

    """
}
