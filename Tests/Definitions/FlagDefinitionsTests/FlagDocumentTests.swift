import FlagDomain
import FlagDefinitions
import FlagReview
import Foundation
import Testing

@Suite("Flag documents")
struct FlagDocumentTests {
  @Test(
    "A flag's answer follows from its state, rule and default variant",
    arguments: [
      (#""state": "DISABLED", "variants": {"on": true}, "defaultVariant": "on""#, "none DISABLED"),
      (#""state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on""#, "on STATIC"),
      (#""state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on", "targeting": {}"#, "on STATIC"),
      (#""state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on", "targeting": null"#, "on STATIC"),
      (#""state": "ENABLED", "variants": {"on": true}, "defaultVariant": """#, "none DEFAULT"),
      (#""state": "ENABLED", "variants": {"on": true}, "defaultVariant": null"#, "none DEFAULT"),
      (#""state": "ENABLED", "variants": {"on": true}"#, "none DEFAULT"),
      (#""state": "ENABLED", "variants": {"on": true}, "defaultVariant": "gone""#, "GENERAL"),
      (
        #""state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on", "targeting": {"var": "x"}"#,
        "on DEFAULT"
      ),
      (#""state": "ENABLED", "variants": {"on": true}, "targeting": {"var": "x"}"#, "none DEFAULT"),
      (#""state": "ENABLED", "variants": {"on": true}, "targeting": {"cat": ["o", "n"]}"#, "on TARGETING_MATCH"),
      (#""state": "ENABLED", "variants": {"true": 1}, "targeting": {"!": [0]}"#, "true TARGETING_MATCH"),
      (#""state": "ENABLED", "variants": {"on": true}, "targeting": {"!": [0]}"#, "GENERAL"),
      (#""state": "ENABLED", "variants": {"1": true}, "targeting": {"+": [1]}"#, "1 TARGETING_MATCH"),
      (#""state": "ENABLED", "variants": {"1": true}, "targeting": {"+": ["1", 1]}"#, "GENERAL"),
      (#""state": "ENABLED", "variants": {"0": true}, "targeting": {"+": [0]}"#, "GENERAL"),
      (#""state": "ENABLED", "variants": {"0": true}, "targeting": {"if": [true, 0.0]}"#, "GENERAL"),
      (#""state": "ENABLED", "variants": {"0": true}, "targeting": {"cat": [0]}"#, "0 TARGETING_MATCH"),
      (#""state": "ENABLED", "variants": {"1.5": true}, "targeting": {"+": [{"var": "none"}, 1.5]}"#, "GENERAL"),
      (#""state": "ENABLED", "variants": {"1.5": true}, "targeting": {"/": [3, 2]}"#, "1.5 TARGETING_MATCH"),
      (#""state": "ENABLED", "variants": {"1.5": true}, "targeting": {"merge": [1]}"#, "GENERAL"),
      (#""state": "ENABLED", "variants": {"on": true}, "targeting": {"nonsense": []}"#, "PARSE_ERROR"),
      (#""state": "on", "variants": {"on": true}"#, "PARSE_ERROR"),
      (#""state": "ENABLED", "variants": {}"#, "PARSE_ERROR"),
      (#""state": "ENABLED", "variants": {"a": 1e400}"#, "PARSE_ERROR"),
      (#""state": "ENABLED", "variants": {"on": true, "off": "no"}"#, "PARSE_ERROR"),
    ])
  func outcomes(fields: String, outcome: String) throws {
    #expect(
      try FlagDocument(#"{"flags": {"flag": {\#(fields)}, "other": {"state": "DISABLED", "variants": {"a": 1}}}}"#)
        .outcome() == outcome)
  }

  @Test("What is said of a malformed flag where it is read names the file and the place in it")
  func namesFile() throws {
    let document = try FlagDocument(
      parsing: Data(#"{"flags": {"flag": {"state": "on"}}}"#.utf8), file: "flags.json")
    let error = #expect(throws: FlagError.self) { try document.evaluate("flag", in: EvaluationContext(), at: 0) }
    #expect(
      error?.message
        == "flags.json: $.flags.flag.variants: expected an object with at least one variant, found nothing")
  }

  @Test("Rules see the flag's key and the time, whatever the context says")
  func reserved() throws {
    let document = try FlagDocument(
      rule:
        #"{"if": [{"and": [{"==": [{"var": "$flagd.flagKey"}, "flag"]}, {">": [{"var": "$flagd.timestamp"}, 9]}]}, "on"]}"#
    )
    #expect(document.outcome(["$flagd": ["timestamp": 99]], at: 9) == "off DEFAULT")
    #expect(document.outcome(["$flagd": 1], at: 10) == "on TARGETING_MATCH")
  }

  @Test(
    "An answer is transient where the rule can reach the time",
    arguments: [
      (#"{"var": "$flagd.timestamp"}"#, true), (#"{"if": [{"var": "x"}, {"$ref": "time"}]}"#, true),
      (#"{"var": {"var": "x"}}"#, true), (#"{"var": ""}"#, true), (#"{"var": "$flagd"}"#, true),
      (#"{"var": "$flagd.flagKey"}"#, false),
      (#"{"if": [{"some": [{"var": "l"}, {"==": [{"var": ""}, 1]}]}, "on"]}"#, false),
    ])
  func transience(rule: String, isTransient: Bool) throws {
    let document = try FlagDocument(
      rule: #"{"if": [{"var": "never"}, \#(rule), "on"]}"#, evaluators: #"{"time": {"var": "$flagd.timestamp"}}"#)
    #expect(try document.evaluate("flag", in: EvaluationContext(), at: 0)?.isTransient == isTransient)
  }

  @Test("A flag's metadata lies over the document's")
  func metadata() throws {
    let document = try FlagDocument(
      """
      {"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}, "metadata": {"owner": "growth", "n": 2}},
        "b": {"state": "DISABLED", "variants": {"x": 1}}}, "metadata": {"version": "7", "n": 1}}
      """)
    #expect(
      try document.evaluate("a", in: EvaluationContext(), at: 0)?.metadata == [
        "version": "7", "owner": "growth", "n": 2,
      ])
    #expect(try document.evaluate("b", in: EvaluationContext(), at: 0)?.metadata == ["version": "7", "n": 1])
    #expect(try document.evaluate("c", in: EvaluationContext(), at: 0) == nil)
  }

  @Test("A document's metadata lie below those of each flag, however many both are", arguments: [8, 9, 20_000])
  func sharedMetadata(count: Int) throws {
    let shared = (0..<count).map { "\"m\($0)\": \($0)" }.joined(separator: ",")
    let flags = (0..<2_000).map { number in
      #""f\#(number)": {"state": "DISABLED", "variants": {"a": 1}, "metadata": {"m0": "own"}}"#
    }
    let text = "{\"flags\": {\(flags.joined(separator: ","))}, \"metadata\": {\(shared)}}"
    let document = try FlagDocument(text)
    let metadata = try document.evaluate("f1000", in: EvaluationContext(), at: 0)?.metadata
    #expect(metadata?.count == count && metadata?["m0"] == "own" && metadata?["m7"] == 7)
    #expect(document.metadata(of: "f7") == metadata)
    #expect(try FlagDocument(text).changedKeys(from: document).isEmpty)
    let other = try FlagDocument(text.replacing("\"m7\": 7", with: "\"m7\": 8"))
    #expect(other.changedKeys(from: document).count == 2_000)
  }

  @Test(
    "A document that cannot be read as a whole says where and why",
    arguments: [
      ("", "1:1: error: $: expected a value, found the end of the document"),
      ("[]", #"1:1: error: $: expected an object with the member "flags", found an array"#),
      ("{}", #"1:1: error: $: expected the member "flags", found none"#),
      (
        #"{"flags": []}"#,
        "1:11: error: $.flags: expected an object with the flags by their keys, found an array, as only the flagd daemon reads it"
      ),
      (#"{"flags": 1}"#, "1:11: error: $.flags: expected an object with the flags by their keys, found a number"),
      ("{\"flags\": {},\n  }", "1:13: error: $: expected another member, found a trailing comma"),
      ("{\"flags\": {\n  \"é\": tru }}", "2:8: error: $.flags.é: expected a value, found \"tru\""),
      (#"{"flags": {}} x"#, #"1:15: error: $: expected the end of the document, found "x""#),
      (#"{"flags": {"a": 01}}"#, #"1:17: error: $.flags.a: expected a number without leading zeros, found "01""#),
      (
        "{\"flags\": {\"a\": \"\t\"}}",
        "1:18: error: $.flags.a: expected a string without control characters, found control character 9"
      ),
    ])
  func unreadable(text: String, diagnostic: String) {
    #expect(throws: FlagDocumentError.self) { try FlagDocument(text) }
    #expect(FlagDocument.diagnostics(in: Data(text.utf8)).map(\.description) == [diagnostic])
  }

  @Test("Bytes that are not UTF-8 are found where they are")
  func encoding() {
    let data = Data("{\"flags\":\n\"".utf8) + [0xff]
    #expect(
      FlagDocument.diagnostics(in: data).map(\.description) == [
        "2:2: error: $.flags: expected UTF-8, found the byte 0xff"
      ])
  }

  @Test("A byte order mark and the last of two equal keys count")
  func tolerance() throws {
    let document = try FlagDocument(
      "\u{feff}{\"flags\": {\"flag\": 1, \"flag\": {\"state\": \"DISABLED\", \"variants\": {\"a\": 1}}}}")
    #expect(document.outcome() == "none DISABLED")
  }

  @Test(
    "Shared rules are found before and after the flags that use them, and of several sections the last one counts",
    arguments: [
      #"{"$evaluators": {"e": {"!": [0]}}, FLAGS}"#, #"{FLAGS, "$evaluators": {"e": {"!": [0]}}}"#,
      #"{"$evaluators": {"e": {"!": [1]}, "huh": {"no": 1}}, FLAGS, "$evaluators": {"e": {"!": [0]}}}"#,
      #"{"$evaluators": 1, "$evaluators": {"e": {"!": [0]}}, FLAGS}"#,
      #"{"flags": {"other": 1}, "$evaluators": {"e": {"!": [0]}}, FLAGS}"#,
    ])
  func evaluators(text: String) throws {
    let flags = """
      "flags": {"flag": {"state": "ENABLED", "variants": {"on": 1, "off": 0}, "defaultVariant": "off",
        "targeting": {"if": [{"$ref": "e"}, "on"]}}}
      """
    let document = try FlagDocument(text.replacing("FLAGS", with: flags))
    #expect(document.outcome() == "on TARGETING_MATCH")
    #expect(document.diagnostics.allSatisfy { $0.severity == .warning && $0.message.contains("only the last one") })
    #expect(document.diagnostics.count <= 1 && Array(document.keys) == ["flag"])
  }

  @Test("Of members of a flag with one name the last one counts")
  func duplicates() throws {
    let document = try FlagDocument(
      """
      {"flags": {"flag": {"state": "DISABLED", "variants": {"on": "x", "on": 1, "off": 2}, "state": "ENABLED",
        "defaultVariant": "off", "targeting": {"if": [true, "off"], "if": [true, "on"]}}}}
      """)
    #expect(document.outcome() == "on TARGETING_MATCH")
    #expect(
      document.diagnostics.map(\.path) == [
        "$.flags.flag.state", "$.flags.flag.variants.on", "$.flags.flag.targeting.if",
      ])
    #expect(try document.evaluate("flag", in: EvaluationContext(), at: 0)?.value == 1)
  }

  @Test(
    "A document that is served and does not mean what it says has a warning when it is loaded",
    arguments: [
      (#""a": F, "a": F"#, "$.flags.a", "expected each key once: only the last flag of this key counts"),
      (#""a b": F"#, "$.flags[\"a b\"]", "expected a key without white space, of at most 1024 bytes"),
      (
        #""a": {"state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "y"}"#, "$.flags.a.defaultVariant",
        #"no variant is named "y""#
      ),
      (
        #""a": R{"if": [{"==": [{"var": "b"}, 1]}, "x", "z"]}}"#, "$.flags.a.targeting",
        #"the rule can give "z", which is not a variant"#
      ),
      (
        #""a": R{"if": [{"var": "b"}, {"fractional": [["x", 1], ["z", 1]]}]}}"#, "$.flags.a.targeting",
        #"the rule can give "z", which is not a variant"#
      ),
      (
        #""a": R{"in": ["de", {"var": "countries"}]}}"#, "$.flags.a.targeting",
        #"the rule can give "true", which is not a variant"#
      ),
      (
        #""a": R{"and": [{"var": "b"}, {"in": ["de", {"var": "countries"}]}, "x"]}}"#, "$.flags.a.targeting",
        #"the rule can give "false", which is not a variant"#
      ),
      (
        #""a": R{"or": [{"var": "b"}, "z"]}}"#, "$.flags.a.targeting",
        #"the rule can give "z", which is not a variant"#
      ),
      (
        #""a": R{"if": [{"var": "b"}, "x", "x"], "if": [{"var": "b"}, "x"]}}"#, "$.flags.a.targeting.if",
        "expected each member once: only the last one of this name counts"
      ),
    ])
  func warnings(flags: String, path: String, message: String) throws {
    let text = flags.replacing("F", with: #"{"state": "DISABLED", "variants": {"x": 1}}"#)
      .replacing("R", with: #"{"state": "ENABLED", "variants": {"x": 1}, "targeting": "#)
    let document = try FlagDocument("{\"flags\": {\(text)}}")
    #expect(document.diagnostics.map { "\($0.severity) \($0.path): \($0.message)" } == ["warning \(path): \(message)"])
    // A checker finds the same, and gives the document the same warnings.
    let checked = StoredDefinitions.checking(Array("{\"flags\": {\(text)}}".utf8))
    #expect(checked.diagnostics.contains { $0.path.hasPrefix(path) || path.hasPrefix($0.path) })
    #expect(checked.definitions?.document.diagnostics == document.diagnostics)
  }

  @Test(
    "A rule with a part that cannot be evaluated is an error, as for a checker, and its flag is broken",
    arguments: [
      (#"{"if": [{"$ref": "none"}, "x"]}"#, #"no evaluator is named "none""#),
      (#"{"if": [{"huh": 1}, "x"]}"#, #"expected an operator, found "huh""#),
      (
        #"{"if": [{"!": [{"sem_ver": [{"var": "v"}, "is", "1.0.0"]}]}, "x"]}"#,
        #"expected a relation, found the string "is""#
      ),
    ])
  func brokenRules(rule: String, message: String) throws {
    let text = #"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}, "targeting": \#(rule)}}}"#
    let document = try FlagDocument(text)
    #expect(
      document.diagnostics.map { "\($0.severity) \($0.path): \($0.message)" }
        == ["error $.flags.a.targeting: \(message)"])
    #expect(document.brokenKeys == ["a"])
    let checked = StoredDefinitions.checking(Array(text.utf8))
    #expect(checked.diagnostics.contains { $0.severity == .error && $0.path.hasPrefix("$.flags.a.targeting") })
  }

  @Test("A document that means what it says has no warnings")
  func noWarnings() throws {
    let document = try FlagDocument(
      """
      {"$evaluators": {"unused": {"huh": 1}, "arm": {"if": [{"var": "b"}, "x", null]}},
        "flags": {
          "off": {"state": "DISABLED", "variants": {"x": 1}, "defaultVariant": ""},
          "ref": {"state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "x", "targeting": {"$ref": "arm"}},
          "open": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"var": "arm"}},
          "bool": {"state": "ENABLED", "variants": {"true": true, "false": false}, "targeting": {"==": [{"var": "b"}, 1]}},
          "and": {"state": "ENABLED", "variants": {"x": 1, "false": 2}, "targeting": {"and": [{"==": [{"var": "b"}, 1]}, "x"]}}
        }}
      """)
    #expect(document.diagnostics == [])
  }

  @Test("The first hundred diagnostics are kept, and the others counted", arguments: [99, 100, 101, 5_000])
  func diagnosticsLimit(count: Int) throws {
    let flags = (0..<count).map { "\"f\($0)\": \($0)" }.joined(separator: ",")
    let document = try FlagDocument("{\"flags\": {\(flags)}}")
    #expect(document.diagnostics.map(\.path) == (0..<min(count, 100)).map { "$.flags.f\($0)" })
    #expect(document.omittedDiagnostics == max(0, count - 100))
    #expect(Array(document.keys).count == count)
    #expect(FlagDocument.diagnostics(in: Data("{\"flags\": {\(flags)}}".utf8)).count == count)
  }

  @Test("What is wrong with a document from a file names the file")
  func files() throws {
    let document = try FlagDocument(parsing: Data(#"{"flags": {"a": 1}}"#.utf8), file: "a/flags.json")
    #expect(document.diagnostics.map(\.file) == ["a/flags.json"])
    #expect(document.diagnostics.first?.description.hasPrefix("a/flags.json:1:17: error: $.flags.a: ") == true)
    for text in ["{", "[]", #"{"flags": 1}"#] {
      let error = #expect(throws: FlagDocumentError.self) {
        try FlagDocument(parsing: Data(text.utf8), file: "a/flags.json")
      }
      #expect(error?.description.hasPrefix("a/flags.json:1:") == true)
    }
  }

  @Test("Of merged documents the later one counts, and the changed keys are those defined differently")
  func merging() throws {
    let texts = [
      #"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}}, "b": {"state": "DISABLED", "variants": {"x": 1}}}}"#,
      #"{"flags": {"b": {"state": "ENABLED", "variants": {"x": 2}, "defaultVariant": "x"}, "c": 1}}"#,
    ]
    let parts = try texts.map { try StoredDefinitions(parsing: Array($0.utf8)) }
    let (first, second, merged) = (parts[0].document, parts[1].document, try StoredDefinitions(merging: parts).document)
    #expect(Set(merged.keys) == ["a", "b", "c"])
    #expect(try merged.evaluate("b", in: EvaluationContext(), at: 0)?.value == 2)
    #expect(merged.changedKeys(from: first) == ["b", "c"])
    #expect(second.changedKeys(from: merged) == ["a"])
    #expect(merged.changedKeys(from: merged).isEmpty)
  }

  @Test("Flags with the same rule each evaluate it for themselves; rules that only look alike are two")
  func sharesRules() throws {
    func flag(_ name: String, _ rule: String) -> String {
      """
      "\(name)": {"state": "ENABLED", "variants": {"on": 1, "off": 0}, "defaultVariant": "off", "targeting": \(rule)}
      """
    }
    let split = #"{"fractional": [["on", 50], ["off", 50]]}"#
    let flags = (0..<40).map { flag("split-\($0)", split) }
    // The same character of one scalar and of two: equal for Swift, different in the format.
    let variant = "\"variants\": {\"\u{e9}\": 1}"
    let alike = ["composed": "\u{e9}", "decomposed": "e\u{301}"].map { name, text in
      "\"\(name)\": {\"state\": \"ENABLED\", \(variant), \"targeting\": {\"if\": [true, \"\(text)\"]}}"
    }
    let document = try FlagDocument("{\"flags\": {\((flags + alike).joined(separator: ","))}}")
    let variants = try (0..<40).map { number in
      try document.evaluate("split-\(number)", in: EvaluationContext(user: FlagUser(id: "u")), at: 0)?.variant
    }
    #expect(Set(variants) == ["on", "off"])
    #expect(try document.evaluate("composed", in: EvaluationContext(), at: 0)?.value == 1)
    #expect(throws: FlagError.self) { try document.evaluate("decomposed", in: EvaluationContext(), at: 0) }
  }
}
