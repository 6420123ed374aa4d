import FlagDefinitions
import FlagDomain
import FlagJSON
import Foundation
import Testing

@testable import FlagEditing

/// Rules that compare the time: what they are at each of their times, in words that never show a rollout's inner form.
@Suite("Rules with times")
struct TimedRuleTests {
  @Test("A rule says its times, and what it is from each of them", arguments: cases)
  func says(rule: String, before: String, steps: [Step]) throws {
    let timed = TimedRule(try FlagValue.reading(json: rule))
    #expect(timed.times == steps.map(\.time))
    #expect(timed.words(at: 0) == before)
    for step in steps { #expect(timed.words(at: step.time) == step.words) }
  }

  @Test("The words at a time are those of the values that the rule gives then", arguments: cases)
  func agrees(rule: String, before: String, steps: [Step]) throws {
    let rule = try FlagValue.reading(json: rule)
    let times: [Int64] = [0] + steps.flatMap { [$0.time - 1, $0.time] }
    for time in times {
      let decided = TimedRule.decided(rule, at: time)
      for user in 0..<40 {
        let context = EvaluationContext(attributes: [
          "targetingKey": .string("user-\(user)"), "country": user % 2 == 0 ? "es" : "de",
        ])
        let answers = try [rule, decided].map { try Self.document($0).evaluate("f", in: context, at: time)?.value }
        #expect(answers[0] == answers[1], "\(time): \(decided)")
      }
    }
  }

  @Test("A rule of many comparisons, or without any, has no more times than are looked for")
  func isBounded() throws {
    let many = (1...5000).map { #"{">=": [{"var": "$flagd.timestamp"}, \#($0)]}, "on""# }.joined(separator: ", ")
    #expect(TimedRule(try FlagValue.reading(json: "{\"if\": [\(many)]}")).times.count <= 202)
    // The time of an array's elements is none: they have no attributes.
    let some = #"{"some": [[1, 2], {">=": [{"var": "$flagd.timestamp"}, 100]}]}"#
    for rule in ["true", #"{"%": [{"var": "$flagd.timestamp"}, 2]}"#, some] {
      #expect(TimedRule(try FlagValue.reading(json: rule)).times.isEmpty, "\(rule)")
    }
  }

  @Test("A changed rollout is told by its steps, whatever stands around it")
  func tellsChanges() throws {
    let country = #"{"if": [{"==": [{"var": "country"}, "es"]}, "on"]}"#
    let ramp = RolloutSchedule(
      variant: "on", steps: [.init(percent: 10, time: 86_400), .init(percent: 50, time: 172_800)])
    let slower = RolloutSchedule(variant: "on", steps: [.init(percent: 10, time: 86_400)])
    func words(_ old: String, _ new: String) throws -> [String] {
      RuleChangeDescriber.phrases(from: try FlagValue.reading(json: old), to: try FlagValue.reading(json: new))
    }
    let (from, to) = ("from 1970-01-02T00:00:00Z 10 % get on", "from 1970-01-03T00:00:00Z 50 % get on")
    for rule in [country, #"{"fractional": [["on", 20], ["off", 80]]}"#] {
      let (one, other) = (ramp.rule(around: rule, of: "f"), slower.rule(around: rule, of: "f"))
      #expect(try words(rule, one) == ["rollout added: \(from), \(to)"])
      #expect(try words(one, rule) == ["rollout removed"])
      let renamed = try words(one, ramp.rule(around: rule, of: "g"))
      #expect(renamed == (rule == country ? [] : ["rollout: the users are split anew"]), "beside a split it has a salt")
      #expect(try words(one, other) == ["rollout: \(from) instead of \(from), \(to)"])
      #expect(try words(one, ramp.rule(around: "", of: "f")).last?.hasPrefix("otherwise: the default variant") == true)
      let branch = #"{"if": [{"var": "beta"}, \#(one), "off"]}"#
      let narrowed = try words(branch, #"{"if": [{"var": "beta"}, \#(other), "off"]}"#)
      #expect(narrowed == ["rollout: \(from) instead of \(from), \(to)"])
    }
  }

  @Test("The explanation of a rollout says how far it is, and the user's share; never its inner form")
  func explains() throws {
    let ramp = RolloutSchedule(
      variant: "urgent", steps: [.init(percent: 10, time: 100), .init(percent: 100, time: 200)])
    let document = try Self.document(
      FlagValue.reading(json: ramp.rule(around: #"{"fractional": [["on", 50], ["off", 50]]}"#, of: "f")))
    for (time, phrase, hasShare) in [
      (0, "The rollout has not begun", false), (100, "The rollout has reached 10 % of the users", true),
      (200, "The rollout has reached all users", false),
    ] {
      let context = EvaluationContext(attributes: ["targetingKey": "ana"])
      let explanation = RuleExplanation(document.explain("f", in: context, at: Int64(time)), at: Int64(time))
      let all = explanation.steps.flatMap(Self.parts)
      #expect(all.contains { $0.phrase == phrase && ($0.share != nil) == hasShare }, "\(all.map(\.phrase))")
      #expect(!all.contains { $0.phrase.contains("not urgent") })
    }
  }

  @Test("A time beside another one has the year and the seconds where they tell more")
  func saysTimes() {
    let times: [Int64] = [1_980_000_000, 1_980_000_020, 2_000_000_000]
    #expect(times.map { $0.words(beside: times[0]) } == ["28 Sep 16:00", "28 Sep 16:00:20", "18 May 2033 03:33:20"])
  }

  @Test("A rollout that was taken back has begun; a comparison with one moment is no rollout")
  func explainsTakenBack() throws {
    let steps: [RolloutSchedule.Step] = [(50, 100), (0, 200), (50, 300)].map { .init(percent: $0, time: $1) }
    let ramp = RolloutSchedule(variant: "on", steps: steps)
    let moment = #"{"if": [{"===": [{"var": "$flagd.timestamp"}, 300]}, "on", "off"]}"#
    for (rule, phrase) in [(ramp.rule(around: "", of: "f"), "The rollout has been taken back"), (moment, nil)] {
      let document = try Self.document(FlagValue.reading(json: rule))
      let context = EvaluationContext(attributes: ["targetingKey": "ana"])
      let all = RuleExplanation(document.explain("f", in: context, at: 250), at: 250).steps.flatMap(Self.parts)
      #expect(all.map(\.phrase).first { $0.hasPrefix("The rollout") } == phrase)
    }
  }

  private static func parts(_ step: RuleExplanation.Step) -> [RuleExplanation.Step] {
    [step] + step.parts.flatMap(parts)
  }

  private static func document(_ rule: FlagValue) throws -> FlagDocument {
    let variants = #"{"on": 1, "off": 2, "urgent": 3, "red": 4}"#
    let rule = rule.fields == nil ? #"{"if": [true, \#(rule)]}"# : "\(rule)"
    let text = #"""
      {"flags": {"f": {"state": "ENABLED", "variants": \#(variants), "defaultVariant": "off", "targeting": \#(rule)}}}
      """#
    return try FlagDocument(parsing: Data(text.utf8))
  }

  struct Step: Sendable {
    let time: Int64
    let words: String

    init(_ time: Int64, _ words: String) { (self.time, self.words) = (time, words) }
  }

  private static let now = #"{"var": "$flagd.timestamp"}"#
  private static let ramp = RolloutSchedule(
    variant: "on",
    steps: [.init(percent: 10, time: 100), .init(percent: 50, time: 200), .init(percent: 100, time: 300)], end: 400)

  static let cases: [(String, String, [Step])] = [
    // A rollout alone, and around a rule.
    (
      ramp.rule(around: "", of: "f"), "the default variant for all",
      [
        Step(100, "10 % get on"), Step(200, "50 % get on"), Step(300, "all get on"),
        Step(400, "the default variant for all"),
      ]
    ),
    (
      ramp.rule(around: #"{"fractional": [["red", 50], ["off", 50]]}"#, of: "f"), "50 % get red, 50 % get off",
      [
        Step(100, "10 % get on, else 50 % get red, 50 % get off"),
        Step(200, "50 % get on, else 50 % get red, 50 % get off"),
        Step(300, "all with a user id get on, else 50 % get red, 50 % get off"),
        Step(400, "50 % get red, 50 % get off"),
      ]
    ),
    // In a branch.
    (
      #"{"if": [{"==": [{"var": "country"}, "es"]}, \#(ramp.rule(around: "", of: "f")), "red"]}"#,
      "if country is es, then the default variant, else red",
      [
        Step(100, "if country is es, then 10 % get on, else red"),
        Step(200, "if country is es, then 50 % get on, else red"), Step(300, "if country is es, then on, else red"),
        Step(400, "if country is es, then the default variant, else red"),
      ]
    ),
    // As a condition of a branch, beside another one.
    (
      #"{"if": [{"and": [{">=": [\#(now), 100]}, {"==": [{"var": "country"}, "es"]}]}, "on", "off"]}"#, "all get off",
      [Step(100, "if country is es, then on, else off")]
    ),
    (
      #"{"if": [{"or": [{"<": [\#(now), 100]}, {"==": [{"var": "country"}, "es"]}]}, "on", "off"]}"#, "all get on",
      [Step(100, "if country is es, then on, else off")]
    ),
    // Each relation, on each side.
    (#"{"if": [{"<=": [\#(now), 99]}, "on", "off"]}"#, "all get on", [Step(100, "all get off")]),
    (#"{"if": [{">": [\#(now), 99]}, "on", "off"]}"#, "all get off", [Step(100, "all get on")]),
    (#"{"if": [{"<": [99, \#(now)]}, "on", "off"]}"#, "all get off", [Step(100, "all get on")]),
    (#"{"if": [{">": [100, \#(now)]}, "on", "off"]}"#, "all get on", [Step(100, "all get off")]),
    (
      #"{"if": [{"<": [99, \#(now), 200]}, "on", "off"]}"#, "all get off",
      [Step(100, "all get on"), Step(200, "all get off")]
    ),
    (
      #"{"if": [{"!": [{"===": [\#(now), 100]}]}, "on", "off"]}"#, "all get on",
      [Step(100, "all get off"), Step(101, "all get on")]
    ),
    // Numbers in whatever form rules compare them, and results that are compared in turn.
    (#"{"if": [{">=": [\#(now), 99.5]}, "on", "off"]}"#, "all get off", [Step(100, "all get on")]),
    (#"{"if": [{">=": [\#(now), 1e2]}, "on", "off"]}"#, "all get off", [Step(100, "all get on")]),
    (#"{"if": [{">=": [\#(now), "100"]}, "on", "off"]}"#, "all get off", [Step(100, "all get on")]),
    (#"{"if": [{"==": [{">=": [\#(now), 100]}, 1]}, "on", "off"]}"#, "all get off", [Step(100, "all get on")]),
    (#"{"if": [{"!!": [{">=": [\#(now), 100]}]}, "on", "off"]}"#, "all get off", [Step(100, "all get on")]),
    (
      #"{"if": [{"!==": [{"if": [{">=": [\#(now), 100]}, "a", "b"]}, "a"]}, "on", "off"]}"#, "all get on",
      [Step(100, "all get off")]
    ),
    // Values that count as true or false, as conditions and as results.
    (
      #"{"if": [{"if": [{">=": [\#(now), 100]}, "yes", ""]}, "on", "off"]}"#, "all get off",
      [Step(100, "all get on")]
    ),
    (
      #"{"if": [{"or": [{"if": [{">=": [\#(now), 100]}, 0, 1]}, {"==": [{"var": "country"}, "es"]}]}, "on", "off"]}"#,
      "all get on", [Step(100, "if country is es, then on, else off")]
    ),
    (
      #"{"or": [{"if": [{">=": [\#(now), 100]}, null, "on"]}, {"if": [{"==": [{"var": "country"}, "es"]}, "red"]}]}"#,
      "all get on", [Step(100, "if country is es, then red")]
    ),
    (
      #"{"and": [{"if": [{">=": [\#(now), 100]}, "x", null]}, "off"]}"#, "the default variant for all",
      [Step(100, "all get off")]
    ),
    // Other users at a time, with the same words.
    (
      #"""
      {"if": [{">=": [\#(now), 100]}, {"fractional": [{"cat": ["a", {"var": "targetingKey"}]}, ["on", 50], ["off", 50]]},
      {"fractional": [{"cat": ["b", {"var": "targetingKey"}]}, ["on", 50], ["off", 50]]}]}
      """#, "50 % get on, 50 % get off", [Step(100, "50 % get on, 50 % get off")]
    ),
  ]
}
