import FlagDefinitions
import FlagReview
import FlagSupport
import Testing

@Suite("Texts of a document that people may take for others")
struct DisguisedTextTests {
  private func document(_ flags: String, _ evaluators: String = "{}") -> [UInt8] {
    Array(#"{"flags": {\#(flags)}, "$evaluators": \#(evaluators)}"#.utf8)
  }

  private func flag(_ key: String, variant: String = "on", rule: String = "null") -> String {
    #""\#(key)": {"state": "ENABLED", "variants": {"\#(variant)": true, "off": false}, "defaultVariant": "off", "#
      + #""targeting": {"if": [\#(rule), "\#(variant)", null]}}"#
  }

  private func rule(_ name: String, _ value: String) -> String { #"{"==": [{"var": "\#(name)"}, "\#(value)"]}"# }

  static let hidden = [
    ("\u{200b}", "U+200B (ZERO WIDTH SPACE)"), ("\u{202e}", "U+202E (RIGHT-TO-LEFT OVERRIDE)"),
    ("\u{feff}", "U+FEFF (ZERO WIDTH NO-BREAK SPACE)"), ("\u{ad}", "U+00AD (SOFT HYPHEN)"),
    ("\u{200d}", "U+200D (ZERO WIDTH JOINER)"), ("\u{fe0f}", "U+FE0F (VARIATION SELECTOR-16)"),
    ("\u{3164}", "U+3164 (HANGUL FILLER)"), ("\u{e0061}", "U+E0061 (TAG LATIN SMALL LETTER A)"),
  ]

  @Test("Characters that nobody sees are named with their places, when checking and when loading", arguments: hidden)
  func namesHidden(character: String, name: String) throws {
    let flags = [
      flag("a\(character)b"), flag("v", variant: "o\(character)n"), flag("n", rule: rule("pla\(character)n", "x")),
      flag("t", rule: rule("plan", "x\(character)y")),
    ]
    for (number, flag) in flags.enumerated() {
      let text = document(flag)
      let found = FlagDocument.diagnostics(in: text).filter { $0.message.hasSuffix("\(name), which nobody sees") }
      #expect(!found.isEmpty && found.allSatisfy { $0.severity == .warning && $0.line == 1 }, "\(flag)")
      let path = ["$.flags", "$.flags.v.variants", "$.flags.n.targeting", "$.flags.t.targeting"][number]
      #expect(found.contains { $0.path.utf8.starts(with: path.utf8) }, "\(found)")
      let loaded = try FlagDocument(parsing: text).diagnostics
      #expect(loaded.count == 1 && loaded[0].message == found[0].message)
    }
    let shared = document(flag("s", rule: #"{"$ref": "r"}"#), #"{"r": \#(rule("plan", "p\(character)q"))}"#)
    #expect(try FlagDocument(parsing: shared).diagnostics.count == 1)
    let escaped = document(flag("u", rule: rule("plan", #"x\u202ey"#)))
    #expect(try FlagDocument(parsing: escaped).diagnostics.count == 1)
  }

  @Test(
    "A word with letters of two scripts is named by the letter that is rarer",
    arguments: [
      ("p\u{430}yment", "U+0430 (CYRILLIC SMALL LETTER A) in a word of Latin letters"),
      ("feed.p\u{43e}sts", "U+043E (CYRILLIC SMALL LETTER O) in a word of Latin letters"),
      ("\u{3b1}b", "U+03B1 (GREEK SMALL LETTER ALPHA) in a word of Latin letters"),
      ("\u{43f}\u{440}o\u{444}", "U+006F (LATIN SMALL LETTER O) in a word of Cyrillic letters"),
      ("b\u{ff45}ta", "U+FF45 (FULLWIDTH LATIN SMALL LETTER E) in a word of Latin letters"),
    ])
  func namesMixedScripts(key: String, reason: String) {
    #expect(
      FlagDocument.diagnostics(in: document(flag(key))).map(\.message).filter { $0.contains("U+") } == [
        "the key contains \(reason)"
      ])
  }

  @Test(
    "A key, or the name of an attribute, that looks like ASCII letters is named, when checking and when loading",
    arguments: [
      ("\u{441}\u{43e}\u{440}\u{443}", "U+0441 (CYRILLIC SMALL LETTER ES)"),
      ("\u{435}\u{445}\u{440}", "U+0435 (CYRILLIC SMALL LETTER IE)"),
      ("new.\u{435}\u{445}\u{440}-2", "U+0435 (CYRILLIC SMALL LETTER IE)"),
      ("\u{39a}\u{395}\u{3a5}", "U+039A (GREEK CAPITAL LETTER KAPPA)"),
      ("\u{ff45}\u{ff58}\u{ff50}", "U+FF45 (FULLWIDTH LATIN SMALL LETTER E)"),
      ("\u{585}\u{57d}", "U+0585 (ARMENIAN SMALL LETTER OH)"),
    ])
  func namesLikenesses(name: String, reason: String) throws {
    let reason = "\(reason), and each of its letters looks like an ASCII one"
    for (text, message) in [
      (document(flag(name)), "the key contains \(reason)"),
      (document(flag("f", rule: rule(name, "x"))), "the attribute contains \(reason)"),
      (
        document(flag("f", rule: #"{"==": [{"var": ["\#(name)", "x"]}, "y"]}"#)), "the attribute contains \(reason)"
      ),
    ] {
      let found = FlagDocument.diagnostics(in: text).filter { $0.message == message }
      #expect(found.count == 1 && found.allSatisfy { $0.severity == .warning && $0.line == 1 && $0.column > 10 })
      #expect(try FlagDocument(parsing: text).diagnostics.map(\.message) == [message])
    }
    let value = document(flag("f", variant: name, rule: rule("plan", name)))
    #expect(FlagDocument.diagnostics(in: value) == [])
  }

  @Test(
    "Words with a letter that no ASCII one looks like are not warned of",
    arguments: ["хорошо", "новости", "сору-тест", "ναι", "Москва"])
  func acceptsRealWords(name: String) throws {
    let text = document(flag(name, rule: rule(name, "x")))
    #expect(FlagDocument.diagnostics(in: text) == [])
    #expect(try FlagDocument(parsing: text).diagnostics == [])
  }

  @Test(
    "Texts of one script for each word, and emoji, are not warned of",
    arguments: [
      "straße", "ñandú", "профиль.new", "новый-profile", "ελλάδα", "café", "cafe\u{301}", "名前", "µs", "plan_2",
      "👨\u{200d}👩\u{200d}👧", "❤\u{fe0f}", "می\u{200c}خواهم",
    ])
  func acceptsWords(text: String) throws {
    let text = document(flag(text, variant: text, rule: rule(text, text)))
    #expect(FlagDocument.diagnostics(in: text) == [])
    #expect(try FlagDocument(parsing: text).diagnostics == [])
  }

  @Test("Keys that differ in their Unicode form alone are warned of, and are two flags")
  func namesTwins() throws {
    let text = document("\(flag("caf\u{e9}")), \(flag("cafe\u{301}"))")
    let message =
      #"expected keys that differ in more than their Unicode form: cafe\u{301} and caf\u{E9} are two flags"#
    #expect(FlagDocument.diagnostics(in: text).map(\.message).filter { $0.contains("Unicode") } == [message])
    let loaded = try FlagDocument(parsing: text)
    #expect(loaded.diagnostics.map(\.message) == [message] && loaded.keys.count == 2)
  }

  @Test("Rules that compare a country or a segment with texts of other capitals are warned of")
  func namesLetterCase() {
    func messages(_ flags: [String], _ evaluators: String = "{}") -> [String] {
      FlagDocument.diagnostics(in: document(flags.joined(separator: ", "), evaluators)).map {
        "\($0.path): \($0.message)"
      }
    }
    let (small, capital) = (
      flag("a", rule: #"{"in": [{"var": "countryCode"}, ["es", "pt"]]}"#), flag("b", rule: rule("countryCode", "ES"))
    )
    #expect(
      messages([small, capital]) == [
        #"$.flags.b.targeting.if[0]["=="][1]: countryCode is compared with "ES" here and with "es" elsewhere: "#
          + "capital and small letters differ"
      ])
    #expect(messages([small]) == [] && messages([capital]) == [])
    #expect(messages([small, small.replacing("\"a\"", with: "\"c\"")]) == [])
    let segment = flag("s", rule: #"{"in": ["Beta", {"var": ["segments"]}]}"#)
    #expect(messages([segment], #"{"beta": {"in": ["beta", {"var": "segments"}]}}"#).count == 1)
    #expect(messages([flag("x", rule: rule("plan", "pro")), flag("y", rule: rule("plan", "Pro"))]) == [])
  }

  @Test("Hidden characters are escaped for output; joiners of emoji and Arabic words stay")
  func escapes() {
    #expect("a\u{202e}b\u{7}".escapingHidden() == #"a\u{202E}b\u{7}"#)
    #expect("a\nb\t\u{200b}".escapingHidden(except: ["\n", "\t"]) == "a\nb\t\\u{200B}")
    for text in ["plain", "straße", "👨\u{200d}👩", "می\u{200c}خواهم"] { #expect(text.escapingHidden() == text) }
  }
}
