import FlagDomain
import FlagJSON
import Foundation
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("Merging documents")
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

  @Test("A merged document means the same as its parts, one over the other", arguments: 0..<200)
  func agrees(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.document(&random) }
    let parts = try texts.map { try FlagDocument(parsing: Data($0.utf8)) }
    let expected = parts.dropFirst().reduce(parts[0]) { $0.merging($1) }
    let merged = try FlagDocument(parsing: Data(DocumentMerger.merge(texts.map { Array($0.utf8) })))
    #expect(Set(merged.keys) == Set(expected.keys))
    for key in expected.keys {
      for name in ["u1", "u2", "u3"] {
        let context = EvaluationContext(user: FlagUser(id: name))
        #expect(
          outcome(of: key, in: merged, for: context) == outcome(of: key, in: expected, for: context),
          "\(key) for \(name) of \(texts)")
      }
    }
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

  private func outcome(of key: String, in document: FlagDocument, for context: EvaluationContext) -> String {
    do throws(FlagError) {
      let answer = try document.evaluate(key, in: context, at: 0)
      return "\(answer?.value ?? .null) \(answer?.variant ?? "-") \(FlagValue.object(answer?.metadata ?? [:]))"
    } catch {
      return "\(error.code)"
    }
  }

  /// Documents whose flags, shared rules and metadata have the same few names.
  private static func document(_ random: inout SeededGenerator) -> String {
    let names = ["r", "s", "t"]
    func rule(_ random: inout SeededGenerator) -> String {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: #"{"$ref": "\#(names.randomElement(using: &random) ?? "r")"}"#
      case 1: #"{"if": [{"==": [{"var": "targetingKey"}, "u\#(Int.random(in: 1...3, using: &random))"]}, "on", "off"]}"#
      case 2: #"{"fractional": [["on", 1], ["off", 1]]}"#
      case 3: #"{"if": [true, {"$ref": "\#(names.randomElement(using: &random) ?? "r")"}]}"#
      default: #"{"if": [true, "off"]}"#
      }
    }
    let flags = (0..<4).map { number in
      #""f\#(Int.random(in: 0..<6, using: &random))": {"state": "ENABLED", "#
        + #""variants": {"on": \#(number), "off": -1}, "defaultVariant": "on", "targeting": \#(rule(&random))}"#
    }
    let evaluators = names.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)).map {
      "\"\($0)\": \(rule(&random))"
    }
    let owner = Bool.random(using: &random) ? "x" : "y"
    return """
      {"flags": {\(flags.joined(separator: ", "))}, "$evaluators": {\(evaluators.joined(separator: ", "))},
       "metadata": {"owner": "\(owner)"}}
      """
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
