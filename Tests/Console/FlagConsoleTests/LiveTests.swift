import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import Testing

@Suite("What a flag gives everyone")
struct LiveTests {
  @Test("A row says what everyone gets, and by which rule", arguments: Self.definitions)
  func tells(definition: String, everyone: String, reach: FlagReach?, rule: String?) throws {
    let row = try #require(try Self.fixture(definition).console.list().rows.first)
    #expect(row.everyone == everyone && row.reach == reach && row.definition?.rule == rule)
    #expect(row.definition?.isScheduled == false)
  }

  private static let definitions: [(String, String, FlagReach?, String?)] = [
    (#""state": "ENABLED", "variants": {"a": true}, "defaultVariant": "a""#, "On for everyone", .on, nil),
    (#""state": "ENABLED", "variants": {"a": false}, "defaultVariant": "a""#, "Off for everyone", .off, nil),
    (#""state": "ENABLED", "variants": {"a": 20}, "defaultVariant": "a""#, "20 for everyone", .on, nil),
    (#""state": "DISABLED", "variants": {"a": true}, "defaultVariant": "a""#, "Off for everyone", .off, nil),
    (#""state": "ENABLED", "variants": {"a": true}"#, "The code's default for everyone", .off, nil),
    (
      #""state": "ENABLED", "variants": {"a": true, "b": false}, "targeting": {"fractional": [["a", 10], ["b", 90]]}"#,
      "Partly", .partly, "10 % get a, 90 % get b"
    ),
    (#""state": "WHAT", "variants": {"a": true}"#, "Off", .off, nil),
  ]

  @Test("A rollout with times says its place, what comes next, and what all others get", arguments: Self.rollouts)
  func placesRollouts(
    schedule: RolloutSchedule, others: String, everyone: String, reach: FlagReach, rule: String, isScheduled: Bool
  ) async throws {
    let fixture = try Self.fixture(Self.usual + others)
    var draft = try fixture.editor.draft(of: "f")
    try draft.setSchedule(schedule)
    try await fixture.editor.save(draft)
    let row = try #require(fixture.console.row("f"))
    #expect(row.everyone == everyone && row.reach == reach && row.definition?.rule == rule)
    #expect(row.definition?.isScheduled == isScheduled)
  }

  /// Noon of 28 November 2026, in seconds since 1970.
  private static let noon: Int64 = 1_795_867_200
  private static let day: Int64 = 86_400
  private static let usual = #""state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off""#
  private static let split = #", "targeting": {"fractional": [["on", 30], ["off", 70]]}"#

  private static let rollouts: [(RolloutSchedule, String, String, FlagReach, String, Bool)] = [
    (
      RolloutSchedule(
        variant: "on",
        steps: [
          .init(percent: 10, time: noon - day), .init(percent: 50, time: noon), .init(percent: 100, time: noon + day),
        ]),
      "", "Partly", .partly, "10 % get on now, 50 % from 28 Nov 12:00, all from 29 Nov 12:00", true
    ),
    (
      RolloutSchedule(variant: "on", steps: [.init(percent: 10, time: noon)], end: noon + 60 * day), split,
      "Partly", .partly, "10 % get on from 28 Nov 12:00, until 27 Jan 2027 12:00, else 30 % get on, 70 % get off", true
    ),
    (
      RolloutSchedule(variant: "on", steps: [.init(percent: 10, time: noon)]), "", "Off for everyone", .off,
      "10 % get on from 28 Nov 12:00", true
    ),
    (
      RolloutSchedule(variant: "on", steps: [.init(percent: 100, time: noon - day)]), split, "On for everyone", .on,
      "all get on now, else 30 % get on, 70 % get off", false
    ),
    (
      RolloutSchedule(variant: "on", steps: [], end: noon - day), split, "Partly", .partly,
      "30 % get on, 70 % get off", false
    ),
  ]

  @Test(
    "A rule says whether it leaves users to the default",
    arguments: [
      (#"{"fractional": [["on", 1], ["off", 1]]}"#, false), (#"{"if": [{"var": "a"}, "on", "off"]}"#, false),
      (#"{"if": [{"var": "a"}, "on"]}"#, true), (#"{"if": [{"var": "a"}, "on", {"var": "b"}, "off"]}"#, true),
    ])
  func usesDefault(rule: String, isUsed: Bool) throws {
    let console = try Self.fixture(Self.usual + #", "targeting": \#(rule)"#).console
    #expect(console.row("f")?.definition?.usesDefault == isUsed)
  }

  @Test("On, off and partly are the states for everyone, whatever is overridden here")
  func filtersByState() throws {
    let console = try ConsoleFixture(["new-profile": true]).console
    for (reach, keys) in [
      (.on, []), (.off, ["engine", "feed.video.autoplay"]), (.partly, ["new-profile"]),
    ] as [(FlagReach, [String])] {
      var query = FlagQuery()
      query.reach = reach
      #expect(console.list(query).rows.map(\.key.name) == keys, "\(reach)")
    }
    #expect(console.row("new-profile")?.value == true && console.row("new-profile")?.everyone == "Partly")
  }

  @Test("A step of a rollout moves a flag to another state without any edit")
  func followsTime() async throws {
    let now = Locked(Self.noon - 1)
    let fixture = try Self.fixture(Self.usual) { $0.now = { now.withLock { $0 } } }
    var draft = try fixture.editor.draft(of: "f")
    try draft.setSchedule(RolloutSchedule(variant: "on", steps: [.init(percent: 100, time: Self.noon)]))
    try await fixture.editor.save(draft)
    var query = FlagQuery()
    query.reach = .on
    #expect(fixture.console.list(query).rows.isEmpty)
    now.withLock { $0 += 1 }
    #expect(fixture.console.list(query).rows.map(\.everyone) == ["On for everyone"])
  }

  @Test("Switched off and on again, a flag has every byte that it had")
  func switches() async throws {
    let fixture = try Self.fixture(Self.usual + Self.split)
    let text = fixture.definitions.current?.text
    try await fixture.editor.save(fixture.editor.switching("f", on: false))
    #expect(fixture.console.row("f")?.everyone == "Off for everyone")
    try await fixture.editor.save(fixture.editor.switching("f", on: true))
    #expect(fixture.definitions.current?.text == text && fixture.console.row("f")?.everyone == "Partly")
  }

  private static func fixture(
    _ definition: String, editing: @escaping (inout DefinitionEditor.Options) -> Void = { $0.now = { noon - 1 } }
  ) throws -> ConsoleFixture {
    try ConsoleFixture(
      catalogs: [FlagCatalog("shop", items: [.flag(Flag("f", default: false, "The flag."))])],
      document: #"{"flags": {"f": {\#(definition)}}}"#, editing: editing)
  }
}
