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
    let estimate = try Pair(to: change).estimate()
    #expect(estimate.isExact && estimate.share == share && estimate.standardError == 0)
    #expect(estimate.interval == share...share)
    #expect(estimate.moves.map { "\($0.words.old) > \($0.words.new) \($0.share)" } == moves)
  }

  @Test("Two splits of one line of ids differ where their ends do, to the last part")
  func comparesSplits() throws {
    let old = #"{"targeting": {"fractional": [["on", 10], ["off", 20]]}}"#
    let new = #"{"targeting": {"fractional": [["on", 3], ["off", 3], ["on", 1]]}}"#
    let estimate = try Pair(from: old, to: new).estimate()
    // From 1/3 to 3/7 it is on, and from 6/7 on: 2/21 and 3/21.
    #expect(estimate.isExact && estimate.share == 5.0 / 21)
    #expect(estimate.moves.map { "\($0.old) > \($0.new)" } == ["off > on"])
  }

  @Test("What users are put into shares by may be a text of their ids, if it is the same before and after")
  func comparesSubjects() throws {
    func rule(_ salt: String, _ weight: Int) -> String {
      #"{"targeting": {"fractional": [{"cat": ["\#(salt)", {"var": "targetingKey"}]}, ["on", \#(weight)], ["off", 1]]}}"#
    }
    let grown = try Pair(from: rule("a", 1), to: rule("a", 3)).estimate()
    #expect(grown.isExact && grown.share == 0.25)
    let salted = try Pair(from: rule("a", 1), to: rule("b", 1)).estimate()
    #expect(!salted.isExact && abs(salted.share - 0.5) < 0.1)
  }

  @Test(
    "A split by anything but the id is tried with users, and is not called exact",
    arguments: [
      ("\"k\"", true), ("7", true), ("true", true), (#"{"cat": ["k", 1]}"#, true), (#"{"var": "company"}"#, false),
      (#"{"var": "visitorID"}"#, false), (#"{"cat": [{"var": "targetingKey"}, {"var": "plan"}]}"#, false),
    ])
  func asksOfOtherSubjects(subject: String, isOneForAll: Bool) throws {
    let change = #"{"targeting": {"fractional": [\#(subject), ["on", 1], ["off", 1]]}}"#
    let estimate = try Pair(to: change).estimate()
    #expect(!estimate.isExact && estimate.users == 500)
    #expect([0, 1].contains(estimate.share) == isOneForAll, "\(estimate.share)")
  }

  @Test("A new flag and one that is gone are changes for everyone")
  func addsAndRemoves() throws {
    let empty = try StoredDefinitions(parsing: Array(#"{"flags": {}}"#.utf8))
    let full = try StoredDefinitions(parsing: Array(Pair.document("{}").utf8))
    let added = try DefinitionComparison(from: empty, to: full)
    #expect(added.changedKeys == ["f"] && added.differences(of: "f") == [.added])
    #expect(added.estimate(of: "f", at: 0).moves.map { "\($0.old) > \($0.new)" } == ["no flag > off"])
    let removed = try DefinitionComparison(from: full, to: empty)
    #expect(removed.differences(of: "f") == [.removed] && removed.estimate(of: "f", at: 0).share == 1)
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
    #expect(comparison.estimate(of: "gone", at: 0).share == 1)
    let users = Audience(profiles: [["countryCode": "es"], ["countryCode": "pt"]])
    #expect(abs(comparison.estimate(of: "spain", among: users, at: 0).share - 0.5) < 0.1)
    // The rule reads the country, so some simulated users have no country.
    #expect(comparison.estimate(of: "spain", among: Audience(users: 100), at: 0).share > 0)
    let mixed = try DefinitionComparison(
      from: stored("f = on"), to: StoredDefinitions(parsing: Array(Pair.document("{}").utf8)))
    #expect(mixed.differences(of: "f") == [.rule, .variants])
  }

  @Test("What is not as it was is told, a shared rule that the flag uses included")
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
    "Other shares are estimated among users who have what rules compare with, another value, or none",
    arguments: [
      // Of two countries, another one and none, one is; of an age below, at and above the limit and none, two are.
      (#"{"in": [{"var": "countryCode"}, ["es", "pt"]]}"#, 0.5), (#"{"==": [{"var": "app.country"}, "es"]}"#, 1.0 / 3),
      (#"{">=": [{"var": "age"}, 18]}"#, 0.5), (#"{"in": ["beta", {"var": "segments"}]}"#, 1.0 / 3),
      (#"{"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}"#, 0.4), (#"{"var": "paid"}"#, 1.0 / 3),
      (#"{"$ref": "shared"}"#, 0.5), (#"{"!": [{"var": "paid"}]}"#, 2.0 / 3),
    ] as [(String, Double)])
  func estimates(condition: String, share: Double) throws {
    let pair = try Pair(to: #"{"targeting": {"if": [\#(condition), "on"]}}"#)
    let estimate = pair.estimate(among: Audience(users: 600))
    #expect(!estimate.isExact && estimate.users == 600)
    #expect(abs(estimate.share - share) < 4 * (share * (1 - share) / 600).squareRoot())
    #expect(estimate.interval.contains(estimate.share) && estimate.standardError > 0)
    #expect(abs(estimate.standardError - (estimate.share * (1 - estimate.share) / 600).squareRoot()) < 1e-12)
  }

  @Test("A seed draws the same users again, and another one other users")
  func drawsBySeed() throws {
    let pair = try Pair(to: #"{"targeting": {"if": [{"==": [{"var": "a"}, "x"]}, "on"]}}"#)
    let shares = [1, 1, 2].map { pair.estimate(among: Audience(users: 300, seed: $0)).share }
    #expect(shares[0] == shares[1] && shares[0] != shares[2])
  }

  @Test("Users whose attributes are given are drawn from these, with ids of their own where they have none")
  func drawsProfiles() throws {
    let pair = try Pair(to: #"{"targeting": {"if": [{"==": [{"var": "a"}, 1]}, "on"]}}"#)
    #expect(pair.estimate(among: Audience(users: 50, profiles: [["a": 1]])).share == 1)
    let none = pair.estimate(among: Audience(users: 50, profiles: [["a": 2], [:]]))
    #expect(none.share == 0 && none.moves.isEmpty && none.interval.upperBound > 0.01)
    // Users who are known are asked, whatever the weights are: this one is on one side.
    let split = try Pair(to: #"{"targeting": {"fractional": [["on"], ["off"]]}}"#)
    let known = split.estimate(among: Audience(users: 20, profiles: [["targetingKey": "ana"]]))
    #expect(!known.isExact && [0, 1].contains(known.share))
    #expect(split.estimate(among: Audience(users: 20, profiles: [["a": 1]])).isExact)
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
    let audience = Audience(users: 100_000, steps: 300_000)
    let estimates = comparison.estimates(among: audience, at: 0)
    // A user takes more than 600 steps of each flag: there are ten or so for each, or the first lot of them.
    let users = estimates.compactMap(\.users)
    #expect(users.count == 50 && users.allSatisfy { $0 <= 16 })
    #expect(users.filter { $0 > 0 }.count > 5 && estimates.allSatisfy(\.isCutShort))
    #expect(comparison.estimates(among: audience, at: 0) == estimates)
    let unasked = try #require(estimates.first { $0.isUnknown })
    #expect(unasked.interval == 0...1 && unasked.standardError == 0.5 && unasked.moves.isEmpty)
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
    let users = comparison.estimates(among: Audience(users: 300, steps: 30_000), at: 0).map(\.users)
    #expect(users == [nil, 300, 300])
    let fewer = comparison.estimates(among: Audience(users: 300, steps: 8_000), at: 0).compactMap(\.users)
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

  func estimate(among audience: Audience = Audience(users: 500)) -> AudienceEstimate {
    comparison.estimate(of: "f", among: audience, at: 0)
  }

  /// A document of a flag whose last members are those of an object.
  static func document(_ members: String) -> String {
    let rest = members.dropFirst().dropLast()
    return """
      {"flags": {"f": {"state": "ENABLED", "variants": {"on": 1, "off": 2}, "defaultVariant": "off"\
      \(rest.isEmpty ? "" : ", \(rest)")}}, "$evaluators": {"shared": {"in": [{"var": "c"}, ["x", "y"]]}}}
      """
  }
}
