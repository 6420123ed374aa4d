import FlagCLI
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("flagctl list, get, set and clear", .timeLimit(.minutes(15)))
struct FlagCommandTests {
  @Test("Flags are listed as a table, those of some words alone, for a user")
  func lists() async throws {
    let tool = try ToolFolder()
    #expect(
      try await tool.run("list")
        == .init(
          """
          KEY        VALUE  SOURCE    REASON
          page-size  20     document  STATIC
          feed.beta  off    document  DEFAULT

          """, 0
        ))
    #expect(
      try await tool.run("list", "BETA", "--user", #"{"targetingKey": "a", "segments": ["beta"]}"#)
        == .init(
          """
          KEY        VALUE  SOURCE    REASON
          feed.beta  on     document  TARGETING_MATCH

          """, 0
        ))
  }

  @Test(
    "Flags of some providers and of a group are listed, and what there is not is said with what there is",
    arguments: [
      (["--provider", "document", "--provider=document"], ["page-size", "feed.beta"], nil),
      (["--group", "feed"], ["feed.beta"], nil), (["page", "--group=feed"], [], nil),
      (["--provider", "document", "--provider", "x"], [], "flagctl: --provider is one of document, found x\n"),
      (["--group", "gone"], [], "flagctl: --group is one of f.json, feed, or one in these, found gone\n"),
    ] as [([String], [String], String?)])
  func narrows(words: [String], keys: [String], error: String?) async throws {
    let run = try await ToolFolder().run(["list"] + words)
    if let error {
      #expect(run == .init(error, 64))
    } else {
      #expect(run.status == 0)
      let rows = run.output.split(separator: "\n").dropFirst()
      let found = rows.map { row in String(row.prefix { $0 != " " }) }
      #expect(found == keys)
    }
  }

  @Test("A flag's value is JSON on a line, and with --json all that is known of it, in version 1")
  func gets() async throws {
    let tool = try ToolFolder()
    #expect(try await tool.run("get", "page-size") == .init("20\n", 0))
    #expect(
      try await tool.run("get", "feed.beta", "--json")
        == .init(
          #"{"flags":[{"default":false,"errors":[],"groups":["feed"],"isOverridden":false,"isWaitingForRestart":false,"#
            + #""key":"feed.beta","provider":"document","reason":"DEFAULT","title":"beta","value":false,"variant":"off"}],"#
            + #""version":1}"# + "\n", 0
        ))
    #expect(try await tool.run("get", "gone") == .init("flagctl: gone: the document has no such flag\n", 1))
  }

  @Test("An override is set, stored and cleared; what a flag cannot be is refused, and nothing is changed")
  func sets() async throws {
    let tool = try ToolFolder()
    let stored = ["--overrides", "o.json"]
    #expect(
      try await tool.run(["set", "page-size", "50"] + stored)
        == .init(
          """
          KEY        VALUE  SOURCE    REASON
          page-size  50     override  OVERRIDE

          """, 0
        ))
    #expect(
      try await tool.run(["set", "page-size", "many"] + stored)
        == .init(
          "flagctl: page-size: expected a whole number, found “many”\n", 1
        ))
    #expect(try await tool.run(["get", "page-size"] + stored) == .init("50\n", 0))
    #expect(try await tool.run(["clear", "page-size"] + stored).status == 0)
    #expect(try await tool.run(["get", "page-size"] + stored) == .init("20\n", 0))
    #expect(try await tool.run(["set", "feed.beta", "true"] + stored).status == 0)
    #expect(try await tool.run(["set", "page-size", "-1"] + stored).status == 0)
    #expect(try await tool.run(["get", "page-size"] + stored) == .init("-1\n", 0))
    #expect(
      try await tool.run(["clear"] + stored)
        == .init("flagctl: a FLAG, or --all, is missing; see flagctl clear --help\n", 64))
    #expect(try await tool.run(["clear", "--all"] + stored) == .init("2 overrides are cleared\n", 0))
    #expect(try tool.text(of: "o.json") == "{}\n")
  }

  @Test("The fields of a user may be empty")
  func resolvesForEmptyFields() async throws {
    let user = #"{"targetingKey": "", "countryCode": "", "segments": [""]}"#
    #expect(try await ToolFolder().run("get", "feed.beta", "--user", user) == .init("false\n", 0))
  }

  @Test("A flag that changes is written again")
  func watches() async throws {
    let tool = try ToolFolder()
    let (lines, feed) = AsyncStream.makeStream(of: String.self)
    let stop = DispatchSemaphore(value: 0)
    let terminal = tool.terminal(write: { feed.yield($0) }, waitForStop: { stop.wait() })
    let words = tool.words(["list", "page", "--watch"])
    let ended = Task { try await onThread { FlagTool(terminal: terminal).run(words) } }
    var iterator = lines.makeAsyncIterator()
    #expect(await iterator.next() == "page-size = 20 (document)\n")
    try tool.write("f.json", ToolFolder.document.replacing(#""small": 20"#, with: #""small": 30"#))
    #expect(await iterator.next() == "page-size = 30 (document)\n")
    stop.signal()
    #expect(try await ended.value == 0)
  }
}

/// The output and the exit code of the tool.
struct Run: Equatable {
  let output: String
  let status: Int32

  init(_ output: String, _ status: Int32) {
    self.output = output
    self.status = status
  }
}

/// A folder with a document, in which the tool runs.
final class ToolFolder: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "console-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("f.json", Self.document)
  }

  deinit {
    // It is in the system's folder for what is temporary: what cannot be removed does no harm.
    do { try FileManager.default.removeItem(at: folder) } catch {}
  }

  static let document = """
    {"flags": {
      "page-size": {"state": "ENABLED", "variants": {"small": 20}, "defaultVariant": "small"},
      "feed.beta": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                    "targeting": {"if": [{"in": ["beta", {"var": "segments"}]}, "on"]}}
    }}
    """
}

extension ToolFolder {
  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
  }

  func text(of name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

  /// The words of a command line, with the document, and files in the folder.
  func words(_ words: [String]) -> [String] {
    (words + ["--flags", "f.json"]).map { $0.hasSuffix(".json") ? folder.appending(path: $0).path : $0 }
  }

  func terminal(
    write: @escaping @Sendable (String) -> Void, waitForStop: @escaping @Sendable () -> Void = {}
  ) -> Terminal {
    Terminal(
      file: { try Data(contentsOf: URL(filePath: $0)) }, open: { _ in { nil } }, write: write, writeError: write,
      now: { 1_800_000_000 }, waitForStop: waitForStop)
  }

  func run(_ words: String...) async throws -> Run { try await run(words) }

  /// Runs the tool, and returns all that it wrote.
  func run(_ words: [String]) async throws -> Run {
    let output = Mutex("")
    let terminal = terminal { text in output.withLock { $0 += text } }
    let status = FlagTool(terminal: terminal).run(self.words(words))
    return Run(output.withLock { $0 }, status)
  }
}
