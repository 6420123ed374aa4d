import FlagDefinitions
import FlagDomain
import FlagReview
import TestSupport
import Testing

@Suite("Users whom a change affects, found by solving its rules")
struct AffectedUserTests {
  @Test(
    "A user is found whatever the conditions of the changed part are",
    arguments: [
      #"{"and": [\#((1...10).map { #"{"==": [{"var": "a\#($0)"}, "x\#($0)"]}"# }.joined(separator: ","))]}"#,
      #"{"and": [{">": [{"var": "age"}, 64]}, {"<=": [{"var": "age"}, 65]}, {"!": [{"in": [{"var": "c"}, ["es"]]}]}]}"#,
      #"{"and": [{"<": [17, {"var": "age"}, 19]}, {"!=": [{"var": "age"}, 18]}]}"#,
      #"{"and": [{"starts_with": [{"var": "email"}, "qa+"]}, {"ends_with": [{"var": "email"}, "@example.com"]}]}"#,
      #"{"and": [{"sem_ver": [{"var": "v"}, "^", "3.7.1"]}, {"sem_ver": [{"var": "v"}, ">", "3.9.0"]}]}"#,
      #"{"and": [{"sem_ver": [{"var": "v"}, "<", "2.0.0"]}, {"sem_ver": [{"var": "v"}, ">", "2.0.0-rc.1"]}]}"#,
      #"{"and": [{">=": [{"var": "since"}, "2026-03-01"]}, {"<": [{"var": "since"}, "2026-03-02"]}]}"#,
      #"{"and": [{"in": ["a", {"var": "s"}]}, {"in": ["b", {"var": "s"}]}, {"!": {"in": ["c", {"var": "s"}]}}]}"#,
      #"{"<": [{"-": [{"var": "$flagd.timestamp"}, {"var": "created"}]}, 604800]}"#,
      #"{"<": [{"var": "$flagd.timestamp"}, {"var": "until"}]}"#,
      #"{"and": [{"==": [{"var": "a"}, {"var": "b"}]}, {"==": [{"var": "b"}, "same"]}]}"#,
      #"{"and": [{"in": [{"var": "user.country"}, ["es"]]}, {"var": "user.plan.paid"}]}"#,
      #"{"some": [{"var": "devices"}, {"==": [{"var": "os"}, "ios"]}]}"#,
      #"{"and": [{"==": [{"var": "x"}, "z"]}, {"==": ["on", {"fractional": [["on", 1], ["off", 499]]}]}]}"#,
      #"{"and": [{"missing": ["a", "b"]}, {"==": [{"var": "a"}, "q"]}]}"#,
      #"{"==": [{"substr": [{"var": "mail"}, -4]}, ".org"]}"#,
      #"{"==": [{"cat": [{"var": "a"}, "-", {"var": "b"}]}, "x-y"]}"#,
      #"{"or": [{"and": [{"var": "a"}, {"!": {"var": "a"}}]}, {"==": [{"var": "b"}, 3.5]}]}"#,
    ])
  func finds(condition: String) throws {
    let effect = try Change(of: condition).effect()
    let user = try #require(effect.examples.first, "\(effect)")
    #expect(effect.affectsUsers == true && user.words == ("off", "on"))
  }

  @Test("A user in a rare share is found, where only the condition before it changes", arguments: [2, 9, 999])
  func findsRareShare(rest: Int) throws {
    func rule(_ version: String) -> String {
      #"{"if": [{"sem_ver": [{"var": "v"}, ">=", "\#(version)"]}, {"fractional": [["on", 1], ["off", \#(rest)]]}, "off"]}"#
    }
    let effect = try Change(from: rule("5.2.0"), to: rule("5.2.1")).effect()
    #expect(effect.examples.map { $0.attributes["v"] } == ["5.2.0"])
  }

  @Test("Of two long lists, the user whom only one of them names is found")
  func findsInList() throws {
    let ids = (0..<3000).map { "\"user\($0)@example.com\"" }.joined(separator: ",")
    func rule(_ more: String) -> String { #"{"if": [{"in": [{"var": "email"}, [\#(ids)\#(more)]]}, "on"]}"# }
    let effect = try Change(from: rule(""), to: rule(#", "new@example.com""#)).effect()
    #expect(effect.examples.map(\.attributes) == [["email": "new@example.com"]])
  }

  @Test(
    "Rules that give everyone the same are reported as such",
    arguments: [
      (
        #"{"if": [{"in": [{"var": "c"}, ["a", "b"]]}, "on"]}"#,
        #"{"if": [{"in": [{"var": "c"}, ["b", "a", "b"]]}, "on"]}"#
      ),
      (
        #"{"if": [{"or": [{"===": [{"var": "c"}, "a"]}, {"===": [{"var": "c"}, "b"]}]}, "on"]}"#,
        #"{"if": [{"in": [{"var": "c"}, ["a", "b"]]}, "on", "off"]}"#
      ),
      (
        #"{"if": [{"!": {"<": [{"var": "n"}, 5]}}, "on", {"if": [{"var": "n"}, "on", "off"]}]}"#,
        #"{"if": [{"!": {"<": [{"var": "n"}, 5]}}, "on", {"var": "n"}, "on"]}"#
      ),
      (
        #"{"if": [{"sem_ver": [{"var": "v"}, ">=", "2.0.0"]}, "on"]}"#,
        #"{"if": [{"or": [{"sem_ver": [{"var": "v"}, "=", "2.0.0"]}, {"sem_ver": [{"var": "v"}, ">", "2.0.0"]}]}, "on"]}"#
      ),
      (
        #"{"if": [{"ends_with": [{"var": "e"}, "@a.com"]}, "on"]}"#,
        #"{"if": [{"and": [{"ends_with": [{"var": "e"}, ".com"]}, {"ends_with": [{"var": "e"}, "@a.com"]}]}, "on"]}"#
      ),
      (
        #"{"if": [{"and": [{"in": ["a", {"var": "s"}]}, {"in": ["b", {"var": "s"}]}]}, "on"]}"#,
        #"{"if": [{"in": ["b", {"var": "s"}]}, {"if": [{"in": ["a", {"var": "s"}]}, "on"]}]}"#
      ),
      (
        #"{"if": [{"var": "x"}, {"fractional": [["on", 10], ["off", 90]]}]}"#,
        #"{"if": [{"var": "x"}, {"fractional": [["on", 1], ["off", 9]]}, null]}"#
      ),
      (
        #"{"if": [{"and": [{"==": [{"var": "a"}, 1]}, {"==": [{"var": "a"}, 2]}]}, "on"]}"#,
        #"{"if": [{"and": [{"==": [{"var": "a"}, 1]}, {"==": [{"var": "a"}, 2]}]}, "off"]}"#
      ),
    ])
  func covers(old: String, new: String) throws {
    let effect = try Change(from: old, to: new).effect()
    #expect(effect.affectsUsers == false && effect.isComplete && effect.examples.isEmpty)
  }

  @Test(
    "Where no user could be built and not all are covered, nothing is decided",
    arguments: [
      #"{"==": [{"%": [{"*": [{"var": "n"}, 7]}, 1000]}, 3]}"#, #"{"==": [{"var": {"var": "name"}}, 3]}"#,
      #"{"==": [{"substr": [{"var": "mail"}, 3, 4]}, "abcd"]}"#,
    ])
  func leavesOpen(condition: String) throws {
    let effect = try Change(of: condition).effect()
    #expect(effect.affectsUsers == nil && !effect.isComplete)
    let unsolved = try Change(from: "{}", to: #"{"if": [{"==": [{"var": "a"}, 1]}, "on"]}"#)
    #expect(unsolved.effect(steps: 0).affectsUsers == nil)
  }

  @Test("A visitor without an id, whom exact shares leave out, is an example")
  func findsVisitor() throws {
    let change = try Change(from: #"{"fractional": [["on", 1], ["on", 1]]}"#, to: #"{"if": [true, "on"]}"#)
    let effect = change.effect()
    #expect(effect.isExact && effect.share == 0 && effect.affectsUsers == true)
    #expect(effect.examples.map(\.attributes) == [[:]])
  }

  @Test("The rules of a comparison show shared rules in place where only these differ")
  func showsSharedRules() throws {
    func document(_ country: String) throws -> StoredDefinitions {
      try StoredDefinitions(
        parsing: Array(
          """
          {"flags": {"f": {"state": "ENABLED", "variants": {"on": 1}, "targeting": {"if": [{"$ref": "s"}, "on"]}}},
            "$evaluators": {"s": {"==": [{"var": "c"}, "\(country)"]}}}
          """.utf8))
    }
    let rules = try DefinitionComparison(from: document("es"), to: document("pt")).rules(of: "f")
    #expect(rules.old == ["if": [["==": [["var": "c"], "es"]], "on"]])
    #expect(rules.new == ["if": [["==": [["var": "c"], "pt"]], "on"]])
  }
}

/// A flag with one rule, and then another one.
struct Change: CustomStringConvertible {
  let comparison: DefinitionComparison
  let documents: [StoredDefinitions]

  init(from old: String, to new: String) throws {
    documents = try [old, new].map { rule in
      try StoredDefinitions(
        parsing: Array(
          """
          {"flags": {"f": {"state": "ENABLED", "variants": {"on": 1, "off": 2, "true": 3}, "defaultVariant": "off",
            "targeting": \(rule)}}}
          """.utf8))
    }
    comparison = try DefinitionComparison(from: documents[0], to: documents[1])
  }

  var description: String { documents.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: " -> ") }

  /// Creates a change of the result for users for whom a condition holds.
  init(of condition: String) throws {
    try self.init(from: #"{"if": [\#(condition), "off"]}"#, to: #"{"if": [\#(condition), "on"]}"#)
  }

  func effect(steps: Int = Audience.usualSteps) -> ChangeEffect {
    comparison.effect(of: "f", on: Audience(steps: steps), at: 1_800_000_000)
  }
}
