import FlagDefinitions
import FlagPublishing
import TestSupport
import Testing

@Suite("flagctl diff")
struct DiffTests {
  @Test("The text of a comparison has flags, users, rules, and whether the shares are exact")
  func tells() throws {
    let run = Transcript(["diff", "old.json", "new.json"], files: Self.files)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(run.exitCode == 2 && run.errors.isEmpty)
    #expect(
      lines.prefix(6) == [
        "fresh: new flag: no flag → on for everyone",
        "noted: metadata changed: no change for users",
        "share: rule changed: off → on for 12.5 % of users",
        "  rule before: 12.5 % get on, 87.5 % get off", "  rule now: 25 % get on, 75 % get off",
        "sized: variants changed: on = 1 → on = 2 for everyone",
      ])
    try #require(lines.count == 11)
    #expect(
      lines.suffix(5) == [
        "where: rule changed: users like these get another variant",
        #"  on → off: for example {"countryCode":"pt"}"#,
        "  rule before: if country is one of es, pt, then on", "  rule now: if country is one of es, then on",
        "5 flags change, 4 of them affecting users.",
      ])
  }

  @Test(
    "A share is all users only if it is, and exact only if its number is not rounded",
    arguments: [
      (999_999, 1, "99.9999 % of users"), (1, 999_999, "0.0001 % of users"),
      (1, 2, "about 33.33 % of users"), (1, 7, "12.5 % of users"),
    ])
  func tellsShares(on: Int, off: Int, words: String) {
    func document(_ rule: String) -> String { Self.document(#""f": \#(Self.flag(rule))"#) }
    let files = [
      "old": document(#"{"if": [true, "off"]}"#),
      "new": document(#"{"fractional": [["on", \#(on)], ["off", \#(off)]]}"#),
    ]
    let run = Transcript(["diff", "old", "new"], files: files)
    #expect(run.output.hasPrefix("f: rule changed: off → on for \(words)\n"), "\(run.output)")
  }

  @Test("Without a change for users, the exit code is 0")
  func tellsNothing() {
    let same = Transcript(["diff", "old.json", "old.json"], files: Self.files)
    #expect(same == Transcript(output: "No flag changes.\n"))
    let files = [
      "a": Self.document(#""f": {\#(Self.flag)}"#), "b": Self.document(#""f": {\#(Self.flag), "metadata": {}}"#),
    ]
    #expect(Transcript(["diff", "a", "b"], files: files) == Transcript(output: "No flag changes.\n"))
    let noted = files.merging(["c": Self.document(#""f": {\#(Self.flag), "metadata": {"a": 1}}"#)]) { $1 }
    #expect(
      Transcript(["diff", "a", "c"], files: noted)
        == Transcript(
          output: """
            f: metadata changed: no change for users
            1 flag changes, with no change for users.

            """))
  }

  @Test("For programs it is JSON of a version")
  func writesJSON() {
    let files = [
      "old": Self.document(#""f": {\#(Self.flag)}"#),
      "new": Self.document(#""f": {"state": "DISABLED", \#(Self.rest)}"#),
    ]
    #expect(
      Transcript(["diff", "old", "new", "--json"], files: files)
        == Transcript(
          output: """
            {"flags":[{"affectsUsers":true,"differences":["state"],"examples":[],"isCutShort":false,\
            "isExact":true,"key":"f","moves":[{"from":{"kind":"variant","value":1,"variant":"on"},"share":1,\
            "to":{"kind":"default","value":null,"variant":null}}],"rules":{"new":null,"old":null},\
            "share":1,"users":null}],"hasChanges":true,"isDecided":true,"new":"new","old":"old",\
            "steps":50000000,"users":0,"version":1}

            """, exitCode: 2))
  }

  @Test("With --by it says how the share differs by the values of an attribute, in words and in JSON")
  func tellsParts() throws {
    var files = Self.files
    files["users"] = #"""
      {"countryCode": "pt", "plan": {"name": "free"}}
      {"countryCode": "es", "plan": {"name": "pro"}}
      {"countryCode": "es"}

      """#
    let words = ["diff", "old.json", "new.json", "--attributes=users", "--by", "plan.name"]
    let run = Transcript(words, files: files)
    let lines = run.output.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("where: ") })
    #expect(
      lines[start...].prefix(5) == [
        "where: rule changed: 1 of your 3 users (33.33 %)", "  on → off: 1", "  no plan.name: 0 of 1 user",
        "  plan.name=free: 1 of 1 user", "  plan.name=pro: 0 of 1 user",
      ])
    #expect(lines.contains("  the same for every plan.name"), "what is exact is alike for everyone")
    let json = Transcript(words + ["--json"], files: files).output
    #expect(json.hasPrefix(#"{"by":"plan.name","flags":["#))
    #expect(json.contains(#"{"kind":"value","moved":1,"users":1,"value":"free"}"#))
    #expect(json.contains(#"{"kind":"none","moved":0,"users":1,"value":null}"#))
    #expect(Transcript(["diff", "old.json", "new.json", "--by="], files: files).exitCode == 64)
  }

  @Test("Many values of an attribute are summed up as others")
  func boundsParts() throws {
    var files = Self.files
    files["users"] = (0..<300).map { #"{"countryCode": "pt", "n": \#($0)}"# + "\n" }.joined()
    let many = Transcript(["diff", "old.json", "new.json", "--attributes=users", "--by=n"], files: files)
    #expect(many.output.contains("  other values of n: 200 of 200 users"))
    #expect(many.output.contains("  and 81 more values of n\n"))
  }

  @Test("Each user of a file of attributes is asked")
  func readsAttributes() {
    var files = Self.files
    files["users"] = "{\"countryCode\": \"pt\"}\n\n{\"countryCode\": \"pt\", \"targetingKey\": \"ana\"}\n"
    let run = Transcript(["diff", "old.json", "new.json", "--attributes=users"], files: files)
    #expect(run.output.contains("where: rule changed: 2 of your 2 users (100 %)\n  on → off: 2\n"))
    #expect(run.output.contains("share: rule changed: ") && !run.output.contains("for 12.5 % of users"))
  }

  @Test(
    "Users that cannot be read are an error with the line",
    arguments: [
      ("{}\n1\n", "users:2: expected an object of attributes, found integer\n"),
      ("\n", "users:1: expected an object of attributes, found nothing\n"),
    ])
  func refusesAttributes(text: String, message: String) {
    let files = Self.files.merging(["users": text]) { $1 }
    let run = Transcript(["diff", "old.json", "new.json", "--attributes=users"], files: files)
    #expect(run == Transcript(errors: message, exitCode: 1))
  }

  @Test("Where the steps of the run do not last, it says how many users were asked")
  func tellsBound() throws {
    var files = Self.files
    files["users"] = (0..<1000).map { #"{"countryCode": "es", "n": \#($0)}"# + "\n" }.joined()
    let words = ["diff", "old.json", "new.json", "--attributes=users", "--steps=8000"]
    let run = Transcript(words, files: files)
    let line = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("where: ") })
    let users = try #require(
      line.firstMatch(of: /none of your (\d+) users, and users like these/).flatMap { Int($0.1) })
    #expect(users >= 16 && users < 500)
    #expect(
      run.output.hasSuffix(
        """
        5 flags change, 4 of them affecting users.
        The run's 8000 steps did not last to ask all 1000 users about 1 of the flags: --steps gives it more.

        """))
    #expect(Transcript(words, files: files) == run)
    let json = Transcript(words + ["--json"], files: files)
    #expect(json.output.contains(#""users":\#(users)}"#) && json.output.contains(#""isCutShort":true"#))
  }

  @Test("Without steps an effect is not decided, and the text says so")
  func tellsUnknown() {
    let files = [
      "a": Self.document(#""f": \#(Self.flag(#"{"if": [{"var": "a"}, "on"]}"#))"#),
      "b": Self.document(#""f": \#(Self.flag(#"{"if": [{"var": "b"}, "on"]}"#))"#),
    ]
    #expect(
      Transcript(["diff", "a", "b", "--steps", "0"], files: files)
        == Transcript(
          output: """
            f: rule changed: not decided: the rules could not be solved
              rule before: if a, then on
              rule now: if b, then on
            1 flag changes, 1 of them not decided.

            """, exitCode: 4))
  }

  @Test("Users are found by solving the rules, and long rules are shown where they differ")
  func solves() throws {
    let conditions = (1...10).map { #"{"==": [{"var": "attribute\#($0)"}, "x\#($0)"]}"# }.joined(separator: ",")
    func document(_ result: String) -> String {
      Self.document(#""f": \#(Self.flag(#"{"if": [{"and": [\#(conditions)]}, "\#(result)"]}"#))"#)
    }
    let files = ["a": document("off"), "b": document("on")]
    let run = Transcript(["diff", "a", "b"], files: files)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(run.exitCode == 2)
    try #require(lines.count == 5)
    #expect(lines[0] == "f: rule changed: users like these get another variant")
    #expect(lines[1].hasPrefix(#"  off → on: for example {"attribute1":"x1","attribute10":"x10","attribute2":"x2","#))
    #expect(lines[2] == "  rule before: …te9 is x9 and attribute10 is x10, then off")
    #expect(lines[3] == "  rule now: …te9 is x9 and attribute10 is x10, then on")
    let json = Transcript(["diff", "a", "b", "--json"], files: files).output
    #expect(json.contains(#""affectsUsers":true,"#) && json.contains(#""rules":{"new":{"if":[{"and":[{"=="#))
    #expect(json.contains(#""attributes":{"attribute1":"x1""#))
  }

  @Test(
    "A change that cannot be solved is undecided, with its own exit code; one that affects nobody says so",
    arguments: [
      (
        #"{"if": [{"==": [{"%": [{"*": [{"var": "n"}, 7]}, 1000]}, 3]}, "on"]}"#, "off",
        "f: rule changed: not decided: the rules could not be solved\n", 4
      ),
      (
        #"{"if": [{"in": [{"var": "c"}, ["a", "b"]]}, "on"]}"#, #"{"if": [{"in": [{"var": "c"}, ["b", "a"]]}, "on"]}"#,
        "f: rule changed: no change for any user: every case of the rules was tried\n", 0
      ),
      (
        #"{"if": [{"or": [{"var": "a"}, {"and": [{"var": "b"}, {"var": "c"}]}]}, "on"]}"#,
        #"{"if": [{"and": [{"or": [{"var": "a"}, {"var": "b"}]}, {"var": "c"}]}, "on"]}"#,
        #"  rule before: {"if":[{"or":[{"var":"a"},{"and":[{"var":"b"},{"var":"c"}]}]},"on"]}"#, 2
      ),
    ] as [(String, String, String, Int32)])
  func decides(old: String, new: String, words: String, exitCode: Int32) {
    func document(_ rule: String) -> String {
      Self.document(#""f": \#(Self.flag(rule == "off" ? #"{"if": [true, "off"]}"# : rule))"#)
    }
    let run = Transcript(["diff", "a", "b"], files: ["a": document(old), "b": document(new)])
    #expect(run.output.contains(words) && run.exitCode == exitCode, "\(run.output)")
  }

  @Test("A document is compared with what the servers of a set run, and one set with another")
  func comparesSets() async throws {
    let fleet = MemoryFleet()
    let old = Self.document(#""f": {\#(Self.flag)}"#)
    try await fleet.publish(old)
    let files = ["new": Self.document(#""f": {"state": "DISABLED", \#(Self.rest)}"#), "old": old]
    let words = """
      f: switched on or off: on → the code's default for everyone
      1 flag changes, 1 of them affecting users.

      """
    #expect(try await fleet.run("diff", "new", files: files) == Transcript(output: words, exitCode: 2))
    #expect(try await fleet.run("diff", "old", files: files) == Transcript(output: "No flag changes.\n"))
    let store = fleet.store("eu")
    let text = Array(files["new", default: ""].utf8)
    _ = try await store.publish(text, expecting: nil, percent: nil, note: PublicationNote(author: "ana"))
    let sets = try await fleet.run("diff", "--set=production", "--set=eu", "--json")
    #expect(sets.exitCode == 2 && sets.output.contains(#""new":"eu at revision 1","old":"production at revision 1""#))
    let both = try await fleet.run("diff", "old", "new", files: files)
    #expect(both.errors.hasPrefix("flagctl: a set is compared with one NEW document, or with another set, found "))
    let gone = try await fleet.run("diff", "old", "--set=gone", files: files)
    #expect(gone.errors.contains("nothing has been published yet"))
  }

  @Test("A document that cannot be read is an error, not a change")
  func refusesDocument() {
    let run = Transcript(["diff", "old.json", "bad"], files: Self.files.merging(["bad": "{"]) { $1 })
    #expect(run.exitCode == 1 && run.errors.hasPrefix("bad:1:2: error: $: "))
  }

  private static let rest = #""variants": {"on": 1, "off": 0}, "defaultVariant": "on""#
  private static let flag = #""state": "ENABLED", \#(rest)"#

  private static func document(_ flags: String) -> String { #"{"flags": {\#(flags)}}"# }

  private static func flag(_ targeting: String) -> String {
    #"{"state": "ENABLED", "variants": {"on": 1, "off": 0}, "defaultVariant": "off", "targeting": \#(targeting)}"#
  }

  private static let files = [
    "old.json": document(
      #"""
      "same": {\#(flag)}, "noted": {\#(flag)}, "sized": {\#(flag)},
      "share": \#(flag(#"{"fractional": [["on", 1], ["off", 7]]}"#)),
      "where": \#(flag(#"{"if": [{"in": [{"var": "countryCode"}, ["es", "pt"]]}, "on"]}"#))
      """#),
    "new.json": document(
      #"""
      "same": {\#(flag)}, "noted": {\#(flag), "metadata": {"owner": "me"}}, "fresh": {\#(flag)},
      "sized": {"state": "ENABLED", "variants": {"on": 2, "off": 0}, "defaultVariant": "on"},
      "share": \#(flag(#"{"fractional": [["on", 1], ["off", 3]]}"#)),
      "where": \#(flag(#"{"if": [{"in": [{"var": "countryCode"}, ["es"]]}, "on"]}"#))
      """#),
  ]
}
