import FlagDomain
import FlagProviders
import Foundation
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("The last good definition of a flag that breaks")
struct LastGoodFlagTests {
  private static let good = """
    {"flags": {
      "k": {"state": "ENABLED", "variants": {"on": "new", "off": "old"}, "defaultVariant": "off",
        "targeting": {"if": [{"$ref": "beta"}, "on", "off"]}, "metadata": {"owner": "growth"}},
      "other": {"state": "ENABLED", "variants": {"on": 1, "off": 2}, "defaultVariant": "on"}},
     "$evaluators": {"beta": {"in": [{"var": "country"}, ["es"]]}}}
    """
  private static let broken = good.replacing(#""defaultVariant": "off""#, with: #""defaultVariant": 5"#)
    .replacing(#"["es"]"#, with: #"["fr"]"#).replacing(#""on": 1"#, with: #""on": 3"#)

  /// A provider, and what it gives a user in Spain.
  private struct Served {
    let provider: InHouseProvider

    init(_ text: String) throws { provider = try InHouseProvider(data: Data(text.utf8)) }

    func update(_ text: String) throws { try provider.update(with: Data(text.utf8)) }

    func answer(_ key: FlagKey = "k", country: String = "es") -> String {
      let context = EvaluationContext(attributes: ["country": country])
      do throws(FlagError) {
        let answer = try provider.snapshot().answer(for: key, in: context)
        return answer.map { "\($0.value ?? .null) \($0.reason)" } ?? "none"
      } catch {
        return "\(error.code)"
      }
    }
  }

  @Test("It is served as STALE with the shared rules that it had, and the error is found, until the flag is good again")
  func keeps() throws {
    let served = try Served(Self.good)
    #expect(served.answer() == "\"new\" TARGETING_MATCH")
    for _ in 0..<3 {
      try served.update(Self.broken)
      #expect(served.answer() == "\"new\" STALE" && served.answer(country: "fr") == "\"old\" STALE")
      #expect(served.answer("other") == "3 STATIC")
      #expect(served.provider.snapshot().findings.map(\.message).contains { $0.contains("$.flags.k.defaultVariant") })
    }
    let answer = try served.provider.snapshot().answer(for: "k", in: EvaluationContext())
    #expect(answer?.metadata == ["owner": "growth"] && answer?.variant == "off")
    try served.update(Self.good.replacing(#""new""#, with: #""newer""#))
    #expect(served.answer() == "\"newer\" TARGETING_MATCH")
  }

  @Test("A flag is not served by the last good definition of one whose key is another Unicode form of its own")
  func separatesForms() throws {
    func text(_ broken: String) -> String {
      let flags = ["caf\u{e9}", "cafe\u{301}"].enumerated().map { number, key in
        #""\#(key)": {"state": "ENABLED", "variants": {"on": \#(number)}, "defaultVariant": \#(number == 0 ? broken : "\"on\"")}"#
      }
      return #"{"flags": {\#(flags.joined(separator: ", "))}}"#
    }
    let served = try Served(text("\"on\""))
    try served.update(text("5"))
    #expect(served.answer("caf\u{e9}") == "0 STALE" && served.answer("cafe\u{301}") == "1 STATIC")
  }

  @Test("A rule that refers to a shared one that is gone, or has an unknown operator, is broken too")
  func keepsRules() throws {
    for change in [(#""$ref": "beta""#, #""$ref": "gamma""#), (#""if": ["#, #""when": ["#)] {
      let served = try Served(Self.good)
      try served.update(Self.good.replacing(change.0, with: change.1))
      #expect(served.answer() == "\"new\" STALE")
    }
  }

  @Test("A flag that disappears, or was never good, has no last good definition")
  func drops() throws {
    let served = try Served(Self.broken)
    #expect(served.answer() == "PARSE_ERROR")
    try served.update(Self.good)
    try served.update(#"{"flags": {}}"#)
    #expect(served.answer() == "none")
    try served.update(Self.broken)
    #expect(served.answer() == "PARSE_ERROR")
  }

  @Test("The bundled document has the last good definition of a flag that the first file breaks")
  func keepsBundled() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.broken)
    let provider = try InHouseProvider(following: file, bundled: Data(Self.good.utf8))
    let answer = try provider.snapshot().answer(for: "k", in: EvaluationContext(attributes: ["country": "es"]))
    #expect(answer?.value == "new" && answer?.reason == .stale)
  }

  @Test("Flags that break one after the other keep little more than themselves, and no documents")
  func takesLittle() throws {
    func text(broken: Range<Int>) -> String {
      let flags = (0..<20).map { number in
        let state = broken.contains(number) ? "5" : #""ENABLED""#
        return #""f\#(number)": {"state": \#(state), "variants": {"on": \#(number), "off": -1}, "#
          + #""targeting": {"if": [{"==": [{"var": "country"}, "es"]}, "on", "off"]}}"#
      }
      return #"{"flags": {\#(flags.joined(separator: ", "))}}"#
    }
    let served = try Served(text(broken: 0..<0))
    let program = WeakProgram(of: served.provider.document)
    #expect(program.value != nil)
    for count in 1...15 {
      try served.update(text(broken: 0..<count))
      for number in 0..<20 {
        let reason = number < count ? "STALE" : "TARGETING_MATCH"
        #expect(served.answer(FlagKey(providerName: "f\(number)")) == "\(number) \(reason)")
      }
    }
    #expect(program.value == nil)
    // Those that are good again are forgotten, and the others are not.
    try served.update(text(broken: 3..<5))
    try served.update(text(broken: 3..<6))
    #expect((0..<7).map { served.answer(FlagKey(providerName: "f\($0)")) }.filter { $0.hasSuffix("STALE") }.count == 3)
  }

  /// The program of the flag `f0`, as long as someone holds it.
  private struct WeakProgram {
    weak var value: Program?

    init(of document: (any DefinitionDocument)?) {
      if case .flag(let flag)? = (document as? FlagDocument)?.flags["f0"] { value = flag.program }
    }
  }

  @Test("An excerpt has the flags alone, and they answer as before")
  func excerpts() throws {
    let rules = [
      #"{"fractional": [{"var": "id"}, ["a", 20], ["b", 80]]}"#, #"{"fractional": [["a", 1], ["b", {"var": "n"}]]}"#,
      #"{"if": [{"sem_ver": [{"var": "v"}, "^", "1.2.0"]}, "a", {"!": [{"missing": ["n"]}]}, "b", null]}"#,
      #"{"if": [{"some": [{"var": "tags"}, {"in": [{"var": ""}, ["x", "y"]]}]}, "a", "b"]}"#,
      #"{"if": [{"<": [{"var": "$flagd.timestamp"}, 5]}, "a", {"$ref": "r"}]}"#, #"{"$ref": "r"}"#,
      #"{"if": [{"==": [{"merge": [[1, {"a": 1, "b": 2}], {"var": ["n", [3]]}]}, null]}, "a", {"cat": ["b", ""]}]}"#,
    ]
    let flags = rules.enumerated().map { number, rule in
      #""f\#(number)": {"state": "ENABLED", "variants": {"a": "1", "b": "2"}, "targeting": \#(rule)}"#
    }
    let text = #"""
      {"flags": {\#(flags.joined(separator: ", "))}, "metadata": {"set": "app"},
       "$evaluators": {"r": {"if": [{"starts_with": [{"var": "id"}, "u1"]}, "a", "b"]}}}
      """#
    let document = try FlagDocument(parsing: Array(text.utf8))
    for key in document.keys {
      let excerpt = document.excerpt(of: [key])
      #expect(excerpt.keys == [key] && excerpt.excerpt(of: [key]).keys == [key])
      for number in 0..<20 {
        let attributes: [String: FlagValue] = [
          "targetingKey": .string("u\(number)"), "id": .string("u\(number)"), "n": number > 5 ? 1 : .null,
          "v": .string("1.\(number).0"), "tags": number % 2 == 0 ? ["x"] : [],
        ]
        let context = EvaluationContext(attributes: attributes)
        let expected = try document.evaluate(key, in: context, at: 4)
        let found = try excerpt.evaluate(key, in: context, at: 4)
        #expect(found?.value == expected?.value && found?.metadata == expected?.metadata, "\(key) \(number)")
        #expect(found?.reason == expected?.reason && found?.isTransient == expected?.isTransient)
      }
    }
  }
}
