import FlagConsole
import FlagDomain
import FlagHTTP
import TestSupport
import Testing

@testable import FlagConsoleWeb

@Suite("Forms and documents with numbers that no page has")
struct HostileFormTests {
  @Test(
    "A form whose numbers are the largest or the smallest is answered",
    arguments: [
      ["was-0-0": "9223372036854775807", "was-0-1": "-9223372036854775806"], ["do": "move:1:9223372036854775807"],
      ["do": "move:0:-9223372036854775808"], ["do": "plan-start:9223372036854775807"],
      ["do": "plan-remove:9223372036854775807"], ["do": "remove-share:9223372036854775807-9223372036854775807"],
      ["do": "remove-variant:9223372036854775807"], ["variants": "9223372036854775807"],
      ["slider-0-0": "-9223372036854775808"],
      ["rule": HostileFormTests.wide, "rule-was": HostileFormTests.wide, "outcome-0o": "variant:on"],
    ])
  func answers(edits: [String: String]) async throws {
    let web = try WebFixture(document: Self.document(Self.branches))
    let form = try await web.ask(.get, "/flags/new-profile/edit").text.fields.merging(edits) { $1 }
    for path in ["/flags/new-profile/review", "/flags/new-profile/definition"] {
      #expect(try await [.ok, .seeOther, .unprocessableContent].contains(web.ask(.post, path, form: form).status))
    }
  }

  @Test("Any field of the editor may have any number", arguments: [HostileFormTests.branches, HostileFormTests.plan])
  func answersRandom(rule: String) async throws {
    let web = try WebFixture(document: Self.document(rule))
    let form = try await web.ask(.get, "/flags/new-profile/edit").text.fields
    let names = form.keys.sorted() + ["do"]
    let actions = [
      "move:", "remove-branch:", "remove-condition:", "add-condition:", "plan-start:", "plan-remove:", "equal-shares:",
      "add-share:", "remove-share:0-", "remove-variant:", "replace-variant:",
    ]
    let numbers = ["9223372036854775807", "-9223372036854775808", "0", "-1", "1e400", "99999999999999999999"]
    var generator = SeededGenerator(seed: 30)
    for _ in 0..<Effort.rounds(100, thorough: 600) {
      var edited = form
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let number = numbers.randomElement(using: &generator) ?? ""
        switch names.randomElement(using: &generator) ?? "" {
        case "do": edited["do"] = (actions.randomElement(using: &generator) ?? "") + number
        case let name: edited[name] = number
        }
      }
      let answer = try await web.ask(.post, "/flags/new-profile/review", form: edited)
      #expect([.ok, .unprocessableContent].contains(answer.status))
    }
  }

  @Test(
    "A document whose weights are the largest or the smallest is shown and edited",
    arguments: [
      #"{"if": [{"===": [{"if": [{">=": [{"var": "$flagd.timestamp"}, 1]}, {"fractional": \#(HostileFormTests.low)}]}, "on"]}, "on"]}"#,
      #"{"fractional": \#(HostileFormTests.low)}"#, HostileFormTests.wide,
      #"{"fractional": [["on", 9223372036854775807], ["off", 9223372036854775807], ["on", 3]]}"#,
    ])
  func shows(rule: String) async throws {
    let web = try WebFixture(document: Self.document(rule))
    for path in ["/", "/flags/new-profile", "/flags/new-profile/edit"] {
      #expect(try await web.ask(.get, path).status == .ok)
    }
    let form = try await web.ask(.get, "/flags/new-profile/edit").text.fields
    for edits in [
      ["state": "DISABLED"], ["rule": "{}"], ["rule": #"{"fractional": \#(HostileFormTests.low)}"#, "share-0-0": "5"],
    ] {
      let answer = try await web.ask(.post, "/flags/new-profile/review", form: form.merging(edits) { $1 })
      #expect([.ok, .unprocessableContent].contains(answer.status))
    }
  }

  fileprivate static let low = #"[["on", -9223372036854775808], ["off", 1]]"#
  fileprivate static let wide = """
    {"if": [{"var": "a"}, {"fractional": [["on", 9223372036854775807], ["off", 9223372036854775807], ["on", 3]]}, null]}
    """
  fileprivate static let plan = """
    {"if": [{"and": [{"===": [{"if": [{">=": [{"var": "$flagd.timestamp"}, 7]}, "on", {">=": [{"var": "$flagd.timestamp"}, 5]},
      {"fractional": [["on", 10], ["not on", 90]]}]}, "on"]}, {"<": [{"var": "$flagd.timestamp"}, 9]}]}, "on"]}
    """
  fileprivate static let branches = """
    {"if": [{"in": [{"var": "countryCode"}, ["es"]]}, "on", {"==": [{"var": "age"}, 3]},
      {"fractional": [["on", 10], ["off", 90]]}, "off"]}
    """

  private static func document(_ rule: String) -> String {
    """
    {"flags": {"new-profile": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
      "targeting": \(rule)}}}
    """
  }
}
