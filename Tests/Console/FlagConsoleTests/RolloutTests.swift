import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import Testing

@Suite("A rollout with times")
struct RolloutTests {
  @Test(
    "A schedule is read back from the rule that it writes, whatever rule it stands around",
    arguments: Self.schedules, ["", #"{"fractional": [["on", 1], ["off", 1]]}"#, Self.country])
  func readsBack(schedule: RolloutSchedule, rule: String) throws {
    var draft = try Self.draft(rule)
    #expect(draft.schedule == nil)
    try draft.setSchedule(schedule)
    #expect(draft.schedule == schedule)
    #expect(try Self.draft(draft.rule).schedule == schedule, "after saving")
    #expect(draft.shares.map(\.split.entries.count) == (rule.contains("fractional") ? [2] : []))
    let scheduled = draft.rule
    try draft.setSchedule(schedule)
    #expect(draft.rule == scheduled, "the same schedule changes no byte")
    try draft.setSchedule(nil)
    #expect(draft.rule == rule)
  }

  @Test(
    "A rule that says anything else is no schedule",
    arguments: [
      "", "[", "{}", country, #"{"if": []}"#, #"{"if": [true, "on"]}"#,
      #"{"if": [{">": [{"var": "$flagd.timestamp"}, 5]}, "on"]}"#,
      #"{"if": [{">=": [{"var": ["$flagd.timestamp", 7]}, 5]}, "on"]}"#,
      #"{"if": [{">=": [{"var": "$flagd.timestamp"}, -5]}, "on"]}"#,
      #"{"if": [{">=": [{"var": "$flagd.timestamp"}, 999999999999999999999]}, "on"]}"#,
      #"{"if": [{"and": [{">=": [{"var": "$flagd.timestamp"}, 5]}, {"var": "country"}]}, "on"]}"#,
      #"{"if": [{"===": [{"if": [{">=": [{"var": "$flagd.timestamp"}, 5]}, {"fractional": [["on", 10], ["not on", 80]]}]}, "on"]}, "on"]}"#,
      #"{"if": [{"===": [{"if": [{">=": [{"var": "$flagd.timestamp"}, 5]}]}, "on"]}, "on"]}"#,
    ])
  func isNone(rule: String) throws {
    var draft = try Self.draft("")
    draft.rule = rule
    #expect(draft.schedule == nil)
  }

  @Test("A schedule is replaced in its place: the rest of the rule keeps its bytes, and users their shares")
  func replaces() throws {
    var draft = try Self.draft("")
    try draft.setSchedule(RolloutSchedule(variant: "on", steps: [.init(percent: 10, time: 5)]))
    draft.rule = draft.rule.replacing(
      "\"on\"\n  ]", with: #""on",  {"var":"beta"}, "off", {"fractional": [["on",1]]} ]"#)
    try draft.setSchedule(
      RolloutSchedule(variant: "off", steps: [.init(percent: 20, time: 5), .init(percent: 100, time: 6)], end: 9))
    #expect(
      draft.rule == #"""
        {
          "if": [
            {"and": [{"===": [{"if": [{">=": [{"var": "$flagd.timestamp"}, 6]}, "off", {">=": [{"var": "$flagd.timestamp"}, 5]}, {"fractional": [["off", 20], ["not off", 80]]}]}, "off"]}, {"<": [{"var": "$flagd.timestamp"}, 9]}]},
            "off",  {"var":"beta"}, "off", {"fractional": [["on",1]]} ]
        }
        """#)
    try draft.setSchedule(nil)
    #expect(draft.schedule == nil && draft.rule.contains(#"{"var":"beta"}, "off", {"fractional": [["on",1]]} ]"#))
  }

  @Test("A schedule whose variant was renamed since is still one, and gets the name when it is edited")
  func isRenamed() throws {
    var draft = try Self.draft("")
    try draft.setSchedule(RolloutSchedule(variant: "on", steps: [.init(percent: 10, time: 5)]))
    draft.rule = draft.rule.replacing("\"on\"\n", with: "\"off\"\n")
    #expect(draft.schedule == RolloutSchedule(variant: "off", steps: [.init(percent: 10, time: 5)]))
    try draft.setSchedule(RolloutSchedule(variant: "off", steps: [.init(percent: 20, time: 5)]))
    #expect(draft.rule.contains(#"["off", 20]"#) && !draft.rule.contains("\"on\""))
    #expect(draft.schedule?.steps == [.init(percent: 20, time: 5)])
  }

  @Test("What the schedule stood around becomes the rule", arguments: [("null", ""), ("\"off\"", #"{"if": ["off"]}"#)])
  func unwraps(rest: String, rule: String) throws {
    var draft = try Self.draft(#"{"if": [{">=": [{"var": "$flagd.timestamp"}, 5]}, "on", \#(rest)]}"#)
    try draft.setSchedule(nil)
    #expect(draft.rule == rule)
  }

  @Test(
    "A schedule that cannot be is refused, and the rule stays",
    arguments: [
      (RolloutSchedule(variant: "blue", steps: [], end: 1), "expected one of the variants off, on, found blue"),
      (RolloutSchedule(variant: "on", steps: []), "expected a step with a time, or a time for the end, found neither"),
      (
        RolloutSchedule(variant: "on", steps: [.init(percent: 101, time: 5)]),
        "expected a share from 0 to 100 %, found 101 %"
      ),
      (
        RolloutSchedule(variant: "on", steps: [.init(percent: 1, time: .max)], end: 5),
        "expected times from 1970 to the year 9999, found 9223372036854775807 s after 1970"
      ),
      (
        RolloutSchedule(variant: "on", steps: [.init(percent: 1, time: 5)], end: 5),
        "expected ascending times, found 1970-01-01T00:00:05Z, 1970-01-01T00:00:05Z"
      ),
    ])
  func refuses(schedule: RolloutSchedule, message: String) throws {
    for rule in ["", #"{"if": [{">=": [{"var": "$flagd.timestamp"}, 5]}, "on"]}"#] {
      var draft = try Self.draft(rule)
      let error = #expect(throws: FlagError.self) { try draft.setSchedule(schedule) }
      #expect(error?.message == message && draft.rule == rule)
    }
  }

  @Test("Each time says which users it moves")
  func moves() throws {
    let fixture = try ConsoleFixture(
      options: { $0.testUsers = (0..<20).map { FlagUser(id: "user-\($0)") } },
      editing: { $0.ownUsers = (0..<1000).map { ["targetingKey": .string("own-\($0)")] } })
    var draft = try fixture.editor.draft(of: "new-profile")
    #expect(try fixture.editor.scheduledSteps(of: draft, for: fixture.console.users).isEmpty)
    draft.rule = ""
    let steps = [10, 50, 100].enumerated().map { RolloutSchedule.Step(percent: $1, time: Int64($0 + 1) * 1000) }
    try draft.setSchedule(RolloutSchedule(variant: "on", steps: steps, end: 4000))
    let moves = try fixture.editor.scheduledSteps(of: draft, for: fixture.console.users)
    #expect(moves.map(\.time) == [1000, 2000, 3000, 4000])
    #expect(moves.allSatisfy { $0.knownUsers == 20 && $0.ownUsers == 1000 })
    #expect(moves.prefix(3).reduce(0) { $0 + $1.users.count } == 20 && moves[3].users.count == 20)
    #expect(moves.prefix(3).flatMap(\.users).sorted() == moves[3].users.sorted(), "each is moved once")
    for (move, share) in zip(moves, [0.1, 0.4, 0.5, 1]) {
      #expect(abs(Double(move.movedOwnUsers) / 1000 - share) < 0.05)
    }
    draft.rule = "{\"if\": ["
    #expect(try fixture.editor.scheduledSteps(of: draft, for: fixture.console.users).isEmpty)
  }

  @Test("The review of a plan says whom each time moves, in a branch, too; and so does the flag afterwards")
  func isReviewed() async throws {
    let fixture = try ConsoleFixture(
      options: { $0.testUsers = (0..<20).map { FlagUser(id: "user-\($0)") } },
      editing: {
        $0.ownUsers = (0..<1000).map { ["targetingKey": .string("own-\($0)")] }
        $0.now = { 1500 }
      })
    let users = fixture.console.users
    for isInBranch in [false, true] {
      var draft = try fixture.editor.draft(of: "new-profile")
      let steps = [10, 50, 100].enumerated().map { RolloutSchedule.Step(percent: $1, time: Int64($0 + 1) * 1000) }
      let ramp = RolloutSchedule(variant: "on", steps: steps, end: 4000).rule(around: "", of: "new-profile")
      draft.rule = isInBranch ? #"{"if": [{"!": [{"var": "countryCode"}]}, \#(ramp), "off"]}"# : ramp
      let flag = try #require(try fixture.editor.review(draft, for: users).flags.first)
      #expect(flag.plan.map(\.time) == [2000, 3000, 4000], "the first time is over")
      let words = ["50 % get on", "all get on", "the default variant for all"]
      let branch = ["50 % get on", "on", "the default variant"].map { "if not: country, then \($0), else off" }
      #expect(flag.plan.map(\.words) == (isInBranch ? branch : words))
      let now = flag.tried.count { $0.user != nil && "\($0.new)" == "on" }
      #expect(now + flag.plan.prefix(2).reduce(0) { $0 + $1.users.count } == 20 && flag.plan[2].users.count == 20)
      #expect(flag.plan.allSatisfy { $0.knownUsers == 20 && $0.ownUsers == 1000 })
      try await fixture.editor.save(draft)
      #expect(fixture.editor.plan(of: "new-profile", for: users) == flag.plan)
      #expect(fixture.editor.plan(of: "no-such", for: users).isEmpty)
      draft = try fixture.editor.draft(of: "new-profile")
      draft.isEnabled = false
      #expect(try fixture.editor.review(draft, for: users).flags.first?.plan == [], "a flag that is off has no plan")
    }
  }

  static let country = """
    {"if": [
      {"===": [{"var": "countryCode"}, "es"]}, "on"
    ]}
    """

  static let schedules = [
    RolloutSchedule(variant: "on", steps: [.init(percent: 100, time: 5)]),
    RolloutSchedule(variant: "on", steps: [.init(percent: 10, time: 5)]),
    RolloutSchedule(variant: "off", steps: [], end: 5),
    RolloutSchedule(variant: "on", steps: [.init(percent: 100, time: 5)], end: 6),
    RolloutSchedule(
      variant: "on",
      steps: [
        .init(percent: 0, time: 5), .init(percent: 50, time: 1_800_000_000), .init(percent: 100, time: 1_900_000_000),
      ],
      end: 2_000_000_000),
  ]

  /// Returns a draft of a flag with the variants on and off.
  static func draft(_ rule: String) throws -> DefinitionDraft {
    let targeting = rule.isEmpty ? "" : #", "targeting": \#(rule)"#
    let text = #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}\#(targeting)}}}"#
    return try DefinitionDraft("f", in: StoredDefinitions(parsing: Array(text.utf8)))
  }
}
