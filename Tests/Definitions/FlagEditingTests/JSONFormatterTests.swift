import FlagDomain
import FlagEditing
import FlagJSON
import TestSupport
import Testing

@Suite("JSON laid out for reading")
struct JSONFormatterTests {
  @Test(
    "A part stays on its line if it fits; names, numbers and strings stay as they are written",
    arguments: [
      (" {\"b\":1.50,\"a\" : [ 1,2 ]} ", #"{"b": 1.50, "a": [1, 2]}"#),
      ("[ ]", "[]"), ("{}", "{}"), ("1e3", "1e3"), (#""a\u0062\" ,:[""#, #""a\u0062\" ,:[""#),
      (
        #"{"if":[{"in":[{"var":"country"},["es"]]},"on",null]}"#,
        "{\"if\": [\n  {\"in\": [{\"var\": \"country\"}, [\"es\"]]},\n  \"on\",\n  null\n]}"
      ),
      (
        #"{"aaaaaaaaaaaaaaaaa":1,"bbbbbbbbbbbbbbbbb":[]}"#,
        "{\n  \"aaaaaaaaaaaaaaaaa\": 1,\n  \"bbbbbbbbbbbbbbbbb\": []\n}"
      ),
      (#"[["aaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbb"]]"#, "[[\n  \"aaaaaaaaaaaaaaaaaaaaaaaaa\",\n  \"bbbbbbbbb\"\n]]"),
      (#"{"a": 1, "a": 2}"#, #"{"a": 1, "a": 2}"#), ("[\n1\r\n,\t2]", "[1, 2]"),
      ("[\"ééééééééééééééééééééééééééééééééééé\"]", "[\"ééééééééééééééééééééééééééééééééééé\"]"),
    ])
  func laysOut(text: String, expected: String) throws {
    #expect(try JSONFormatter.laidOut(text, width: 40) == expected)
  }

  @Test(
    "A text that is not JSON is an error with line and column",
    arguments: [("", "1, column 1"), ("[\n1 2]", "2, column 3")])
  func refuses(text: String, place: String) {
    let error = #expect(throws: FlagError.self) { try JSONFormatter.laidOut(text) }
    #expect(error?.code == .parseError && error?.message.hasPrefix("line \(place): ") == true)
  }

  @Test("A laid out text has the same value, and laying it out again changes nothing", arguments: 0..<100)
  func keepsMeaning(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = FlagValue.random(levels: 6, using: &generator)
    let text = try JSONFormatter.laidOut(value.description, width: Int(seed % 90))
    #expect(try FlagValue.reading(json: text) == FlagValue.reading(json: value.description))
    #expect(try JSONFormatter.laidOut(text, width: Int(seed % 90)) == text)
  }
}
