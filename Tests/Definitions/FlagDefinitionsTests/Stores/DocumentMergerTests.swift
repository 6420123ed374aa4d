import FlagDomain
import FlagJSON
import FlagSupport
import Foundation
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("Merging documents", .computing)
struct DocumentMergerTests {
  @Test("Flags of documents without more are copied as they are written")
  func copies() throws {
    let merged = try merge(#"{"flags": {"a": {"x":  1}, "b": {}}}"#, #"{"flags": {"b":  [2.50], "c": "\u0041"}}"#)
    #expect(
      merged == """
        {
          "flags": {
            "a": {"x":  1},
            "b": [2.50],
            "c": "\\u0041"
          }
        }

        """)
  }

  @Test("Metadata that all share stays the document's; of others, each flag is given its own document's")
  func mergesMetadata() throws {
    let one = #"{"flags": {"a": {"metadata": {"own": 1, "owner": "x"}}}, "metadata": {"owner": "one"}}"#
    let same = try merge(one, #"{"flags": {"b": {}}, "metadata": {"owner": "one"}}"#)
    #expect(same.contains(#""metadata": {"owner":"one"}"#))
    let other = try merge(one, #"{"flags": {"b": {}}, "metadata": {"owner": "two"}}"#)
    #expect(
      other == """
        {
          "flags": {
            "a": {"metadata":{"own":1,"owner":"x"}},
            "b": {"metadata":{"owner":"two"}}
          }
        }

        """)
  }

  @Test("A shared rule keeps its name while no other has it; a rule finds those of its own document alone")
  func renamesEvaluators() throws {
    let merged = try merge(
      #"{"flags": {"a": {"targeting": {"$ref": "r"}}, "n": {"targeting": {"$ref": "s"}}}, "$evaluators": {"r": 1}}"#,
      #"{"flags": {"b": {"targeting": {"!": [{"$ref": "r"}]}}}, "$evaluators": {"r": 2, "s": {"$ref": "r"}}}"#)
    #expect(
      merged == """
        {
          "flags": {
            "a": {"targeting": {"$ref": "r"}},
            "n": {"targeting":{"$ref":"s (of another document)"}},
            "b": {"targeting":{"!":[{"$ref":"r (2)"}]}}
          },
          "$evaluators": {"r":1,"r (2)":2,"s":{"$ref":"r (2)"}}
        }

        """)
  }

  @Test("A client that is handed merged documents answers as their store, and as the last one with the flag alone")
  func agrees() throws {
    for seed in 0..<UInt64(Effort.rounds(100, thorough: 500, long: 2_000)) {
      var random = SeededGenerator(seed: seed)
      let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in RandomParts.document(&random) }
      let parts = try texts.map { try InMemoryDefinitionStore($0) }
      let merged = try #require(MergedDefinitionStore(parts).current)
      let documents = parts.compactMap { $0.current?.document }
      #expect(merged.document.diagnostics == documents.flatMap(\.diagnostics))
      let handed = try FlagDocument(parsing: merged.text)
      #expect(Set(handed.keys) == Set(documents.flatMap { Array($0.keys) }))
      #expect(Array(handed.keys) == Array(merged.document.keys))
      for key in handed.keys {
        let last = try #require(documents.last { $0.listing(of: key) != nil })
        for name in ["u1", "u2", "u3"] {
          let context = EvaluationContext(user: FlagUser(id: name))
          let outcomes = [handed, merged.document, last].map { outcome(of: key, in: $0, for: context) }
          #expect(outcomes[0] == outcomes[1] && outcomes[1] == outcomes[2], "\(key) for \(name) of \(texts)")
        }
      }
    }
  }

  @Test("What is wrong with a flag keeps its place in the document that it is from")
  func keepsPlaces() throws {
    let parts = try ["one", "two"].map { file in
      let text = Array(#"{"flags": {"\#(file)":  1, "last": {"state": 1e999}}}"#.utf8)
      let document = try FlagDocument(parsing: text, file: file)
      return StoredDefinitions(document, text: text, version: DefinitionVersion(of: text))
    }
    let merged = try StoredDefinitions(merging: parts).document
    #expect(merged.diagnostics.map { "\($0)".prefix(10) } == ["one:1:20: ", "one:1:41: ", "two:1:20: ", "two:1:41: "])
    for (key, start) in [("one", "one: $.flags.one: "), ("last", "two: $.flags.last.state: ")] {
      let error = #expect(throws: FlagError.self) { try merged.evaluate(key, in: EvaluationContext(), at: 0) }
      #expect(error?.message.hasPrefix(start) == true)
    }
  }

  @Test("A document alone stays as it is written")
  func keepsOne() throws {
    let text = Array(#"{ "flags": {}, "metadata": 1 }"#.utf8)
    #expect(try StoredDefinitions(merging: [StoredDefinitions(parsing: text)]).text == text)
  }

  @Test("Metadata that would make too much text, copied to each flag, is refused before that is made")
  func refusesCopies() throws {
    let flags = (0..<50_000).map { #""f\#($0)": {}"# }.joined(separator: ",")
    let large = Array(#"{"flags": {\#(flags)}, "metadata": {"a": "\#(String(repeating: "x", count: 10_000))"}}"#.utf8)
    let error = #expect(throws: FlagDocumentError.self) {
      try DocumentMerger.merge([large, Array(#"{"flags": {}}"#.utf8)])
    }
    #expect(error?.diagnostics.first?.message.hasPrefix("expected documents of one metadata") == true)
  }

  @Test("What in a document cannot be held stays the mistake of one flag")
  func keepsMalformed() throws {
    let merged = try merge(
      #"{"flags": {"a": {"state": 1e999}, "b": 1}}"#, #"{"flags": {}, "metadata": {"owner": "two"}}"#)
    let document = try FlagDocument(parsing: Data(merged.utf8))
    #expect(document.keys.sorted() == ["a", "b"])
    #expect(document.diagnostics.count == 2)
  }

  @Test("A large document is merged in linear time", .timeLimit(.minutes(15)))
  func isLinear() throws {
    let flags = (0..<20_000).map { #""f\#($0)": {"state": "ENABLED", "variants": {"on": \#($0)}}"# }
    let text = Array("{\"flags\": {\(flags.joined(separator: ","))}, \"metadata\": {\"a\": 1}}".utf8)
    let merged = try DocumentMerger.merge([text, Array(#"{"flags": {}, "$evaluators": {"r": 1}}"#.utf8)])
    #expect(merged.count > text.count)
  }

  private func merge(_ texts: String...) throws -> String {
    String(decoding: try DocumentMerger.merge(texts.map { Array($0.utf8) }), as: UTF8.self)
  }

  private func outcome(of key: String, in document: any DefinitionDocument, for context: EvaluationContext) -> String {
    do throws(FlagError) {
      let answer = try document.evaluate(key, in: context, at: 0)
      return "\(answer?.value ?? .null) \(answer?.variant ?? "-") \(FlagValue.object(answer?.metadata ?? [:]))"
    } catch {
      return "\(error.code)"
    }
  }
}

/// Documents whose flags, shared rules and metadata have the same few names, and mistakes.
private enum RandomParts {
  /// Two of the names look the same, and are other code points.
  private static let names = ["r", "s", "t", "\u{e9}", "e\u{301}"]

  static func document(_ random: inout SeededGenerator) -> String {
    let flags = (0..<5).map { number in "\(key(&random)): \(flag(number, &random))" }
    let evaluators = names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)).map {
      "\"\($0)\": \(rule(&random))"
    }
    return """
      {"flags": {\(flags.joined(separator: ", "))}, "$evaluators": {\(evaluators.joined(separator: ", "))},
       "metadata": \(metadata(&random))}
      """
  }

  private static func key(_ random: inout SeededGenerator) -> String {
    ["\"f1\"", "\"f2\"", "\"f3\"", "\"f4\"", "\"\u{e9}\"", "\"e\u{301}\""].randomElement(using: &random) ?? ""
  }

  private static func flag(_ number: Int, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: ["1", "[2.50]", #"{"state": 1e999}"#, #"{"state": "MAYBE"}"#].randomElement(using: &random) ?? ""
    default:
      #"{"state": "ENABLED", "variants": {"on": \#(number), "off": -1}, "defaultVariant": "on", "#
        + #""targeting": \#(rule(&random)), "metadata": \#(metadata(&random))}"#
    }
  }

  private static func rule(_ random: inout SeededGenerator) -> String {
    let name = names.randomElement(using: &random) ?? ""
    return switch Int.random(in: 0..<5, using: &random) {
    case 0: #"{"$ref": "\#(name)"}"#
    case 1: #"{"if": [{"==": [{"var": "targetingKey"}, "u\#(Int.random(in: 1...3, using: &random))"]}, "on", "off"]}"#
    case 2: #"{"fractional": [["on", 1], ["off", 1]]}"#
    case 3: #"{"if": [true, {"$ref": "\#(name)"}]}"#
    default: #"{"if": [true, "off"]}"#
    }
  }

  private static func metadata(_ random: inout SeededGenerator) -> String {
    let all = ["{}", #"{"owner": "x"}"#, #"{"owner": "x", "tags": []}"#, #"{"owner": "y"}"#, "{}", "{}", "null"]
    return all.randomElement(using: &random) ?? ""
  }
}

@Suite("Fingerprint")
struct FingerprintTests {
  @Test(
    "Is MurmurHash3 x64 128",
    arguments: [
      ("", "00000000000000000000000000000000"), ("hello", "cbd8a7b341bd9b025b1e906a48ae1d19"),
      ("hello, world", "342fac623a5ebc8e4cdcbc079642414d"),
      ("The quick brown fox jumps over the lazy dog", "e34bbc7bbc071b6c7a433ca9c49a9347"),
    ])
  func hashes(text: String, digits: String) {
    #expect(Fingerprint(of: Array(text.utf8)).description == digits)
  }

  @Test("Texts of any length that differ in one bit differ")
  func tellsApart() {
    var seen: Set<Fingerprint> = []
    for count in 0..<64 {
      let bytes = [UInt8](repeating: 7, count: count)
      seen.insert(Fingerprint(of: bytes))
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 1
        seen.insert(Fingerprint(of: other))
      }
    }
    #expect(seen.count == 64 + 63 * 64 / 2)
  }
}
