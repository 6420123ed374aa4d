import Foundation
import TestSupport
import Testing

@Suite("OFREP, as others understand it", .timeLimit(.minutes(15)), .needs(.ofrepClient))
struct OFREPProviderTests {
  private let python = VirtualEnvironment.ofrep.python.path

  @Test("OpenFeature's provider for Python gets right answers", arguments: [nil, "secret"])
  func answersPython(token: String?) async throws {
    let server = try await RunningServer(
      ["f.json": Self.document, "tokens": "secret"],
      ["--flags", "f.json"] + (token == nil ? [] : ["--token-file", "tokens"]))
    let cases = Self.cases.map(\.question).joined(separator: "\n")
    let words = [Self.script("provider.py"), "\(server.url)"] + [token].compactMap { $0 }
    let output = try await RunningServer.run(python, words, in: server.folder, input: cases)
    #expect(output == Self.cases.map { "\($0.answer)\n" }.joined())
    #expect(await server.end() == 0)
  }

  @Test("Without the token the provider is refused, and the code's default counts")
  func refusesPython() async throws {
    let server = try await RunningServer(
      ["f.json": Self.document, "tokens": "secret"], ["--flags", "f.json", "--token-file", "tokens"])
    let output = try await RunningServer.run(
      python, [Self.script("provider.py"), "\(server.url)"], in: server.folder, input: Self.cases[0].question)
    #expect(output == #"{"error": "GENERAL", "reason": "ERROR", "value": false, "variant": null}"# + "\n")
    #expect(await server.end() == 0)
  }

  @Test("Every answer is as OFREP's schemas say, and its examples are taken", .needs(.conformance(.ofrep)))
  func fitsSchemas() async throws {
    let server = try await RunningServer(["f.json": Self.document], ["--flags", "f.json"])
    let output = try await RunningServer.run(
      python, [Self.script("schemas.py"), ConformanceSuite.ofrep.file("openapi.yaml").path, "\(server.url)"],
      in: server.folder)
    #expect(output.wholeMatch(of: /\d{3,} checks passed\n/) != nil, "\(output)")
    #expect(await server.end() == 0)
  }

  private static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../OFREP/\(name)").standardizedFileURL.path
  }

  /// Questions, and what the provider is to give.
  private static let cases: [(question: String, answer: String)] = [
    (
      #"{"flag": "fixed", "type": "boolean", "default": false, "context": {}}"#,
      #"{"error": null, "reason": "STATIC", "value": true, "variant": "on"}"#
    ),
    (
      #"{"flag": "country", "type": "string", "default": "", "context": {"targetingKey": "a", "country": "ES"}}"#,
      #"{"error": null, "reason": "TARGETING_MATCH", "value": "hola", "variant": "es"}"#
    ),
    (
      #"{"flag": "country", "type": "string", "default": "", "context": {"targetingKey": "a"}}"#,
      #"{"error": null, "reason": "UNKNOWN", "value": "hello", "variant": "en"}"#
    ),
    (
      #"{"flag": "float", "type": "float", "default": 0.5, "context": {"targetingKey": "a"}}"#,
      #"{"error": null, "reason": "STATIC", "value": 10.0, "variant": "ten"}"#
    ),
    (
      #"{"flag": "int", "type": "integer", "default": 0, "context": {"targetingKey": "a"}}"#,
      #"{"error": null, "reason": "STATIC", "value": 10, "variant": "ten"}"#
    ),
    (
      #"{"flag": "object", "type": "object", "default": {}, "context": {"targetingKey": "a"}}"#,
      #"{"error": null, "reason": "STATIC", "value": {"list": [1, 2.0]}, "variant": "o"}"#
    ),
    (
      #"{"flag": "disabled", "type": "string", "default": "code", "context": {"targetingKey": "a"}}"#,
      #"{"error": null, "reason": "DISABLED", "value": "code", "variant": ""}"#
    ),
    (
      #"{"flag": "split", "type": "string", "default": "code", "context": {}}"#,
      #"{"error": null, "reason": "UNKNOWN", "value": "a", "variant": "a"}"#
    ),
    (
      #"{"flag": "split", "type": "string", "default": "code", "context": {"targetingKey": "a"}}"#,
      #"{"error": null, "reason": "TARGETING_MATCH", "value": "b", "variant": "b"}"#
    ),
    (
      #"{"flag": "gone", "type": "boolean", "default": true, "context": {"targetingKey": "a"}}"#,
      #"{"error": "FLAG_NOT_FOUND", "reason": "ERROR", "value": true, "variant": null}"#
    ),
    (
      #"{"flag": "wrong", "type": "boolean", "default": true, "context": {"targetingKey": "a"}}"#,
      #"{"error": "PARSE_ERROR", "reason": "ERROR", "value": true, "variant": null}"#
    ),
    (
      #"{"flag": "fixed", "type": "string", "default": "code", "context": {"targetingKey": "a"}}"#,
      #"{"error": "TYPE_MISMATCH", "reason": "ERROR", "value": "code", "variant": null}"#
    ),
  ]

  private static let document = """
    {"flags": {
      "fixed": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on",
                "metadata": {"owner": "growth", "weight": 1.5}},
      "disabled": {"state": "DISABLED", "variants": {"on": "x"}, "defaultVariant": "on"},
      "none": {"state": "ENABLED", "variants": {"on": "x"}},
      "country": {"state": "ENABLED", "variants": {"es": "hola", "en": "hello"}, "defaultVariant": "en",
                  "targeting": {"if": [{"==": [{"var": "country"}, "ES"]}, "es", null]}},
      "split": {"state": "ENABLED", "variants": {"a": "a", "b": "b"}, "defaultVariant": "a",
                "targeting": {"fractional": [["a", 1], ["b", 1]]}},
      "float": {"state": "ENABLED", "variants": {"ten": 10, "half": 0.5}, "defaultVariant": "ten"},
      "int": {"state": "ENABLED", "variants": {"ten": 10}, "defaultVariant": "ten"},
      "object": {"state": "ENABLED", "variants": {"o": {"list": [1, 2.0]}}, "defaultVariant": "o"},
      "wrong": {"state": "ENABLED", "variants": {"a": true}, "defaultVariant": "a", "targeting": {"nope": []}}
    }}
    """
}
