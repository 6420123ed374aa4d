import FeedFlags
import FlagCLI
import FlagDefinitions
import FlagDomain
import FlagReview
import Foundation
import SettingsFlags
import Synchronization
import Testing

@Suite("Guide to reviewing definitions")
struct ReviewingDefinitionsGuide {
  private static func document(_ weight: Int) -> String {
    """
    {"flags": {"checkout": {"state": "ENABLED", "variants": {"on": true, "off": false}, "targeting": {
      "fractional": [["on", \(weight)], ["off", \(8 - weight)]]}}}}
    """
  }

  @Test("What the guide shows holds")
  func holds() throws {
    let old = try StoredDefinitions(parsing: Array(Self.document(1).utf8))
    let new = try StoredDefinitions(parsing: Array(Self.document(2).utf8))
    let now: Int64 = 0
    let users: [[String: FlagValue]] = [["countryCode": "es"]]
    let lines = Mutex<[String]>([])
    func print(_ items: Any...) { lines.withLock { $0.append("\(items[0]) \(items[1])") } }

    let comparison = try DefinitionComparison(from: old, to: new)
    for key in comparison.changedKeys {
      let effect = comparison.effect(of: key, on: Audience(users: users), at: now)
      print(key, effect.share, effect.moves)
    }
    #expect(lines.withLock { $0 } == ["checkout 0.125"])

    let catalog = try FlagCatalog.manifest(of: [SettingsFlags.catalog, FeedFlags.catalog])
    let keys = (SettingsFlags.catalog.flags + FeedFlags.catalog.flags).map { "\($0.key)" }
    #expect(try FlagManifest(parsing: Array(catalog.utf8)).entries.map(\.key) == keys.sorted())
  }

  @Test("Every command line of the guide runs")
  func runsCommands() throws {
    let manifest = #"{"flags": {"checkout": {"flagType": "boolean", "defaultValue": false}}}"#
    let files = [
      "old.json": Self.document(1), "new.json": Self.document(2), "/dev/stdin": Self.document(1),
      "flags.json": Self.document(2), "users.jsonl": #"{"countryCode": "es"}"#, "catalog.json": manifest,
      "more-flags.json": #"{"flags": {}}"#,
    ]
    let lines = Guide("Docs/DefinitionFormat.md").blocks(of: "sh").dropFirst().flatMap { $0.split(separator: "\n") }
    #expect(lines.count == 7)
    for line in lines {
      let command = (line.split(separator: " #")[0].split(separator: "| ").last ?? "").split(separator: " ")
      let terminal = Terminal(
        file: { Data(try #require(files[$0]).utf8) }, open: { _ in { nil } }, write: { _ in }, writeError: { _ in },
        now: { 0 })
      let exitCode = FlagTool(terminal: terminal).run(command.dropFirst().map(String.init))
      #expect(exitCode == (command[1] == "diff" ? 2 : 0), "\(line)")
    }
  }
}
