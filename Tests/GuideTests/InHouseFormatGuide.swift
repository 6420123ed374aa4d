import FlagCLI
import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagReview
import Foundation
import Synchronization
import Testing

@Suite("Guide to the definition format")
struct InHouseFormatGuide {
  private let guide = Guide("Docs/DefinitionFormat.md")

  @Test(
    "The guide's document is valid, and chooses the variants that its rule says", arguments: ["es", "pt", "us", nil])
  func evaluates(country: String?) throws {
    let document = try Data(#require(guide.blocks(of: "jsonc").first).withoutComments.utf8)
    #expect(FlagDocument.diagnostics(in: document) == [])
    let isChosen = country == "es" || country == "pt"
    let user = FlagUser(id: "ana", countryCode: country)
    let answer = try FlagDocument(parsing: document).evaluate(
      "new-user-profile", in: EvaluationContext(user: user), at: 0)
    #expect(answer?.value == .bool(isChosen))
    #expect(answer?.variant == (isChosen ? "on" : "off"))
    #expect(answer?.reason == (isChosen ? .targetingMatch : .default))
    #expect(answer?.metadata == ["owner": "growth", "flagSetId": "app", "version": "7"])
  }

  @Test("A shared rule is used as the guide says", arguments: [["beta"], ["alpha"]])
  func usesSharedRules(segments: [String]) throws {
    let document = try #require(guide.blocks(of: "jsonc").first).withoutComments
      .replacing(#"{ "in": [ { "var": "countryCode" }, ["es", "pt"] ] }"#, with: #"{"$ref": "beta"}"#)
    let answer = try FlagDocument(parsing: Data(document.utf8)).evaluate(
      "new-user-profile", in: EvaluationContext(user: FlagUser(id: "ana", segments: segments)), at: 0)
    #expect(answer?.value == .bool(segments == ["beta"]))
  }

  @Test(
    "A flag gives what the guide's table says",
    arguments: [
      ("`DISABLED`", #""state": "DISABLED", "variants": {"on": "that", "off": "default"}"#),
      ("no targeting", #""variants": {"on": "that", "off": "default"}, "defaultVariant": "off""#),
      (
        "targeting gives null", #""variants": {"off": "default"}, "defaultVariant": "off", "targeting": {"if": [null]}"#
      ),
      ("there is no default variant", #""variants": {"on": "that"}, "targeting": {"if": [null]}"#),
      ("targeting gives a variant's name", #""variants": {"on": "that"}, "targeting": {"if": [true, "on"]}"#),
      ("targeting gives anything else", #""variants": {"on": "that"}, "targeting": {"if": [true, "other"]}"#),
      ("an unknown operator", #""variants": {"on": "that"}, "targeting": {"nonesuch": []}"#),
      ("the variant is not of", #""variants": {"on": 1}, "defaultVariant": "on""#),
    ])
  func gives(situation: String, members: String) throws {
    let state = members.contains("state") ? "" : #""state": "ENABLED", "#
    let definitions = Data("{\"flags\": {\"flag\": {\(state)\(members)}}}".utf8)
    let client = try FeatureFlagClient(catalogs: []) { try InHouseProvider(data: definitions) }
    let resolution = client.inspector.resolution(of: Flag("flag", default: "code", "A flag."))
    let value = ["code": "code default", "default": "default variant's", "that": "that variant's"][resolution.value]
    let facts = ["`\(resolution.reason)`", resolution.error.map { "`\($0.code)`" } ?? "-"]
    let name = resolution.variant == nil ? "-" : "its name"
    let row = guide.text.split(separator: "\n").first { $0.hasPrefix("| \(situation)") }
    #expect(row?.hasSuffix("| \(([value ?? "", name] + facts).joined(separator: ", ")) |") == true, "\(resolution)")
  }

  @Test("Every command line of the guide runs")
  func runsCommands() throws {
    let files = [
      "flags.json":
        #"{"flags": {"feed.page-size": {"state": "ENABLED", "variants": {"a": 20}, "defaultVariant": "a"}}}"#,
      "cases.jsonl": #"{"flagKey": "feed.page-size", "type": "integer", "default": 1, "context": {}}"# + "\n",
    ]
    let lines = try #require(guide.blocks(of: "sh").first).split(separator: "\n")
    #expect(lines.count == 6)
    for line in lines {
      let command = line.split(separator: " #")[0]
      let parts = command.split(separator: "'", omittingEmptySubsequences: false)
      let words = parts.enumerated().flatMap { index, part in
        index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
      }
      let written = Mutex("")
      let terminal = Terminal(
        file: { Data(try #require(files[$0]).utf8) },
        open: { path in
          var pieces = [try #require(files[path ?? ""])].makeIterator()
          return { pieces.next().map { Data($0.utf8) } }
        },
        write: { _ in }, writeError: { text in written.withLock { $0 += text } }, now: { 0 })
      #expect(FlagTool(terminal: terminal).run(Array(words.dropFirst())) == 0, "\(command): \(written.withLock { $0 })")
    }
  }
}

extension String {
  /// The lines of a text without what is behind a double slash.
  fileprivate var withoutComments: String {
    split(separator: "\n").map { $0.replacing(#/ //.*$/#, with: "") }.joined(separator: "\n")
  }
}
