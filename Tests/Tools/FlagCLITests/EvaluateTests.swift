import FlagCLI
import Testing

@Suite("flagctl evaluate")
struct EvaluateTests {
  @Test(
    "A value is given as the type that the case wants, or not at all",
    arguments: [
      ("bool", "boolean", #"{"value":true,"variant":"v","reason":"STATIC","errorCode":null,"metadata":null}"#),
      ("ten", "integer", #"{"value":10,"variant":"v","reason":"STATIC","errorCode":null,"metadata":null}"#),
      ("ten", "float", #"{"value":10,"variant":"v","reason":"STATIC","errorCode":null,"metadata":null}"#),
      ("half", "float", #"{"value":0.5,"variant":"v","reason":"STATIC","errorCode":null,"metadata":null}"#),
      (
        "half", "integer", #"{"value":"d","variant":null,"reason":"ERROR","errorCode":"TYPE_MISMATCH","metadata":null}"#
      ),
      ("bool", "string", #"{"value":"d","variant":null,"reason":"ERROR","errorCode":"TYPE_MISMATCH","metadata":null}"#),
      ("list", "object", #"{"value":[1,2.5],"variant":"v","reason":"STATIC","errorCode":null,"metadata":null}"#),
      (
        "off", "object",
        #"{"value":"d","variant":null,"reason":"DISABLED","errorCode":null,"metadata":{"n":1,"o":"x"}}"#
      ),
      (
        "none", "string", #"{"value":"d","variant":null,"reason":"ERROR","errorCode":"FLAG_NOT_FOUND","metadata":null}"#
      ),
      (
        "rule", "boolean",
        #"{"value":"d","variant":null,"reason":"ERROR","errorCode":"PARSE_ERROR","metadata":{"n":1}}"#
      ),
      (
        "result", "boolean",
        #"{"value":"d","variant":null,"reason":"ERROR","errorCode":"GENERAL","metadata":{"n":1}}"#
      ),
      ("broken", "string", #"{"value":"d","variant":null,"reason":"ERROR","errorCode":"PARSE_ERROR","metadata":null}"#),
    ])
  func types(flag: String, type: String, result: String) {
    let question = #"{"flagKey": "\#(flag)", "type": "\#(type)", "default": "d", "context": {}}"#
    let transcript = Transcript("evaluate", "--flags", "f.json", files: ["f.json": Self.document], input: [question])
    #expect(transcript.output == result + "\n")
    #expect(transcript.exitCode == 0)
  }

  @Test("Lines are answered in order, however they arrive, and those that are no cases as well")
  func lines() {
    let transcript = Transcript(
      "evaluate", "--flags", "f.json", "--cases", "-", files: ["f.json": Self.good],
      input: [
        #"{"flagKey": "bool", "type": "boo"#, "lean\"}\r\n\n{]\n[1]\n{\"type\": \"string\", \"default\": 7}\n",
        #"{"flagKey": "bool", "type": "text"}"# + "\n"
          + #"{"flagKey": "bool", "type": "string", "context": 1, "default": 2}"#,
      ])
    let failure = #","variant":null,"reason":"ERROR","errorCode":"#
    #expect(
      transcript
        == Transcript(
          output: """
            {"value":true,"variant":"v","reason":"STATIC","errorCode":null,"metadata":null}
            {"value":null\(failure)"PARSE_ERROR","metadata":null}
            {"value":null\(failure)"PARSE_ERROR","metadata":null}
            {"value":7\(failure)"PARSE_ERROR","metadata":null}
            {"value":null\(failure)"PARSE_ERROR","metadata":null}
            {"value":2\(failure)"INVALID_CONTEXT","metadata":null}

            """,
          errors: """
            flagctl: line 3: PARSE_ERROR: expected a name in quotation marks, found "]" at byte 2
            flagctl: line 4: PARSE_ERROR: expected an object, found array
            flagctl: line 5: PARSE_ERROR: flagKey: expected a string, found nothing
            flagctl: line 6: PARSE_ERROR: type: expected one of boolean, string, integer, float, object, found "text"
            flagctl: line 7: INVALID_CONTEXT: context: expected an object, found integer

            """, exitCode: 1))
  }

  @Test("Of several documents the last one counts, and the options reach the rules")
  func options() {
    let files = [
      "a.json": Self.good,
      "b.json": """
      {"flags": {"bool": {"state": "ENABLED", "variants": {"v": true, "w": false}, "targeting":
        {"if": [{"==": [{"var": "$flagd.timestamp"}, 5]}, "w", "v"]}}}}
      """,
      "cases": #"{"flagKey": "bool", "type": "boolean"}"#,
    ]
    let at5 = Transcript(
      "evaluate", "--flags", "a.json", "--flags=b.json", "--cases", "cases", "--timestamp", "5", "--bucketing", "v2",
      files: files)
    let now = Transcript("evaluate", "--flags", "a.json", "--flags", "b.json", "--cases", "cases", files: files)
    #expect(at5.output.hasPrefix(#"{"value":false,"variant":"w","reason":"TARGETING_MATCH""#))
    #expect(now.output.hasPrefix(#"{"value":true,"variant":"v","reason":"TARGETING_MATCH""#))
  }

  @Test("A document that cannot be read ends the run, and one with a broken flag does not")
  func documents() {
    let broken = Transcript("evaluate", "--flags", "f.json", files: ["f.json": "{}"])
    #expect(
      broken
        == Transcript(errors: #"f.json:1:1: error: $: expected the member "flags", found none"# + "\n", exitCode: 1))
    let partly = Transcript("evaluate", "--flags", "f.json", files: ["f.json": Self.document])
    #expect(partly.exitCode == 0 && partly.errors.contains("f.json:11:13: error: $.flags.broken: "))
    #expect(
      partly.errors.contains("f.json:9:67: error: $.flags.rule.targeting: expected an operator, found \"huh\"\n"))
    let noCases = Transcript("evaluate", "--flags", "f.json", "--cases", "gone", files: ["f.json": Self.good])
    #expect(noCases == Transcript(errors: "flagctl: gone: cannot be read: no such file\n", exitCode: 1))
  }

  private static let good =
    #"{"flags": {"bool": {"state": "ENABLED", "variants": {"v": true}, "defaultVariant": "v"}}}"#

  private static let document = """
    {"flags": {
      "bool": {"state": "ENABLED", "variants": {"v": true}, "defaultVariant": "v"},
      "ten": {"state": "ENABLED", "variants": {"v": 10.0}, "defaultVariant": "v"},
      "half": {"state": "ENABLED", "variants": {"v": 0.5}, "defaultVariant": "v"},
      "list": {"state": "ENABLED", "variants": {"v": [1.0, 2.5]}, "defaultVariant": "v"},
      "off": {"state": "DISABLED", "variants": {"v": 1},
        "metadata": {"o": "x", "n": 1.0}
      },
      "rule": {"state": "ENABLED", "variants": {"v": 1}, "targeting": {"huh": 1}, "metadata": {"n": 1}},
      "result": {"state": "ENABLED", "variants": {"v": 1}, "targeting": {"!": 1}, "metadata": {"n": 1}},
      "broken": 1}}
    """
}
