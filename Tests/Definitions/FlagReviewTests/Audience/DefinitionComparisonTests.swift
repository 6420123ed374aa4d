import FlagDefinitions
import FlagDomain
import FlagReview
import TestSupport
import Testing

@Suite("Comparing documents")
struct DefinitionComparisonTests {
  @Test(
    "Where everyone gets the same, or weights alone decide, the share is exact",
    arguments: [
      // Switched off, another default, another value of the same variant, another rule for the same.
      (#"{"state": "DISABLED"}"#, 1, ["off > the code's default 1.0"]),
      (#"{"defaultVariant": "on"}"#, 1, ["off > on 1.0"]),
      (#"{"variants": {"on": 1, "off": 3}}"#, 1, ["off = 2 > off = 3 1.0"]),
      (#"{"targeting": {"if": [true, "off", "on"]}}"#, 0, []),
      (#"{"metadata": {"owner": "me"}}"#, 0, []),
      (#"{"targeting": {"fractional": [["on", 25], ["off", 75]]}}"#, 0.25, ["off > on 0.25"]),
      (
        #"{"targeting": {"fractional": [{"var": "targetingKey"}, ["on", 1], ["nope", 2]]}}"#, 1,
        ["off > an error 0.6666666666666666", "off > on 0.3333333333333333"]
      ),
      (#"{"targeting": {"fractional": [["on", 0], ["off", 0]]}}"#, 0, []),
    ] as [(String, Double, [String])])
  func isExact(change: String, share: Double, moves: [String]) throws {
    let effect = try Pair(to: change).effect()
    #expect(effect.isExact && effect.share == share)
    #expect(effect.moves.map { "\($0.words.old) > \($0.words.new) \($0.share)" } == moves)
  }

  @Test("Two splits of one line of ids differ where their ends do, to the last part")
  func comparesSplits() throws {
    let old = #"{"targeting": {"fractional": [["on", 10], ["off", 20]]}}"#
    let new = #"{"targeting": {"fractional": [["on", 3], ["off", 3], ["on", 1]]}}"#
    let effect = try Pair(from: old, to: new).effect()
    // From 1/3 to 3/7 it is on, and from 6/7 on: 2/21 and 3/21.
    #expect(effect.isExact && effect.share == 5.0 / 21)
    #expect(effect.moves.map { "\($0.old) > \($0.new)" } == ["off > on"])
  }

  @Test("What users are put into shares by may be a text of their ids, if it is the same before and after")
  func comparesSubjects() throws {
    func rule(_ salt: String, _ weight: Int) -> String {
      #"{"targeting": {"fractional": [{"cat": ["\#(salt)", {"var": "targetingKey"}]}, ["on", \#(weight)], ["off", 1]]}}"#
    }
    let grown = try Pair(from: rule("a", 1), to: rule("a", 3)).effect()
    #expect(grown.isExact && grown.share == 0.25)
    let salted = try Pair(from: rule("a", 1), to: rule("b", 1)).effect(on: Self.users)
    #expect(!salted.isExact && salted.users == 500 && abs(salted.share - 0.5) < 0.1)
  }

  @Test(
    "A split by anything but the id is tried with users, and is not called exact",
    arguments: [
      ("\"k\"", true), ("7", true), ("true", true), (#"{"cat": ["k", 1]}"#, true), (#"{"var": "company"}"#, false),
      (#"{"var": "visitorID"}"#, false), (#"{"cat": [{"var": "targetingKey"}, {"var": "plan"}]}"#, false),
    ])
  func asksOfOtherSubjects(subject: String, isOneForAll: Bool) throws {
    let change = #"{"targeting": {"fractional": [\#(subject), ["on", 1], ["off", 1]]}}"#
    let effect = try Pair(to: change).effect(on: Self.users)
    // What gives all the same is solved, and exact for that.
    #expect(effect.isExact || effect.users == 500)
    #expect([0, 1].contains(effect.share) == isOneForAll, "\(effect.share)")
  }

  /// Users without ids, who are many of some companies and of two plans.
  private static let users = Audience(
    users: (0..<500).map { number in
      ["company": .int(Int128(number % 40)), "visitorID": .string("v\(number)"), "plan": .bool(number % 2 == 0)]
    })

  @Test("A new flag and one that is gone are changes for everyone")
  func addsAndRemoves() throws {
    let empty = try StoredDefinitions(parsing: Array(#"{"flags": {}}"#.utf8))
    let full = try StoredDefinitions(parsing: Array(Pair.document("{}").utf8))
    let added = try DefinitionComparison(from: empty, to: full)
    #expect(added.changedKeys == ["f"] && added.differences(of: "f") == [.added])
    #expect(added.effect(of: "f", at: 0).moves.map { "\($0.old) > \($0.new)" } == ["no flag > off"])
    let removed = try DefinitionComparison(from: full, to: empty)
    #expect(removed.differences(of: "f") == [.removed] && removed.effect(of: "f", at: 0).share == 1)
    #expect(try DefinitionComparison(from: full, to: full).changedKeys == [])
  }

  @Test("Definitions of a format without known rules are compared by their lists, and by asking users")
  func comparesOtherFormats() throws {
    func stored(_ text: String) throws -> StoredDefinitions {
      try StoredDefinitions(parsing: Array(text.utf8), format: LineFormat())
    }
    let comparison = try DefinitionComparison(
      from: stored("same = on\nspain = on for es\ngone = on"), to: stored("same = on\nspain = on\nnew = on"))
    #expect(comparison.changedKeys == ["gone", "new", "spain"])
    #expect(comparison.changedKeys.map { comparison.differences(of: $0) } == [[.removed], [.added], [.rule]])
    let known = comparison.effect(of: "gone", at: 0)
    #expect(known.users == 0 && known.affectsUsers == true && known.examples.count == 1)
    let users = Audience(users: [["countryCode": "es"], ["countryCode": "pt"], ["countryCode": "fr"]])
    let effect = comparison.effect(of: "spain", on: users, at: 0)
    #expect(effect.users == 3 && effect.count(of: effect.share) == 2 && !effect.isComplete)
    let mixed = try DefinitionComparison(
      from: stored("f = on"), to: StoredDefinitions(parsing: Array(Pair.document("{}").utf8)))
    #expect(mixed.differences(of: "f") == [.rule, .variants])
  }

  @Test("Every difference is listed, a shared rule that the flag uses included")
  func tellsDifferences() throws {
    let document = Pair.document(#"{"targeting": {"if": [{"$ref": "shared"}, "on"]}}"#)
    let old = try StoredDefinitions(parsing: Array(document.utf8))
    let new = try StoredDefinitions(parsing: Array(document.replacing("\"y\"", with: "\"z\"").utf8))
    #expect(try DefinitionComparison(from: old, to: new).differences(of: "f") == [.rule])
    let all = #"{"state": "DISABLED", "variants": {"on": 1}, "defaultVariant": "on", "metadata": {"a": 1}}"#
    #expect(
      try Pair(to: all).comparison.differences(of: "f") == [.state, .variants, .defaultVariant, .metadata])
    #expect(try Pair(to: #"{"state": 1}"#).comparison.differences(of: "f") == [.malformed])
  }

  @Test(
    "A condition that holds for everyone is a change for everyone, and one that holds for some names a kind of them")
  func knowsEveryone() throws {
    let everyone = try Pair(to: #"{"targeting": {"if": [{">": [{"var": "$flagd.timestamp"}, -1]}, "on"]}}"#).effect()
    #expect(everyone.isExact && everyone.share == 1 && everyone.moves.map { "\($0.old) > \($0.new)" } == ["off > on"])
    let some = try Pair(to: #"{"targeting": {"if": [{"var": "paid"}, "on"]}}"#).effect()
    #expect(some.users == 0 && some.share == 0 && some.isComplete && some.examples.map(\.attributes.count) == [1])
  }

  @Test("Each user of the audience is asked once, with an id of their own where they have none")
  func asksUsers() throws {
    let pair = try Pair(to: #"{"targeting": {"if": [{"==": [{"var": "a"}, 1]}, "on"]}}"#)
    let effect = pair.effect(on: Audience(users: [["a": 1], ["a": 2], [:], ["a": 1]]))
    #expect(effect.users == 4 && effect.share == 0.5 && !effect.isCutShort)
    let none = pair.effect(on: Audience(users: [["a": 2], [:]]))
    #expect(none.share == 0 && none.moves.isEmpty && none.affectsUsers == true && none.examples.count == 1)
    // Users who are known are asked, whatever the weights are: this one is on one side.
    let split = try Pair(to: #"{"targeting": {"fractional": [["on"], ["off"]]}}"#)
    let known = split.effect(on: Audience(users: [["targetingKey": "ana"]]))
    #expect(!known.isExact && [0, 1].contains(known.share))
    #expect(split.effect(on: Audience(users: [["a": 1]])).isExact)
    let ids = try Pair(to: #"{"targeting": {"if": [{"==": [{"var": "targetingKey"}, "user-2"]}, "on"]}}"#)
    #expect(ids.effect(on: Audience(users: [[:], [:], [:], [:]])).share == 0.25)
  }

  @Test("Segments count the users of each value of an attribute, the most common value first")
  func countsSegments() throws {
    let pair = try Pair(to: #"{"targeting": {"if": [{"==": [{"var": "a"}, 1]}, "on"]}}"#)
    let users: [[String: FlagValue]] = [["a": 1, "p": ["q": "x"]], ["p": ["q": "x"]], ["a": 1], ["a": 1], ["a": 1]]
    let parts = pair.effect(on: Audience(users: users, attribute: "p.q")).parts
    #expect(parts.map(\.value) == [.none, .value("x")])
    #expect(parts.map(\.users) == [3, 2] && parts.map(\.moved) == [3, 1])
  }
}

@Suite("Comparing documents with bounded work")
struct BoundedComparisonTests {
  @Test("However much rules and users there are, asking takes no more steps than it was given")
  func isBounded() throws {
    let sum = #"{"+": [{"var": "accumulator"}, {"var": "current"}]}"#
    let reduction =
      #"{"reduce": [[\#(Array(repeating: "1", count: 200).joined(separator: ","))], \#(sum), {"var": "a"}]}"#
    func document(_ value: Int) -> String {
      let flags = (0..<50).map { number in
        """
        "f\(number)": {"state": "ENABLED", "variants": {"on": 1, "off": 2}, "defaultVariant": "off", "targeting": {
          "if": [{"==": [{"+": [\(reduction), {"var": "a"}]}, \(value)]}, "on"]}}
        """
      }
      return #"{"flags": {\#(flags.joined(separator: ","))}}"#
    }
    let comparison = try DefinitionComparison(
      from: StoredDefinitions(parsing: Array(document(1).utf8)),
      to: StoredDefinitions(parsing: Array(document(2).utf8)))
    let audience = Audience(users: (0..<100_000).map { ["a": .int(Int128($0))] }, steps: 300_000)
    let effects = comparison.effects(on: audience, at: 0)
    // A user takes more than 600 steps of each flag and document.
    let users = effects.compactMap(\.users)
    #expect(users.count == 50 && users.allSatisfy { (1...16).contains($0) })
    #expect(effects.count(where: \.isCutShort) == 50)
    #expect(comparison.effects(on: audience, at: 0) == effects)
    let none = comparison.effect(of: "f0", on: Audience(users: audience.users, steps: 0), at: 0)
    #expect(none.users == 0 && none.isCutShort && none.moves.isEmpty && none.affectsUsers == nil)
  }

  @Test("What a cheap flag leaves over is for the flags after it, and those that are exact take nothing")
  func handsOver() throws {
    func document(_ countries: String, _ weight: Int) -> String {
      let rest = #""state": "ENABLED", "variants": {"on": 1, "off": 2}, "defaultVariant": "off""#
      return """
        {"flags": {"a": {\(rest), "targeting": {"fractional": [["on", \(weight)], ["off", 1]]}},
          "b": {\(rest), "targeting": {"if": [{"in": [{"var": "c"}, \(countries)]}, "on"]}},
          "c": {\(rest), "targeting": {"if": [{"in": [{"var": "c"}, \(countries)]}, "on"]}}}}
        """
    }
    let comparison = try DefinitionComparison(
      from: StoredDefinitions(parsing: Array(document(#"["x"]"#, 1).utf8)),
      to: StoredDefinitions(parsing: Array(document(#"["x", "y"]"#, 2).utf8)))
    let all = [[String: FlagValue]](repeating: ["c": "y"], count: 300)
    let users = comparison.effects(on: Audience(users: all, steps: 50_000), at: 0).map(\.users)
    #expect(users == [nil, 300, 300])
    let fewer = comparison.effects(on: Audience(users: all, steps: 10_000), at: 0).compactMap(\.users)
    #expect(fewer.count == 2 && fewer.allSatisfy { (50..<300).contains($0) })
  }
}

/// A flag before and after a change of it.
private struct Pair {
  let comparison: DefinitionComparison

  init(from old: String = "{}", to new: String) throws {
    comparison = try DefinitionComparison(
      from: StoredDefinitions(parsing: Array(Self.document(old).utf8)),
      to: StoredDefinitions(parsing: Array(Self.document(new).utf8)))
  }

  func effect(on audience: Audience = Audience()) -> ChangeEffect { comparison.effect(of: "f", on: audience, at: 0) }

  /// A document of a flag whose last members are those of an object.
  static func document(_ members: String) -> String {
    let rest = members.dropFirst().dropLast()
    return """
      {"flags": {"f": {"state": "ENABLED", "variants": {"on": 1, "off": 2}, "defaultVariant": "off"\
      \(rest.isEmpty ? "" : ", \(rest)")}}, "$evaluators": {"shared": {"in": [{"var": "c"}, ["x", "y"]]}}}
      """
  }
}
