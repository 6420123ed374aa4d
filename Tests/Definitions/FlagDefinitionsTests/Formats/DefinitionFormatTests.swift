import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import Foundation
import TestSupport
import Testing

@Suite("Formats of definitions")
struct DefinitionFormatTests {
  @Test("The in-house format meets the contract of every format", arguments: Bucketing.allCases)
  func inHouse(bucketing: Bucketing) throws {
    var contract = DefinitionFormatContract(.inHouse(bucketing: bucketing), document: Self.document, unreadable: "{")
    contract.contexts = Self.contexts
    try contract.check()
  }

  @Test("So does one that is not JSON")
  func lines() throws {
    let text = "fixed = on\nshort = on until 100\nlong = off until 200\nspain = on for es\nbroken = perhaps\n"
    var contract = DefinitionFormatContract(LineFormat(), document: text, unreadable: "fixed = on\nnothing")
    contract.contexts = Self.contexts
    try contract.check()
  }

  @Test("A flag's attributes are those that its rule reads, through shared rules, without the flag's key and the time")
  func attributes() throws {
    let document = try StoredDefinitions(parsing: Array(Self.document.utf8)).document
    #expect(document.attributes(of: "ruled") == ["countryCode", "device.model", "targetingKey"])
    #expect(document.attributes(of: "timed") == [])
    #expect(document.attributes(of: "fixed") == [])
  }

  @Test("Documents of two formats, and of one that merges none, are not merged, and the message says so")
  func refusesMerging() throws {
    let json = try StoredDefinitions(parsing: Array(Self.document.utf8))
    let lines = try StoredDefinitions(parsing: Array("a = on".utf8), format: LineFormat())
    let mixed = #expect(throws: FlagDocumentError.self) { try StoredDefinitions(merging: [json, lines]) }
    #expect(
      mixed?.diagnostics.map(\.message) == ["expected definitions in the in-house format, found the format lines"])
    let several = #expect(throws: FlagDocumentError.self) { try StoredDefinitions(merging: [lines, lines]) }
    #expect(
      several?.diagnostics.map(\.message) == ["expected one document, since the format lines merges none; found 2"])

    let store = MergedDefinitionStore([try InMemoryDefinitionStore("a = on", format: LineFormat())])
    #expect(store.current?.document.keys == ["a"])
  }

  @Test("Definitions that change their format have all changed")
  func changesFormat() throws {
    let json = try StoredDefinitions(parsing: Array(Self.document.utf8)).document
    let lines = try StoredDefinitions(parsing: Array("fixed = on\nother = off".utf8), format: LineFormat()).document
    #expect(json.changedKeys(from: lines) == ["fixed", "ruled", "timed", "broken", "other"])
  }

  private static let contexts = [
    EvaluationContext(), EvaluationContext(user: FlagUser(id: "ana", countryCode: "es")),
  ]

  private static let document = """
    {"flags": {
      "fixed": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"},
      "ruled": {"state": "ENABLED", "variants": {"on": 1, "off": 2.5}, "defaultVariant": "off",
        "targeting": {"if": [{"and": [{"$ref": "spain"}, {"==": [{"var": "$flagd.flagKey"}, "ruled"]}]}, "on",
          {"fractional": [{"var": "targetingKey"}, ["on", 1], ["off", 1]]}]}},
      "timed": {"state": "ENABLED", "variants": {"on": "x", "off": "y"}, "defaultVariant": "off",
        "targeting": {"if": [{"<": [100, {"var": "$flagd.timestamp"}, 200]}, "on"]}},
      "broken": {"state": "perhaps"}
    }, "$evaluators": {"spain": {"or": [{"in": [{"var": "countryCode"}, ["es"]]}, {"var": ["device.model", 1]}]}}}
    """
}
