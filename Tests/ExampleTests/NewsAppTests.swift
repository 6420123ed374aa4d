import FlagDomain
import FlagProviders
import Foundation
import TestSupport
import Testing

@Suite("News app", .timeLimit(.minutes(15)))
struct NewsAppTests {
  private let example = Example(name: "NewsApp")

  @Test("A session shows each screen again when a flag on it changes")
  func followsCommands() async throws {
    let script = """
      in ana es beta
      flags
      override feed.page-size 1
      override feed.ranking 1
      override feed.page-size "many"
      clear feed.page-size
      override new-user-profile false
      clear
      out
      help
      quit
      """
    let run = try await example.run("--flag", "feed.layout={\"columns\": 2, \"showsLikes\": false}", input: script)
    #expect(run.status == 0 && run.errors == "")
    #expect(try run.output == Transcript(name: "NewsApp").text(recording: run.output))
  }

  #if !canImport(SwiftUI)
    @Test("Without SwiftUI a window is refused")
    func refusesWindow() async throws {
      let reason = "NewsApp: a window needs SwiftUI, which this system does not have\n"
      #expect(try await example.run("--window") == Example.Run(output: "", errors: reason, status: 1))
    }
  #endif

  @Test("A visitor keeps the page size while signing in and out, and another visitor may have another one")
  func keepsVisitor() async throws {
    var sizes: Set<String> = []
    for number in 0..<8 {
      let folder = try TemporaryFolder()
      try FileAnonymousIDStore(folder.url.appending(path: "visitor")).store("visitor-\(number)")
      let file = folder.url.appending(path: "visitor").path
      let run = try await example.run("--visitor", file, input: "in ana es\nout\nin bob us\nquit\n")
      let lines = run.output.split(separator: "\n").filter { $0.hasSuffix(" more") }.map(String.init)
      #expect(run.status == 0 && lines.count == 4 && Set(lines).count == 1, "\(run.output)")
      sizes.formUnion(lines)
    }
    #expect(sizes == ["  | 3 more", "  | 1 more"])
  }

  @Test("A definitions file that is edited while the app runs shows at once; a broken one does not")
  func followsFile() async throws {
    try await onThread { [example] in
      let folder = try TemporaryFolder()
      func document(_ pageSize: Int) -> String {
        """
        {"flags": {"feed.page-size": {"state": "ENABLED", "variants": {"v": \(pageSize)}, "defaultVariant": "v"}}}
        """
      }
      let app = try Conversation(with: example, "--flags", folder.file("flags.json", document(1)))
      #expect(app.lines { $0.contains("more") }.last == "  | 4 more")
      _ = try folder.file("flags.json", document(3))
      #expect(app.lines { $0.contains("more") }.last == "  | 2 more")
      _ = try folder.file("flags.json", "{")
      #expect(app.lines { $0.hasPrefix("!") }.last?.contains("1:2") == true)
      _ = try folder.file("flags.json", document(4))
      #expect(app.lines { $0.contains("more") }.last == "  | 1 more")
      try app.say("quit")
      #expect(try app.end() == 0)
    }
  }

  @Test("An app that is killed at any point leaves the overrides before or after a change, whole, always")
  func survivesKills() async throws {
    try await onThread { [example] in
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "overrides.json")
      for round in 0..<Effort.rounds(25, long: 200) {
        let app = try Conversation(with: example, "--overrides", file.path)
        for size in 1...3 { try app.say("override feed.page-size \(size)") }
        for _ in 0...(round * 7 % 25) { _ = app.nextLine() }
        app.kill()
        let stored = try FileOverrideStore(file).load()
        #expect(stored.isEmpty || [1, 2, 3].contains(stored["feed.page-size"]))
      }
      try FileOverrideStore(file).write(["feed.page-size": 4])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["overrides.json"])
    }
  }

  @Test("Two apps that write to one file of overrides at the same time lose none of them")
  func sharesOverrides() async throws {
    try await onThread { [example] in
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "overrides.json")
      let apps = try (0..<2).map { _ in try Conversation(with: example, "--overrides", file.path) }
      for size in 1...100 {
        try apps[0].say("override feed.page-size \(size)")
        try apps[1].say("override new-user-profile \(size.isMultiple(of: 2))")
      }
      for app in apps {
        try app.say("quit")
        while app.nextLine() != nil {}
        #expect(try app.end() == 0)
      }
      #expect(try FileOverrideStore(file).load() == ["feed.page-size": 100, "new-user-profile": true])
    }
  }
}
