import FlagCLI
import Testing

@Suite("flagctl explain")
struct ExplainTests {
  @Test("The text says what was tried, what it gave, and why the value is what it is")
  func text() {
    #expect(
      explain("split", "--user", #"{"country": "es", "targetingKey": "u"}"#)
        == Transcript(
          output: """
            flag: split
            value: 20
            variant: b
            reason: TARGETING_MATCH, the rule gave the name of the variant
            metadata: {"owner":"growth"}
            rule:
              {"if":[...]} gave "b"
                {"in":[{"var":"country"},["es","pt","fr","de","it"]]} gave true
                  {"var":"country"} gave "es"
                {"fractional":[["a",50],["b",50]]}: bucket 53 of 100 gave "b"

            """))
  }

  @Test("A comparison that fails by capital and small letters alone is noted")
  func notesLetterCase() {
    let rule = #"{"if": [{"in": [{"var": "countryCode"}, ["es", "pt"]]}, "on", {"==": [{"var": "plan"}, "Pro"]}]}"#
    let file = #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": 1, "false": 2}, "targeting": \#(rule)}}}"#
    let context = #"{"countryCode": "ES", "plan": "free"}"#
    let run = Transcript(["explain", "f", "--flags", "a", "--user", context], files: ["a": file])
    let notes = run.output.split(separator: "\n").filter { $0.contains("note: ") }
    #expect(notes == [#"      note: "ES" and "es" differ in capital and small letters alone"#])
  }

  @Test(
    "The reason is put into words",
    arguments: [
      ("split", "DEFAULT, the rule gave null, and so the default variant is served", 0),
      ("plain", "STATIC, the flag has no rule, and so its default variant is served", 0),
      ("bare", "DEFAULT, the flag has neither a rule nor a default variant", 0),
      ("off", "DISABLED, the flag is disabled", 0),
      ("wrong", "ERROR", 1), ("absent", "ERROR", 1),
    ])
  func reasons(flag: String, reason: String, exitCode: Int32) {
    let transcript = explain(flag)
    #expect(transcript.output.contains("reason: \(reason)\n"))
    #expect(transcript.exitCode == exitCode)
  }

  @Test("A share without users for lack of a targeting key is reported")
  func missingTargetingKey() {
    #expect(
      explain("split", "--user", #"{"country": "es"}"#).output.contains(
        """
        reason: DEFAULT, the rule gave null, and so the default variant is served
        note: a rule needs the targeting key to choose a share, and the context has none
        metadata: {"owner":"growth"}
        """))
    #expect(!explain("split").output.contains("targeting key"))
    let json = explain("split", "--json", "--user", #"{"country": "es"}"#).output
    #expect(json.contains(#""isMissingTargetingKey":true"#))
  }

  @Test("An error has the flag's metadata, as its value has")
  func metadataOfErrors() {
    #expect(explain("wrong").output.contains("found \"nonsense\"\nmetadata: {\"owner\":\"growth\"}\n"))
  }

  @Test("The JSON has the same facts, and a version")
  func json() {
    #expect(
      explain("wrong", "--json")
        == Transcript(
          output: """
            {"diagnostics":[{"column":68,"file":"f.json","line":8,"message":"expected an operator, found the string \
            \\"nonsense\\"","path":"$.flags.wrong.targeting","severity":"error"}],\
            "errorCode":"PARSE_ERROR","errorMessage":"expected an operator, found \\"nonsense\\"",\
            "isMissingTargetingKey":false,"key":"wrong","metadata":{"owner":"growth"},\
            "omittedSteps":0,"reason":"ERROR","steps":[{"bucket":null,"iteration":null,"parts":[],\
            "rule":{"broken":"expected an operator, \
            found \\"nonsense\\""},"value":null}],"value":null,"variant":null,"version":1}

            """, exitCode: 1))
  }

  @Test("What is wrong with the flag is said after its value, in the file whose flag counts, and nothing of others")
  func diagnostics() {
    let flag = #"{"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on""#
    let files = [
      "a.json": #"{"flags": {"f": \#(flag), "targetting": {}}, "other": 1}}"#,
      "b.json": #"{"flags": {"f": \#(flag), "targeting": {"if": [{"$ref": "e"}, "no", "on"]}}, "other": 1},"#
        + #" "$evaluators": {"e": {"startswith": ["a", {"var": "b"}]}}}"#,
    ]
    #expect(
      Transcript(["explain", "--flags", "a.json", "--flags", "b.json", "f"], files: files)
        == Transcript(
          output: """
            flag: f
            value: the code's default
            reason: ERROR
            error: PARSE_ERROR: expected an operator, found "startswith"
            rule:
              {"if":[{"broken":"expected an operator, found \\"startswith\\""},"no","on"]} failed
                {"broken":"expected an operator, found \\"startswith\\""} failed
            diagnostics:
              b.json:1:121: error: $.flags.f.targeting.if[1]: the rule can give "no", which is not a variant
              b.json:1:170: error: $.$evaluators.e: expected an operator, found the string "startswith": \
            did you mean "starts_with"?

            """, exitCode: 1))
    #expect(
      Transcript(["explain", "--flags", "b.json", "--flags", "a.json", "f"], files: files).output.hasSuffix(
        """
        diagnostics:
          a.json:1:99: warning: $.flags.f.targetting: the member "targetting" means nothing here: \
        did you mean "targeting"?

        """))
  }

  @Test(
    "A user without a form is an error of the command line",
    arguments: [
      ("[]", "attributes such as id=ana,country=es, or a JSON object, found []"),
      (
        "{",
        "an object of attributes, line 1, column 2: expected a name in quotation marks, found the end of the document"
      ),
    ])
  func badUser(user: String, message: String) {
    let errors = "flagctl: --user is \(message); see flagctl explain --help\n"
    #expect(explain("plain", "--user", user) == Transcript(errors: errors, exitCode: 64))
  }

  @Test(
    "Without a user, it says who gets what",
    arguments: [
      ("plain", "everyone gets a"), ("off", "everyone gets the code's default: the flag is off"),
      ("split", "if country is one of es, pt, fr, de, it, then 50 % get a, 50 % get b; anyone else gets b"),
    ])
  func tellsReceivers(flag: String, words: String) {
    #expect(explain(flag).output.hasPrefix("flag: \(flag)\nwho: \(words)\nvalue: "))
    #expect(!explain(flag, "--user=id=ana").output.contains("who: "))
  }

  @Test("A user is attributes with signs, or JSON; country and id have short names, whole numbers are numbers")
  func readsUsers() {
    let rule =
      #"{"if": [{"and": [{"==": [{"var": "countryCode"}, "es"]}, {"in": ["b", {"var": "segments"}]}, "#
      + #"{"===": [{"var": "logins"}, 12]}, {"===": [{"var": "zip"}, "08001"]}, {"===": [{"var": "pro"}, true]}, "#
      + #"{"===": [{"var": "targetingKey"}, "7"]}]}, "on"]}"#
    let file = #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": 1}, "targeting": \#(rule)}}}"#
    for user in [
      "id=7,country=es,segments=a,segments=b,logins=12,zip=08001,pro=true",
      #"{"targetingKey": "7", "countryCode": "es", "segments": ["b"], "logins": 12, "zip": "08001", "pro": true}"#,
    ] {
      let run = Transcript(["explain", "f", "--flags=f", "--user", user], files: ["f": file])
      #expect(run.output.contains("\nvariant: on\n"), "\(run)")
    }
  }

  private func explain(_ words: String...) -> Transcript {
    Transcript(["explain", "--flags", "f.json"] + words, files: ["f.json": Self.document])
  }

  private static let document = """
    {"flags": {
      "split": {"state": "ENABLED", "variants": {"a": 10, "b": 20.0}, "defaultVariant": "b", "targeting": {"if": [
        {"in": [{"var": "country"}, ["es", "pt", "fr", "de", "it"]]}, {"fractional": [["a", 50], ["b", 50]]}]},
        "metadata": {"owner": "growth"}},
      "plain": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a"},
      "bare": {"state": "ENABLED", "variants": {"a": 1}},
      "off": {"state": "DISABLED", "variants": {"a": 1}},
      "wrong": {"state": "ENABLED", "variants": {"a": 1}, "targeting": {"nonsense": 1},
        "metadata": {"owner": "growth"}}}}
    """
}
