import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagJSON
import FlagReview
import Testing

@Suite("Editing flags in a document's text")
struct DefinitionEditTests {
  @Test("An edit changes what it names, laid out like the rest, and nothing else", arguments: Self.examples)
  func edits(edit: DefinitionEdit, from: String, to: String) throws {
    let (old, new) = (Self.document, try String(decoding: edit.applying(to: Array(Self.document.utf8)), as: UTF8.self))
    #expect(new == old.replacing(from, with: to))
    #expect(new != old && FlagDocument.diagnostics(in: new.utf8).allSatisfy { $0.severity == .warning })
  }

  @Test("A resource of Kubernetes with a document inside is never edited", arguments: examples.map(\.0))
  func refusesResources(edit: DefinitionEdit) {
    let resource = Array(#"{"spec": {"flagSpec": \#(Self.document)}}"#.utf8)
    let refusal = #expect(throws: FlagError.self) { try edit.applying(to: resource) }
    let message = "$.flags: expected an object with the flags by their keys, found a resource of Kubernetes"
    #expect(refusal?.message == "\(message), which is read and not changed")
  }

  private static let document = """
    { "flags": {
        "search": {
          "state": "ENABLED",
          "variants": { "on": true, "off" : false },
          "defaultVariant": "off",
          "targeting": { "if": [ { "==": [ { "var": "plan" }, "on" ] }, "on", { "fractional": [ ["on", 10], ["off", 90] ] } ] },
          "metadata": { "owner": "growth" }
        },
        "size": { "state": "ENABLED", "variants": { "small": 10, "large": 1e2 }, "defaultVariant": "small" } },
      "metadata": { "flagSetId": "app" } }

    """

  private static let size =
    #""size": { "state": "ENABLED", "variants": { "small": 10, "large": 1e2 }, "defaultVariant": "small" }"#

  private static let examples: [(DefinitionEdit, String, String)] = [
    (
      .make(new), size,
      """
      \(size),
          "new": {
            "state": "DISABLED",
            "variants": {
              "a": "one",
              "b": "two"
            },
            "defaultVariant": "b",
            "metadata": {
              "description": "A \\"new\\" one.",
              "owner": "web",
              "expires": "2027-01-31"
            }
          }
      """
    ),
    (.copy("size", to: "size.2"), size, "\(size),\n    \(size.replacing("\"size\"", with: "\"size.2\""))"),
    (.rename("search", to: "find"), #""search""#, #""find""#),
    (.delete("size"), ",\n    \(size)", ""),
    (
      .retire("size", gone: "2027-01-31"), size,
      size.replacing("ENABLED", with: "DISABLED").dropLast(2)
        + #", "metadata": {"retired": true, "gone": "2027-01-31"} }"#
    ),
    (.addVariant(FlagVariant("huge", 1000), of: "size"), "1e2", #"1e2, "huge": 1000"#),
    (.setVariant(FlagVariant("small", 11), of: "size"), "10, \"large", "11, \"large"),
    (.renameVariant("small", to: "tiny", of: "size", rewritesUses: true), #""small""#, #""tiny""#),
    (.renameVariant("large", to: "big", of: "size", rewritesUses: false), #""large""#, #""big""#),
    (.removeVariant("large", of: "size", replacement: nil), #", "large": 1e2"#, ""),
    (
      .removeVariant("small", of: "size", replacement: "large"),
      #""small": 10, "large": 1e2 }, "defaultVariant": "small""#, #""large": 1e2 }, "defaultVariant": "large""#
    ),
    (.setMetadata("owner", "web", of: "search"), "growth", "web"),
    (.setMetadata("owner", nil, of: "search"), ",\n      \"metadata\": { \"owner\": \"growth\" }", ""),
    (.setMetadata("tags", "a, b", of: "search"), #""growth""#, #""growth", "tags": "a, b""#),
  ]

  private static let new = {
    var flag = NewFlag(
      "new", variants: [FlagVariant("a", "one"), FlagVariant("b", "two")], defaultVariant: "b", isEnabled: false)
    (flag.description, flag.owner, flag.expires) = ("A \"new\" one.", "web", "2027-01-31")
    return flag
  }()

  @Test("A variant's new name is written wherever the flag gives the variant, and not where the rule only compares")
  func rewrites() throws {
    let new = try DefinitionEdit.renameVariant("on", to: "yes", of: "search", rewritesUses: true)
      .applying(to: Array(Self.document.utf8))
    let text = String(decoding: new, as: UTF8.self)
    #expect(text.contains(#""variants": { "yes": true, "off" : false }"#))
    #expect(
      text.contains(
        #"{ "if": [ { "==": [ { "var": "plan" }, "on" ] }, "yes", { "fractional": [ ["yes", 10], ["off", 90] ] } ] }"#))
    #expect(text.utf8.count == Self.document.utf8.count + 3)
  }

  @Test("The uses of a variant are listed with their places")
  func uses() throws {
    let uses = try VariantUse.all(ofVariant: "off", of: "search", in: Array(Self.document.utf8))
    #expect(
      uses.map(\.description) == [
        "the default variant", "a share at $.flags.search.targeting.if[2].fractional[1][0]",
      ])
    #expect(uses.allSatisfy { $0.isRewritable && $0.isCertain })
    let text = Array(
      #"""
      {"flags": {"f": {"state": "ENABLED", "variants": {"true": 1, "a": 2}, "defaultVariant": "a",
        "targeting": {"if": [{"var": "b"}, {"$ref": "e"}, {"var": "c"}, {"var": "d"}, {"==": [1, 2]}]}}},
        "$evaluators": {"e": {"if": [{"var": "x"}, "a", null]}}}
      """#.utf8)
    #expect(
      try VariantUse.all(ofVariant: "a", of: "f", in: text).map(\.description)
        == [
          "the default variant", "the evaluator \"e\" at $.flags.f.targeting.if[1][\"$ref\"]",
          "a computed name at $.flags.f.targeting",
        ].map { $0.replacing("[\"$ref\"]", with: ".$ref") })
    #expect(
      try VariantUse.all(ofVariant: "true", of: "f", in: text).map(\.part) == [.comparison, .computed])
  }

  @Test("An edit that cannot be made is an error with what was expected", arguments: Self.refusals)
  func refuses(edit: DefinitionEdit, message: String) throws {
    #expect { try edit.applying(to: Array(Self.document.utf8)) } throws: { ($0 as? FlagError)?.message == message }
  }

  private static let names = "expected a key of 1 to 1024 bytes without white space and control characters, found"
  private static let used =
    "the default variant, a share at $.flags.search.targeting.if[2].fractional[1][0]"

  private static let refusals: [(DefinitionEdit, String)] = [
    (.make(NewFlag("")), "\(names) nothing"), (.make(NewFlag("a b")), "\(names) \"a b\""),
    (.make(NewFlag(String(repeating: "a", count: 1025))), "\(names) a longer one"),
    (.make(NewFlag("size")), "expected a new key, found \"size\", which a flag has already"),
    (.copy("none", to: "x"), "the document has no flag “none”"),
    (.copy("size", to: "search"), "expected a new key, found \"search\", which a flag has already"),
    (.rename("size", to: "search"), "expected a new key, found \"search\", which a flag has already"),
    (.delete("none"), "the document has no flag “none”"),
    (.make(NewFlag("x", variants: [])), "expected a variant, found none"),
    (
      .make(NewFlag("x", defaultVariant: "of")), "expected one of the variants on, off as the default, found \"of\""
    ),
    (
      .make(NewFlag("x", variants: [FlagVariant("a", 1), FlagVariant("b", "c")])),
      "expected a value of the type number, as the other variants have, found the string \"c\""
    ),
    (
      .make(NewFlag("x", variants: [FlagVariant("a", .null)])),
      "expected a value of the variant \"a\", found null"
    ),
    (
      .addVariant(FlagVariant("small", 1), of: "size"),
      "expected a new name of a variant, found \"small\", which is taken"
    ),
    (.addVariant(FlagVariant("", 1), of: "size"), "expected a variant's name, found nothing"),
    (
      .setVariant(FlagVariant("small", true), of: "size"),
      "expected a value of the type number, as the other variants have, found the boolean true"
    ),
    (
      .setVariant(FlagVariant("tiny", 1), of: "size"),
      "expected one of the variants small, large, found \"tiny\""
    ),
    (.renameVariant("off", to: "no", of: "search", rewritesUses: false), "the variant \"off\" is used: \(used)"),
    (.removeVariant("off", of: "search", replacement: nil), "the variant \"off\" is used: \(used)"),
    (
      .removeVariant("off", of: "search", replacement: "no"),
      "expected one of the variants on, found \"no\""
    ),
  ]

  @Test(
    "A key that only looks like another one's is refused, and keys are compared by code points",
    arguments: ["e\u{301}", "\u{e9}"])
  func comparesCodePoints(key: String) throws {
    let text = Array(#"{"flags": {"\#(key)": {"state": "ENABLED", "variants": {"a": 1}}}}"#.utf8)
    let other = key == "\u{e9}" && key.utf8.count == 2 ? "e\u{301}" : "\u{e9}"
    #expect(throws: FlagError.self) { try DefinitionEdit.make(NewFlag(other)).applying(to: text) }
    #expect(throws: FlagError.self) { try DefinitionEdit.delete(other).applying(to: text) }
    // The flag itself may get the other spelling.
    let renamed = try DefinitionEdit.rename(key, to: other).applying(to: text)
    #expect(try DefinitionEdit.rename(other, to: key).applying(to: renamed) == text)
  }

  @Test("If two flags have one key, neither is deleted or renamed: the other one would come to light")
  func refusesDuplicates() {
    let flag = #"{"state": "ENABLED", "variants": {"a": 1}}"#
    let text = Array(#"{"flags": {"a": \#(flag), "a": \#(flag)}}"#.utf8)
    for edit in [DefinitionEdit.delete("a"), .rename("a", to: "b")] {
      #expect(throws: FlagError.self) { try edit.applying(to: text) }
    }
  }

  @Test(
    "The first flag of a document is laid out by the document",
    arguments: [
      ("{\"flags\": {}}", "{\"flags\": {\"a\": {\"state\": \"ENABLED\", \"variants\": {\"b\": 1}}}}"),
      (
        "{\n  \"flags\": {}\n}\n",
        """
        {
          "flags": {
            "a": {
              "state": "ENABLED",
              "variants": {
                "b": 1
              }
            }
          }
        }

        """
      ),
    ])
  func makesFirst(text: String, expected: String) throws {
    let made = try DefinitionEdit.make(NewFlag("a", variants: [FlagVariant("b", 1)])).applying(to: Array(text.utf8))
    #expect(String(decoding: made, as: UTF8.self) == expected)
    #expect(try DefinitionEdit.delete("a").applying(to: made) == Array(text.utf8))
  }

  @Test(
    "A draft's variants get their names all at once: exchanged, in a chain, and that of one that goes",
    arguments: [
      (["b", "a"], #""a": 1, "b": 2"#, #""b": 1, "a": 2"#), (["b", "c"], #""a": 1, "b": 2"#, #""b": 1, "c": 2"#),
      (["b"], #""a": 1, "b": 2"#, #""b": 1"#),
      (["c", "a", "b"], #""a": 1, "b": 2, "c": 3"#, #""c": 1, "a": 2, "b": 3"#),
    ] as [([String], String, String)])
  func renamesAtOnce(names: [String], before: String, after: String) throws {
    func document(_ variants: String, _ rule: String) -> String {
      #"{"flags": {"f": {"state": "ENABLED", "variants": {\#(variants)}, "defaultVariant": "\#(rule)"}}}"#
    }
    let stored = try StoredDefinitions(parsing: Array(document(before, "a").utf8))
    var draft = try DefinitionDraft("f", in: stored)
    for (index, name) in names.enumerated() { draft.variantDrafts[index].name = name }
    draft.variantDrafts.removeLast(draft.variantDrafts.count - names.count)
    draft.defaultVariant = names[0]
    #expect(try String(decoding: draft.text(in: stored.text), as: UTF8.self) == document(after, names[0]))
  }

  @Test(
    "A text without flags by their keys is refused",
    arguments: ["", "[]", "{}", "{\"flags\": []}", "{\"flags\": {}", "nonsense"])
  func refusesTexts(text: String) {
    #expect(throws: FlagError.self) { try DefinitionEdit.make(NewFlag("a")).applying(to: Array(text.utf8)) }
  }

  @Test(
    "A rule that assigns shares by the flag's key is known before the flag gets another one",
    arguments: [
      (#"{"fractional": [["a", 1], ["b", 1]]}"#, true), (#"{"if": [{"$ref": "e"}, "a", "b"]}"#, true),
      (#"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "id"}]}, ["a", 1], ["b", 1]]}"#, true),
      (#"{"fractional": [{"var": "id"}, ["a", 1], ["b", 1]]}"#, false), (#"{"if": [{"var": "x"}, "a", "b"]}"#, false),
    ])
  func knowsSplits(rule: String, isByKey: Bool) throws {
    let text = #"""
      {"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "targeting": \#(rule)}},
        "$evaluators": {"e": {"==": [{"var": "$flagd.flagKey"}, "f"]}}}
      """#
    #expect(try DefinitionEdit.splitsByKey("f", in: Array(text.utf8)) == isByKey)
  }

  @Test("A retired flag says so in its metadata, with the day after which it may be deleted")
  func retires() throws {
    let text = try DefinitionEdit.retire("search", gone: "2027-01-31").applying(to: Array(Self.document.utf8))
    let document = try FlagDocument(parsing: text)
    let metadata = try #require(document.metadata(of: "search"))
    let retirement = try #require(FlagRetirement(metadata))
    #expect(retirement.gone == "2027-01-31" && !retirement.isOver(on: "2027-01-31"))
    #expect(retirement.isOver(on: "2027-02-01") && metadata["owner"] == "growth")
    #expect(try document.evaluate("search", in: EvaluationContext(attributes: [:]), at: 0)?.reason == .disabled)
    #expect(FlagRetirement(["retired": "yes"]) == nil)
    #expect(FlagRetirement(["retired": true])?.isOver(on: "9999-12-31") == false)
  }
}
