import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import Testing

@Suite("Environments of a console")
struct EnvironmentTests {
  @Test("Each flag has a row with its state, rule and default in every environment, and the parts that differ")
  func compares() throws {
    let list = try Self.environments.list()
    #expect(list.total == 6 && list.matched == 6)
    #expect(list.rows.map(\.key) == ["same", "rule", "off", "shared", "dev-only", "prod-only"])
    let rows = Dictionary(uniqueKeysWithValues: list.rows.map { ($0.key, $0) })
    for definition in rows["same"]?.definitions ?? [nil] {
      #expect(definition?.state == "On" && definition?.defaultVariant == "on" && definition?.rule == nil)
      #expect(definition?.differences == [])
    }
    #expect(rows["same"]?.differs == false && rows["same"]?.summary == "Stays.")
    let rule = try #require(rows["rule"])
    #expect(rule.definitions[0]?.rule == "50 % get on, 50 % get off" && rule.definitions[0]?.differences == [])
    #expect(rule.definitions[1]?.rule == "10 % get on, 90 % get off")
    #expect(rule.definitions[1]?.differences == ["default variant", "rule"] && rule.differs)
    #expect(rows["off"]?.definitions.map { $0?.state } == ["On", "Off for everyone"])
    #expect(rows["off"]?.definitions[1]?.differences == ["state"])
    // The rule is written the same, and uses a shared rule of the same name that is another one.
    #expect(rows["shared"]?.definitions[1]?.differences == ["rule"])
    #expect(rows["shared"]?.definitions.map { $0?.rule } == Self.sharedWords)
    #expect(rows["dev-only"]?.definitions[1] == nil && rows["dev-only"]?.differs == true)
    #expect(rows["prod-only"]?.definitions[0] == nil)
    #expect(rows["prod-only"]?.definitions[1]?.differences == ["only here"])
  }

  private static let sharedWords = [
    "if segments include beta and age is at least 18, then on", "if country is one of es, then on",
  ].map(Optional.some)

  @Test("Words and the filter for differences narrow the list, which has pages")
  func narrows() throws {
    let environments = try Self.environments
    #expect(environments.list(EnvironmentQuery("STAYS")).rows.map(\.key) == ["same"])
    #expect(environments.list(EnvironmentQuery("only prod")).rows.map(\.key) == ["prod-only"])
    let different = environments.list(EnvironmentQuery(onlyDifferent: true, offset: 1, limit: 2))
    #expect(different.rows.map(\.key) == ["off", "shared"] && different.matched == 5 && different.total == 6)
    #expect(environments.list(EnvironmentQuery(offset: 100)).rows.isEmpty)
  }

  @Test("A change in one of them is in the next list, and one without a document is compared as an empty one")
  func follows() async throws {
    let (dev, prod) = (try ConsoleFixture(catalogs: [], document: Self.dev), try InMemoryDefinitionStore())
    let other = try ConsoleFixture(catalogs: [], editor: { _, _ in DefinitionEditor(prod) })
    let environments = try FlagEnvironments([("dev", dev.console), ("prod", other.console)])
    #expect(environments.list().rows.allSatisfy { $0.differs && $0.definitions[1] == nil })
    try await prod.replace(with: Array(Self.dev.utf8), expecting: nil)
    #expect(environments.list().rows.allSatisfy { !$0.differs })
  }

  @Test(
    "Names are parts of addresses, and differ",
    arguments: [
      [""], ["a/b"], ["dev", "dev"], ["environments"], [".."], ["é"], [String(repeating: "a", count: 65)], [],
    ])
  func checksNames(names: [String]) throws {
    let console = try ConsoleFixture().console
    #expect(throws: FlagError.self) { try FlagEnvironments(names.map { ($0, console) }) }
  }

  // MARK: Promoting

  @Test("Promoting replaces the definition or adds it, keeps its lines, and leaves every other byte")
  func promotes() async throws {
    let (environments, fixture) = try Self.prodFixture()
    let promotion = try fixture.editor.promotion(of: "rule", from: environments.all[0], takingRules: false)
    #expect(!promotion.isNew && promotion.missingRules.isEmpty && promotion.differingRules.isEmpty)
    let review = try fixture.editor.review(promotion.change)
    #expect(review.isServable && review.flags.map(\.key) == ["rule"])
    let old = fixture.text
    try await fixture.editor.save(promotion.change)
    let rule = #""defaultVariant": "#
    let mine = #""off", "targeting": {"fractional": [["on", 10], ["off", 90]]}}"#
    let theirs = #""on", "targeting": {"fractional": [["on", 50], ["off", 50]]}}"#
    #expect(fixture.text == old.replacing(rule + mine, with: rule + theirs))
    #expect(environments.list(EnvironmentQuery("rule", onlyDifferent: true)).rows.map(\.key) == [])
    let added = try fixture.editor.promotion(of: "dev-only", from: environments.all[0], takingRules: false)
    #expect(added.isNew)
    try await fixture.editor.save(added.change)
    #expect(fixture.text.contains("\"dev-only\": {\n    \"state\": \"ENABLED\", \"variants\": {\"on\": true}\n  }"))
    #expect(environments.list(EnvironmentQuery("dev-only")).rows[0].differs == false)
  }

  @Test("Shared rules that are missing or differ are named, and promoted only if asked")
  func promotesRules() async throws {
    let (environments, fixture) = try Self.prodFixture()
    let kept = try fixture.editor.promotion(of: "shared", from: environments.all[0], takingRules: false)
    #expect(kept.missingRules == ["deep"] && kept.differingRules == ["beta"])
    // The rule of the same name counts: nothing changes but what the flag itself says, which is the same.
    #expect(try fixture.editor.review(kept.change).isUnchanged)
    let taken = try fixture.editor.promotion(of: "shared", from: environments.all[0], takingRules: true)
    let review = try fixture.editor.review(taken.change)
    #expect(review.isServable && review.flags.map(\.key).contains("shared"))
    try await fixture.editor.save(taken.change)
    #expect(environments.list(EnvironmentQuery("shared")).rows[0].differs == false)
    #expect(fixture.text.contains(#""deep""#))
  }

  @Test("What looks like a reference in a value, where no rule can be, takes no shared rule along")
  func takesRulesOfRules() async throws {
    let dev = try ConsoleFixture(
      catalogs: [],
      document: """
        {"flags": {"a": {"state": "ENABLED", "variants": {"on": {"$ref": "beta"}}, "defaultVariant": "on",
          "targeting": {"if": [{"$ref": "deep"}, "on"]}}},
          "$evaluators": {"beta": {"var": "b"}, "deep": {"var": "d"}}}
        """)
    let prod = try ConsoleFixture(catalogs: [], document: #"{"flags": {}}"#)
    let environments = try FlagEnvironments([("dev", dev.console), ("prod", prod.console)])
    let promotion = try prod.editor.promotion(of: "a", from: environments.all[0], takingRules: true)
    #expect(promotion.missingRules == ["deep"])
    try await prod.editor.save(promotion.change)
    #expect(prod.text.contains(#""deep""#) && !prod.text.contains(#""var": "b""#))
  }

  @Test("A flag that the other environment does not have is no promotion, and a viewer makes none")
  func refuses() async throws {
    let (environments, fixture) = try Self.prodFixture()
    #expect(throws: FlagError.self) {
      try fixture.editor.promotion(of: "prod-only", from: environments.all[0], takingRules: false)
    }
    let vera = FlagConsolePerson("vera", may: .edit, ["prod": .override])
    let viewer = try fixture.console.session(for: vera, in: "prod").existingEditor
    let change = try viewer.promotion(of: "rule", from: environments.all[0], takingRules: false).change
    let old = fixture.text
    await #expect(throws: FlagError.self) { try await viewer.save(change) }
    #expect(fixture.text == old)
  }

  private static var environments: FlagEnvironments {
    get throws { try prodFixture().0 }
  }

  private static func prodFixture() throws -> (FlagEnvironments, ConsoleFixture) {
    let dev = try ConsoleFixture(catalogs: [], document: dev)
    let prod = try ConsoleFixture(catalogs: [], document: prod)
    return (try FlagEnvironments([("dev", dev.console), ("prod", prod.console)]), prod)
  }

  private static let dev = """
    {"metadata": {"flagSetId": "dev"}, "flags": {
      "same": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on",
        "metadata": {"description": "Stays."}},
      "rule": {"state": "ENABLED", "variants": {"on": true, "off": false},
        "defaultVariant": "on", "targeting": {"fractional": [["on", 50], ["off", 50]]}},
      "off": {"state": "ENABLED", "variants": {"on": true}},
      "shared": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "beta"}, "on"]}},
      "dev-only": {
        "state": "ENABLED", "variants": {"on": true}
      }
    }, "$evaluators": {"beta": {"and": [{"in": ["beta", {"var": "segments"}]}, {"$ref": "deep"}]},
      "deep": {">=": [{"var": "age"}, 18]}}}
    """

  private static let prod = """
    {"metadata": {"flagSetId": "prod"}, "flags": {
      "same": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on",
        "metadata": {"description": "Stays."}},
      "rule": {"state": "ENABLED", "variants": {"on": true, "off": false},
        "defaultVariant": "off", "targeting": {"fractional": [["on", 10], ["off", 90]]}},
      "off": {"state": "DISABLED", "variants": {"on": true}},
      "shared": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "beta"}, "on"]}},
      "prod-only": {"state": "ENABLED", "variants": {"on": true}}
    }, "$evaluators": {"beta": {"in": [{"var": "countryCode"}, ["es"]]}}}
    """
}

extension ConsoleFixture {
  fileprivate var text: String { definitions.current.map { String(decoding: $0.text, as: UTF8.self) } ?? "" }
}
