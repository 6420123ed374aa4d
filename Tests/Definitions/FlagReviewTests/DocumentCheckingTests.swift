import FlagDefinitions
import FlagReview
import Foundation
import Testing

@Suite("Checking documents")
struct DocumentCheckingTests {
  @Test("A warning that many flags have is one line, with their number and its first place", arguments: [3, 4, 399])
  func groupsWarnings(count: Int) throws {
    func document(_ member: String) -> [UInt8] {
      let flag = #"{"state": "ENABLED", "variants": {"x": 1}, \#(member)}"#
      let flags = (0..<count).map { #""f\#($0)": \#(flag)"# }.joined(separator: ",\n")
      return Array(#"{"flags": {\#(flags), "g": 1}}"#.utf8)
    }
    let checked = FlagDocument.diagnostics(in: document(#""targeting": {"fractional": [["x", 1]]}"#))
    let loaded = try FlagDocument(parsing: document(#""defaultVariant": "y""#)).diagnostics
    #expect(checked.count { $0.severity == .warning } == count)
    guard count > 3 else {
      return #expect(checked.lines == checked.map(\.description) && loaded.lines == loaded.map(\.description))
    }
    let words = "a single share goes to everyone with an id, whatever its weight: add shares for the others"
    let line = "1:\(checked[0].column): warning: \(count) flags: \(words), first at \(checked[0].path)"
    #expect(checked.lines == [line, try #require(checked.last).description])
    let errors = FlagDocument.diagnostics(in: document(#""defaultVariant": "y""#))
    let error = #"1:\#(errors[0].column): error: \#(count) flags: no variant is named "y", first at \#(errors[0].path)"#
    #expect(errors.lines == [error, try #require(errors.last).description] && errors.count == count + 1)
    let flags = count == 4 ? "4" : "99 or more"
    #expect(
      loaded.lines.first?.hasSuffix(
        #": warning: \#(flags) flags: no variant is named "y", first at $.flags.f0.defaultVariant"#) == true)
  }

  @Test(
    "What a schema cannot see is a warning",
    arguments: [
      (
        #"{"fractional": [["a", 0], ["b", 0]]}"#,
        "$.flags.f.targeting.fractional: expected weights that sum to more than 0: no one falls into a share"
      ),
      (
        #"{"fractional": [["a", 2147483647], ["b", 1]]}"#,
        "$.flags.f.targeting.fractional: expected weights that sum to at most 2147483647"
      ),
      (
        #"{"fractional": [["a", 10]]}"#,
        "$.flags.f.targeting.fractional: a single share goes to everyone with an id, whatever its weight: "
          + "add shares for the others"
      ),
      (
        #"{"fractional": [{"var": "email"}, ["a", 10]]}"#,
        "$.flags.f.targeting.fractional: a single share goes to everyone who has what the split is by, whatever its "
          + "weight: add shares for the others"
      ),
      (#"{"if": [{"var": "x"}, "a"]}"#, "$.flags.f.variants.b: no rule reaches this variant"),
      (#"{"if": [true, "a", "b"]}"#, "$.flags.f.variants.b: no rule reaches this variant"),
      (
        #"{"$ref": "known"}"#,
        "$.flags.f.targeting: the format's schema allows an operator here, and a reference only inside one"
      ),
      (
        #"{"==": [1, 2], ">": [1, 2]}"#,
        "$.flags.f.targeting: expected one operator, found 2: an object of several members is a plain value"
      ),
      (
        #"{"if": [{"==": [{"var": ["plan", "free"]}, "free"]}, "a", "b"]}"#,
        #"$.flags.f.targeting.if[0]["=="][0].var[1]: the default is used if "plan" is missing, but not if it is "#
          + "null, unlike in some implementations"
      ),
    ])
  func warnings(rule: String, warning: String) {
    let diagnostics = diagnostics(rule)
    #expect(
      diagnostics.contains { "\($0.severity) \($0.path): \($0.message)" == "warning \(warning)" }, "\(diagnostics)")
    #expect(!diagnostics.contains { $0.severity == .error })
  }

  @Test(
    "What the schema refuses is an error",
    arguments: [
      (#"{"nonsense": 1}"#, #"$.flags.f.targeting: expected an operator, found the string "nonsense""#),
      (#"{"if": []}"#, "$.flags.f.targeting.if: expected an array of at least 1 operand, found an empty array"),
      (#"{"<": [1]}"#, #"$.flags.f.targeting["<"]: expected an array of 2 to 3 operands, found an array of 1 element"#),
      (
        #"{"==": [1, 2, 3]}"#,
        #"$.flags.f.targeting["=="]: expected an array of 2 operands, found an array of 3 elements"#
      ),
      (
        #"{"var": "$flagd.other"}"#,
        #"$.flags.f.targeting.var: expected $flagd.flagKey or $flagd.timestamp, found the string "$flagd.other""#
      ),
      (
        #"{"sem_ver": ["1.2.x", "=", {"var": "v"}]}"#,
        #"$.flags.f.targeting.sem_ver[0]: expected a version such as 1.2.3, or a variable, found the string "1.2.x""#
      ),
      (
        #"{"fractional": [["a", 1.5], ["b", 1]]}"#,
        "$.flags.f.targeting.fractional[0][1]: expected a whole number from 0 on, found the number 1.5"
      ),
      (#"{"if": [{}, "a", "b"]}"#, "$.flags.f.targeting.if[0]: expected a rule or a value, found an empty object"),
      (
        #"{"if": [{"missing": ["x", 1]}, "a", "b"]}"#,
        "$.flags.f.targeting.if[0].missing[1]: expected a name, found the integer 1"
      ),
      ("null", #"$.flags.f.targeting: expected a rule, or no member "targeting" at all, found null"#),
    ])
  func errors(rule: String, error: String) {
    #expect(errors(rule).filter { !$0.contains(", which ") } == [error])
  }

  @Test(
    "What is an error wherever it is evaluated is one here",
    arguments: [
      (
        #"{"if": [{"var": "x"}, "a", {"$ref": "gone"}]}"#,
        [#"$.flags.f.targeting.if[2].$ref: no evaluator of this document is named "gone""#]
      ),
      (
        #"{"if": [{"in": ["x", [{"$ref": "gone"}]]}, "a", "b"]}"#,
        [#"$.flags.f.targeting.if[0].in[1][0].$ref: no evaluator of this document is named "gone""#]
      ),
      (
        #"{"if": [{"var": "x"}, "a", "z"]}"#,
        [#"$.flags.f.targeting.if[2]: the rule can give "z", which is not a variant"#]
      ),
      (
        #"{"if": [{"var": "x"}, {"var": "y"}, 7]}"#,
        [#"$.flags.f.targeting.if[2]: the rule can give "7", which is not a variant"#]
      ),
      (
        #"{"if": [{"var": "x"}, [1], "a"]}"#,
        [
          "$.flags.f.targeting.if[1]: expected the name of a variant, a boolean or null, found an array of 1 element"
        ]
      ),
      (
        #"{"==": [{"var": "x"}, 1]}"#,
        [
          #"$.flags.f.targeting["=="]: the rule can give "true" and "false", which are not variants"#
        ]
      ),
      (
        #"{"and": [{"!": {"var": "x"}}, "a"]}"#,
        [#"$.flags.f.targeting.and[0]["!"]: the rule can give "false", which is not a variant"#]
      ),
      (
        #"{"or": [{"$ref": "boolean"}, "a"]}"#,
        [
          #"$.flags.f.targeting.or[0].$ref: the evaluator "boolean" can give "true", which is not a variant"#
        ]
      ),
      (
        #"{"if": [{"var": "x"}, {"$ref": "wrong"}, "a"]}"#,
        [#"$.flags.f.targeting.if[1].$ref: the evaluator "wrong" can give "z", which is not a variant"#]
      ),
    ])
  func certainErrors(rule: String, errors: [String]) {
    #expect(self.errors(rule) == errors)
  }

  @Test(
    "What the format allows has no diagnostics",
    arguments: [
      #"{"if": [{"in": [{"var": ["tier", {"var": "plan"}]}, ["x"]]}, "a", "b"]}"#,
      #"{"if": [{"var": ["tier", null]}, "a", "b"]}"#,
      #"{"if": [{"sem_ver": [{"var": "v"}, ">", "1"]}, "a", "b"]}"#,
      #"{"if": [{"sem_ver": ["1.2", "<=", {"var": "v"}]}, "a", "b"]}"#,
      #"{"if": [{"sem_ver": ["v1.2.3-beta+5", "<=", {"var": "v"}]}, "a", "b"]}"#,
      #"{"if": [{"var": "x"}, {"$ref": "known"}, "a"]}"#,
      #"{"if": [false, "gone", {"var": "x"}, "a", "b"]}"#,
      #"{"or": [{"and": [{"var": "x"}, "a"]}, "b"]}"#,
      #"{"fractional": [["a", 10], ["b", 90]]}"#, #"{"fractional": [["a", 0], ["b"]]}"#,
      #"{"fractional": [{"var": "email"}, ["a", 10], ["b", {"var": "weight"}]]}"#,
      #"{"if": [{"in": [{"var": "x"}, [{"a": 1, "b": 2}, {}]]}, "a", "b"]}"#, "{}",
    ])
  func noDiagnostics(rule: String) {
    #expect(diagnostics(rule).map(\.description) == [])
  }

  @Test("A boolean rule needs the variants true and false, and no others")
  func booleanRules() {
    let document = """
      {"flags": {
        "fine": {"state": "ENABLED", "variants": {"true": 1, "false": 0}, "targeting": {"!": {"var": "x"}}},
        "half": {"state": "ENABLED", "variants": {"true": 1}, "targeting": {"!": {"var": "x"}}}}}
      """
    #expect(
      descriptions(document) == [
        #"3:76: error: $.flags.half.targeting["!"]: the rule can give "false", which is not a variant"#
      ])
  }

  @Test(
    "A name that is near another one is asked about",
    arguments: [
      (#"{"startsWith": [{"var": "x"}, "y"]}"#, #"found the string "startsWith": did you mean "starts_with"?"#),
      (#"{"semver": []}"#, #"found the string "semver": did you mean "sem_ver"?"#),
      (#"{"factional": []}"#, #"found the string "factional": did you mean "fractional"?"#),
      (#"{"frac": []}"#, #"found the string "frac": did you mean "fractional"?"#),
      (#"{"regex": []}"#, #"found the string "regex""#),
      (#"{"x": []}"#, #"found the string "x""#),
      (#"{"if": [{"$ref": "nkown"}, "a", "b"]}"#, #"named "nkown": did you mean "known"?"#),
    ])
  func suggestions(rule: String, ending: String) {
    #expect(errors(rule).allSatisfy { $0.hasSuffix(ending) } && !errors(rule).isEmpty, "\(errors(rule))")
  }

  @Test("Unknown members and variants near known ones are asked about, and others are not")
  func members() {
    let document = """
      {"flag": {}, "evaluators": {}, "$schema": "", "comment": "", "flags": {
        "f": {"state": "ENABLED", "variants": {"control": 1, "treatment": 2}, "defaultVariant": "Control",
          "targetting": {}, "default": "", "description": "", "metdata": {},
          "targeting": {"if": [{"var": "x"}, "treatmnet", "control"]}}}}
      """
    #expect(
      descriptions(document) == [
        #"1:10: warning: $.flag: the member "flag" means nothing here: did you mean "flags"?"#,
        #"1:28: warning: $.evaluators: the member "evaluators" means nothing here: did you mean "$evaluators"?"#,
        #"2:91: error: $.flags.f.defaultVariant: no variant is named "Control": did you mean "control"?"#,
        #"3:19: warning: $.flags.f.targetting: the member "targetting" means nothing here: did you mean "targeting"?"#,
        #"3:34: warning: $.flags.f.default: the member "default" means nothing here: did you mean "defaultVariant"?"#,
        #"3:68: warning: $.flags.f.metdata: the member "metdata" means nothing here: did you mean "metadata"?"#,
        #"4:40: error: $.flags.f.targeting.if[1]: the rule can give "treatmnet", which is not a variant: "#
          + #"did you mean "treatment"?"#,
      ])
  }

  @Test("A variant of other code points is another one, though it looks the same")
  func codePoints() {
    let document =
      #"{"flags": {"f": {"state": "ENABLED", "variants": {"caf\u00e9": 1}, "defaultVariant": "cafe\u0301"}}}"#
    #expect(FlagDocument.diagnostics(in: Data(document.utf8)).map(\.path) == ["$.flags.f.defaultVariant"])
  }

  @Test("Days of expiry that are none are warnings, of a flag and of all flags")
  func expiry() {
    let document = """
      {"metadata": {"expires": 2027}, "flags": {
        "a": {"state": "ENABLED", "variants": {"v": 1}, "metadata": {"expires": "2027-02-29"}},
        "b": {"state": "ENABLED", "variants": {"v": 1}, "metadata": {"expires": "2027-02-28", "gone": 1}}}}
      """
    #expect(
      descriptions(document) == [
        #"1:26: warning: $.metadata.expires: expected a day such as "2027-01-31", found the integer 2027"#,
        #"2:75: warning: $.flags.a.metadata.expires: expected a day such as "2027-01-31", found the string "2027-02-29""#,
        #"3:97: warning: $.flags.b.metadata.gone: expected a day such as "2027-01-31", found the integer 1"#,
      ])
  }

  @Test("Flags that split users by one expression are named, unless their keys are a part of it")
  func sharedBuckets() {
    func flag(_ rule: String) -> String {
      #"{"state": "ENABLED", "variants": {"on": true, "off": false}, "targeting": \#(rule)}"#
    }
    func split(_ subject: String) -> String { flag(#"{"fractional": [\#(subject), ["on", 1], ["off", 1]]}"#) }
    let document = """
      {"$evaluators": {"half": {"fractional": [{"var": "email"}, ["on", 1], ["off", 1]]},
          "salted": {"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}},
        "flags": {
          "a": \(split(#"{"var": "email"}"#)),
          "b": \(split(#"{"var": "email"}"#)),
          "c": \(flag(#"{"if": [{"var": "x"}, {"$ref": "half"}, "off"]}"#)),
          "d": \(split(#"{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}"#)),
          "e": \(split(#"{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}"#)),
          "f": \(split(#"{"cat": [{"$ref": "salted"}]}"#)), "g": \(split(#"{"cat": [{"$ref": "salted"}]}"#)),
          "h": \(flag(#"{"fractional": [["on", 1], ["off", 1]]}"#)),
          "i": \(flag(#"{"fractional": [["on", 1], ["off", 1]]}"#))}}
      """
    let diagnostics = FlagDocument.diagnostics(in: Data(document.utf8))
    #expect(
      diagnostics.map { "\($0.severity) \($0.path)" } == [
        "warning $.flags.b.targeting.fractional[0]", "warning $.flags.c.targeting.if[1].$ref",
      ])
    #expect(diagnostics.allSatisfy { $0.message.hasPrefix(#"the flag "a" splits users by the same expression"#) })
  }

  @Test("Two experiments that split users by one expression are reported together, and no other flags")
  func correlatedExperiments() {
    func flag(_ isExperiment: Bool) -> String {
      """
      {"state": "ENABLED", "variants": {"on": 1, "off": 0}, "metadata": {"experiment": \(isExperiment)},
        "targeting": {"fractional": [{"var": "email"}, ["on", 1], ["off", 1]]}}
      """
    }
    let document = """
      {"flags": {"a": \(flag(false)), "b": \(flag(true)), "c": \(flag(true)), "d": \(flag(false)), "e": \(flag(true))}}
      """
    let diagnostics = FlagDocument.diagnostics(in: Data(document.utf8))
    #expect(
      diagnostics.map { "\($0.path): \($0.message.prefix(18))" } == [
        #"$.flags.b.targeting.fractional[0]: the flag "a" split"#,
        #"$.flags.c.targeting.fractional[0]: the experiment "b""#,
        #"$.flags.d.targeting.fractional[0]: the flag "a" split"#,
        #"$.flags.e.targeting.fractional[0]: the experiment "b""#,
      ])
    #expect(
      diagnostics.map { $0.message.contains("the results of both experiments are correlated") }
        == [false, true, false, true])
  }

  @Test("Where the document's metadata makes experiments of flags, only a flag's own metadata makes it none")
  func correlatedByDocument() {
    func flag(_ metadata: String) -> String {
      """
      {"state": "ENABLED", "variants": {"on": 1, "off": 0}, "metadata": \(metadata),
        "targeting": {"fractional": [{"var": "email"}, ["on", 1], ["off", 1]]}}
      """
    }
    let document = """
      {"flags": {"a": \(flag("{}")), "b": \(flag(#"{"experiment": false}"#)), "c": \(flag(#"{"owner": "us"}"#))},
        "metadata": {"experiment": true}}
      """
    #expect(
      FlagDocument.diagnostics(in: Data(document.utf8)).map { "\($0.path): \($0.message.prefix(18))" } == [
        #"$.flags.b.targeting.fractional[0]: the flag "a" split"#,
        #"$.flags.c.targeting.fractional[0]: the experiment "a""#,
      ])
  }

  @Test("Shared rules that refer to themselves, and those without names, are errors")
  func evaluators() {
    let document = """
      {"flags": {}, "$evaluators": {
        "self": {"!": {"$ref": "self"}},
        "left": {"!": {"$ref": "right"}},
        "right": {"!": {"$ref": "left"}},
        "leading": {"!": {"$ref": "left"}},
        "": {"!": {"var": "x"}}}}
      """
    #expect(
      descriptions(document) == [
        #"2:26: error: $.$evaluators.self["!"].$ref: the evaluator "self" refers to itself, "#
          + "and so it can never be evaluated",
        #"3:26: error: $.$evaluators.left["!"].$ref: the evaluator "right" refers back to this one, "#
          + "and so it can never be evaluated",
        #"4:27: error: $.$evaluators.right["!"].$ref: the evaluator "left" refers back to this one, "#
          + "and so it can never be evaluated",
        #"6:7: error: $.$evaluators[""]: expected an evaluator's name, found an empty string"#,
      ])
  }

  @Test("A rule that is too much once its shared rules are part of it is an error")
  func limits() {
    let chain = (0..<120).map { #""c\#($0)": {"!": {"$ref": "c\#($0 + 1)"}}"# }.joined(separator: ",")
    let web = (1...9).map { number in
      let uses = Array(repeating: #"{"$ref": "w\#(number - 1)"}"#, count: 10).joined(separator: ",")
      return #""w\#(number)": {"and": [\#(uses)]}"#
    }
    let flag = #"{"state": "ENABLED", "variants": {"on": 1}, "targeting": {"if": [{"$ref": "NAME"}, "on"]}}"#
    let document = """
      {"flags": {"deep": \(flag.replacing("NAME", with: "c0")), "large": \(flag.replacing("NAME", with: "w9")),
        "fine": \(flag.replacing("NAME", with: "c60"))},
       "$evaluators": {\(chain), "c120": {"!": 1}, "w0": {"!": 1}, \(web.joined(separator: ","))}}
      """
    #expect(
      FlagDocument.diagnostics(in: Data(document.utf8)).map { "\($0.path): \($0.message)" } == [
        "$.flags.deep.targeting: the rule nests more than 100 levels, with those of the evaluators that it uses",
        "$.flags.large.targeting: the rule has more than 65536 operators, with those of the evaluators that it uses",
      ])
  }

  @Test("Diagnostics come in the order of the text, each with its line and column")
  func positions() {
    let text = """
      {"flags": {
        "b": {"state": "ON", "variants": {"v": [1]}, "defaultVariant": "w"},
        "a.b": {"state": "ENABLED", "variants": {"v": 1}, "defaultVariant": "w"},
        "a.b": {"state": "ENABLED", "variants": {"": 1}}
      }, "$evaluators": {"e": 1}, "metadata": {"n": null}}
      """
    #expect(
      descriptions(text) == [
        #"2:18: error: $.flags.b.state: expected "ENABLED" or "DISABLED", found the string "ON""#,
        "2:42: warning: $.flags.b.variants.v: the format's schema allows no arrays as variants",
        #"2:66: error: $.flags.b.defaultVariant: no variant is named "w""#,
        #"4:10: warning: $.flags["a.b"]: expected each key once: only the last flag of this key counts"#,
        #"4:10: error: $.flags["a.b"].defaultVariant: no variant is named "w""#,
        #"4:43: error: $.flags["a.b"].variants: expected a variant's name, found an empty string"#,
        "5:25: error: $.$evaluators.e: expected a rule, which is an object, found the integer 1",
        "5:47: error: $.metadata.n: expected a string, a number or a boolean, found null",
      ])
  }

  @Test("What is there twice is a warning, wherever it is")
  func duplicates() {
    let text = """
      {"flags": {"a": {"state": "DISABLED", "state": "DISABLED", "variants": {"v": {"x": 1, "x": 2}}}},
       "metadata": {"n": 1, "n": 2}, "metadata": {}, "$evaluators": {"e": {"!": 1}, "e": {"!": 1}}, "$evaluators": {}}
      """
    let name = "expected each member once: only the last one of this name counts"
    #expect(
      descriptions(text) == [
        "1:18: warning: $.flags.a.state: \(name)", "1:79: warning: $.flags.a.variants.v.x: \(name)",
        "2:15: warning: $.metadata.n: \(name)", "2:44: warning: $.metadata: \(name)",
        "2:64: warning: $.$evaluators.e: \(name)", "2:110: warning: $.$evaluators: \(name)",
      ])
  }

  @Test("The diagnostics of one flag are its own and those of the shared rules that it uses")
  func diagnosticsOfOneFlag() {
    let document = """
      {"flags": {
        "a": {"state": "ENABLED", "variants": {"v": 1}, "targeting": {"if": [{"$ref": "outer"}, "v"]}},
        "b": {"state": "ENABLED", "variants": {"v": 1}, "defaultVariant": "w"}},
       "$evaluators": {"outer": {"!": {"$ref": "inner"}}, "inner": {"huh": 1}, "other": {"huh": 1}}}
      """
    func diagnostics(_ key: String) -> [String] {
      FlagDocument.diagnostics(in: Data(document.utf8), of: key).map { "\($0.path): \($0.message)" }
    }
    #expect(diagnostics("a") == [#"$.$evaluators.inner: expected an operator, found the string "huh""#])
    #expect(diagnostics("b") == [#"$.flags.b.defaultVariant: no variant is named "w""#])
    #expect(diagnostics("c") == [])
    #expect(FlagDocument.diagnostics(in: Data("[]".utf8), of: "a").count == 1)
  }

  @Test("One flag is checked as in its document: also what flags before it tell about it")
  func checksOneAsInAll() {
    let split = #""targeting": {"fractional": [{"var": "id"}, ["a", 1], ["b", 1]]}"#
    let variants = #""variants": {"a": 1, "b": 2}, "defaultVariant": "a""#
    let flag = #"{"state": "ENABLED", \#(variants), \#(split)}"#
    let document = """
      {"flags": {"": {}, "one": \(flag), "a b": {"state": 1}, "two": \(flag),
        "shared": {"state": "ENABLED", \(variants), "targeting": {"$ref": "s"}, "metadata": {"experiment": true}},
        "odd": {"state": "ENABLED", "variants": {"a": [1]}, "defaultVariant": "c",
          "targetting": {}, "metadata": {"expires": 1}},
        "none": {"state": "ENABLED", \(variants), "targeting": {"if": [{"nope": 1}, "d", {"$ref": "gone"}]}},
        "last": \(flag), "two": \(flag), "bad": 1e999}, "$evaluators": {"s": \(split.dropFirst(13)), "loop": {"$ref": "loop"}}}
      """
    let all = FlagDocument.diagnostics(in: Data(document.utf8))
    #expect(all.count > 10)
    for key in ["one", "a b", "two", "shared", "odd", "none", "last", "bad", "", "nothing"] {
      let own = FlagDocument.diagnostics(in: Data(document.utf8), of: key)
      let wanted = all.filter { found in
        found.path.hasPrefix("$.flags") && found.concerns(key) || key == "shared" && found.concerns("s")
      }
      #expect(own == wanted, "\(key)")
    }
  }

  @Test("No more than 100 characters are quoted of what was found")
  func quotes() {
    let long = String(repeating: "x", count: 1_000)
    let rules = [
      #"{"\#(long)": 1}"#, #"{"if": [{"var": "x"}, "\#(long)", "a"]}"#, #"{"if": [{"$ref": "\#(long)"}, "a"]}"#,
      #"{"if": [{"var": ["\#(long)", 1]}, "a"]}"#, #"{"sem_ver": ["\#(long)", "\#(long)", "1"]}"#,
    ]
    for rule in rules {
      let diagnostics = diagnostics(rule)
      #expect(!diagnostics.isEmpty && diagnostics.allSatisfy { $0.message.count < 250 }, "\(diagnostics)")
    }
  }

  private func errors(_ rule: String) -> [String] {
    diagnostics(rule).filter { $0.severity == .error }.map { "\($0.path): \($0.message)" }
  }

  private func descriptions(_ text: String) -> [String] {
    FlagDocument.diagnostics(in: Data(text.utf8)).map(\.description)
  }

  private func diagnostics(_ rule: String) -> [DocumentDiagnostic] {
    let text = """
      {"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2, "c": 3}, "defaultVariant": "c",
      "targeting": \(rule)}}, "$evaluators": {"known": {"if": [{"var": "x"}, "a", "b"]},
      "boolean": {"!": {"var": "x"}}, "wrong": {"if": [{"var": "x"}, "a", "z"]}}}
      """
    return FlagDocument.diagnostics(in: Data(text.utf8))
  }
}
