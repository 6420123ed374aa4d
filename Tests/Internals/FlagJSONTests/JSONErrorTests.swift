import FlagDomain
import FlagJSON
import Testing

@Suite("What a JSON reader says of a text that it cannot read")
struct JSONErrorTests {
  @Test("An error says where something is, what was expected and what was found", arguments: Mistake.all)
  func mistakes(mistake: Mistake) {
    let error = JSONError.thrown(reading: mistake.bytes)
    #expect(error.map { "\($0.offset) \($0.path): \($0)" } == mistake.message)
    #expect(error?.code == mistake.code)
  }

  @Test("A message quotes at most 100 characters of the text", arguments: ["", "[", "-", "{\"a\":", "[1 "])
  func quotes(opening: String) throws {
    for character in ["7", "x", "\u{e9}", "-", "\u{1}"] {
      let text = opening + String(repeating: character, count: 100_000)
      let error = try #require(JSONError.thrown(reading: text))
      #expect(error.description.count < 200, "\(error)")
    }
    let name = String(repeating: "n", count: 100_000)
    let error = try #require(JSONError.thrown(reading: #"{"\#(name)": x}"#))
    #expect(error.path.description.count < 200)
  }

  @Test(
    "What cannot be held is passed over, and the values after it are read",
    arguments: [
      (#"[1e400, 2]"#, "$[0]"), (#"["\udc00", 2]"#, "$[0]"), (#"[[1, {"a\ud800": 1}], 2]"#, #"$[0][1]["a\\ud800"]"#),
      (
        "[\(String(repeating: "[", count: 300))\(String(repeating: "]", count: 300)), 2]",
        "$[0]\(String(repeating: "[0]", count: 47))…\(String(repeating: "[0]", count: 8))"
      ),
    ])
  func recovers(text: String, path: String) throws {
    try JSONReader.read(text) { reader throws(JSONError) in
      try reader.enterArray()
      _ = try reader.nextElement()
      let error = JSONError.thrown { () throws(JSONError) in _ = try reader.readValue() }
      #expect(error?.code == .range)
      #expect(error?.path.description == path)
      _ = try reader.nextElement()
      #expect(try reader.readValue() == 2)
      #expect(try !reader.nextElement())
      try reader.finish()
    }
  }

  @Test("As an error of a flag's value it says line and column")
  func flagErrors() {
    let expected = FlagError(.parseError, "line 2, column 7: expected another member, found a trailing comma")
    let text = "{\n\"é\": 1,}"
    #expect(throws: expected) { try FlagValue.reading(json: text) }
    #expect(throws: expected) { try FlagValue.reading(json: Array(text.utf8)) }
    #expect(throws: Never.self) { try #expect(FlagValue.reading(json: "[1]") == [1]) }
  }

  @Test("A text that is no JSON is said to be none before something in it is said to be too large")
  func prefersSyntax() {
    #expect(JSONError.thrown(reading: "[1e400, x]")?.code == .syntax)
    #expect(JSONError.thrown(reading: "[1e400] x")?.code == .syntax)
  }
}

/// A text that is no JSON, or that holds what no value can.
struct Mistake: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let message: String
  var code = JSONError.Code.syntax

  var testDescription: String { "\(String(decoding: bytes, as: UTF8.self)) \(message)" }

  static let all = [
    Mistake("", "0 $: expected a value, found the end of the document"),
    Mistake("  ", "2 $: expected a value, found the end of the document"),
    Mistake("nul", #"0 $: expected a value, found "nul""#), Mistake("NaN", #"0 $: expected a value, found "NaN""#),
    Mistake("truex", #"4 $: expected the end of the document, found "x""#),
    Mistake("[1] 2", #"4 $: expected the end of the document, found "2""#),
    Mistake("[1 2]", #"3 $: expected "," or "]", found "2""#),
    Mistake("[1", #"2 $: expected "," or "]", found the end of the document"#),
    Mistake("[1,,2]", #"3 $[1]: expected a value, found ",""#),
    Mistake("[,1]", #"1 $[0]: expected a value, found ",""#),
    Mistake("[1, 2,\n ]", "5 $: expected another element, found a trailing comma"),
    Mistake(#"{"a": {"b": [true,]}}"#, "17 $.a.b: expected another element, found a trailing comma"),
    Mistake(#"{"f": {"o n": 1,}}"#, "15 $.f: expected another member, found a trailing comma"),
    Mistake(#"{"a": 1 "b": 2}"#, ##"8 $: expected "," or "}", found """"##),
    Mistake(#"{"a" 1}"#, #"5 $.a: expected ":", found "1""#),
    Mistake(#"{"a b": }"#, #"8 $["a b"]: expected a value, found "}""#),
    Mistake("{a: 1}", #"1 $: expected a name in quotation marks, found "a""#),
    Mistake("{'a': 1}", #"1 $: expected a name in quotation marks, found "'""#),
    Mistake(#"{"a": 1, 2: 3}"#, #"9 $: expected a name in quotation marks, found "2""#),
    Mistake("[01]", #"1 $[0]: expected a number without leading zeros, found "01""#),
    Mistake("[-]", #"2 $[0]: expected a digit, found "]""#),
    Mistake("1.", "2 $: expected a digit, found the end of the document"),
    Mistake("1.e5", #"2 $: expected a digit, found "e5""#),
    Mistake("1e+", "3 $: expected a digit, found the end of the document"),
    Mistake("+1", #"0 $: expected a value, found "+1""#), Mistake(".5", #"0 $: expected a value, found ".5""#),
    Mistake(#"["\x"]"#, #"3 $[0]: expected an escaped character, found "x""#),
    Mistake(#"["\u12g4"]"#, #"6 $[0]: expected a hexadecimal digit, found "g4""#),
    Mistake("[\"a\nb\"]", "3 $[0]: expected a string without control characters, found control character 10"),
    Mistake("[\"ab", "4 $[0]: expected a quotation mark at the end of the string, found the end of the document"),
    Mistake("{\"ab", "4 $: expected a quotation mark at the end of the string, found the end of the document"),
    Mistake("[\u{e9}]", "1 $[0]: expected a value, found \"\u{e9}\""),
    Mistake("\u{feff}\u{feff}1", "3 $: expected a value, found \"\u{feff}\""),
    Mistake(Array("[\"a".utf8) + [0xff] + Array("\"]".utf8), "3 $[0]: expected UTF-8, found the byte 0xff"),
    Mistake([0xff, 0xfe, 0x5b, 0x00], "0 $: expected a value, found the byte 0xff"),
    Mistake([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d], "2 $[0]: expected UTF-8, found the byte 0xed"),
    Mistake([0x22, 0xc0, 0x80, 0x22], "1 $: expected UTF-8, found the byte 0xc0"),
    Mistake("1\u{0}", "1 $: expected the end of the document, found control character 0"),
    Mistake(#"[1, "a\ud834b"]"#, #"6 $[1]: expected both halves of a surrogate pair, found \ud834 alone"#, .range),
    Mistake(#"["\ud834\ud834"]"#, #"2 $[0]: expected both halves of a surrogate pair, found \ud834 alone"#, .range),
    Mistake(
      #"{"\uDD1E": 0}"#, #"2 $["\\uDD1E"]: expected both halves of a surrogate pair, found \uDD1E alone"#, .range),
    Mistake("[1e309]", "1 $[0]: expected a number that a double can hold, found 1e309", .range),
    Mistake(
      #"{"a": -1e99999999999999999999}"#,
      "6 $.a: expected a number that a double can hold, found -1e99999999999999999999", .range),
  ]

  init(_ text: String, _ message: String, _ code: JSONError.Code = .syntax) {
    self.init(Array(text.utf8), message, code)
  }

  init(_ bytes: [UInt8], _ message: String, _ code: JSONError.Code = .syntax) {
    self.bytes = bytes
    self.message = message
    self.code = code
  }
}
