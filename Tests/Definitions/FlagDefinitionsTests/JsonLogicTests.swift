import FlagDomain
import Testing

@testable import FlagDefinitions

@Suite("JsonLogic, as JavaScript's reference has it")
struct JsonLogicTests {
  @Test(
    "Values are converted as JavaScript converts them",
    arguments: [
      (#"{"==": [1, "1"]}"#, "true"), (#"{"==": [0, ""]}"#, "true"), (#"{"==": [null, 0]}"#, "false"),
      (#"{"==": ["1,2", [1, 2]]}"#, "true"), (#"{"==": [[], false]}"#, "true"), (#"{"==": [" 0x1F ", 31]}"#, "true"),
      (#"{"===": [1, 1.0]}"#, "true"), (#"{"==": [null]}"#, "true"), (#"{"===": [null]}"#, "false"),
      (#"{"<": ["10", "9"]}"#, "true"), (#"{"<": ["10", 9]}"#, "false"), (#"{"<": ["a", 1]}"#, "false"),
      (#"{">=": [null, 0]}"#, "true"), (#"{"<": ["😀", "\uff5e"]}"#, "true"),
      (#"{"+": ["3.14abc", true, 1]}"#, "null"), (#"{"+": ["3.14abc", 1]}"#, "4.140000000000001"),
      (#"{"-": ["5", {"var": "none"}]}"#, "5"), (#"{"-": ["5"]}"#, "-5"), (#"{"*": ["2"]}"#, #""2""#),
      (#"{"/": [0, 0]}"#, "null"), (#"{"max": []}"#, "null"), (#"{"%": [-7, 3]}"#, "-1"),
      (#"{"!": [[]]}"#, "true"), (#"{"!": ["0"]}"#, "false"), (#"{"!": {"a": 1, "b": 2}}"#, "false"),
    ])
  func conversions(rule: String, result: String) throws {
    #expect(try "\(RuleHarness.evaluate(rule))" == result)
  }

  @Test("Strings are compared by their code units, not by their looks")
  func codeUnits() throws {
    #expect(try RuleHarness.evaluate(#"{"==": ["\u00e9", "e\u0301"]}"#) == false)
    #expect(try RuleHarness.evaluate(#"{"in": ["e", "e\u0301"]}"#) == true)
    #expect(try RuleHarness.evaluate(#"{"in": ["\u00e9", ["e\u0301"]]}"#) == false)
    #expect(try RuleHarness.evaluate(#"{"starts_with": ["e\u0301", "e"]}"#) == true)
    #expect(try RuleHarness.evaluate(#"{"ends_with": ["e\u0301", "\u0301"]}"#) == true)
  }

  @Test(
    "Numbers are written as JavaScript writes them",
    arguments: [
      ("1e21", "1e+21"), ("1e20", "100000000000000000000"), ("1e-7", "1e-7"), ("0.000001", "0.000001"),
      ("1.5e300", "1.5e+300"), ("-0.0", "0"), ("123456789012345680000", "123456789012345680000"), ("10.0", "10"),
      ("5e-324", "5e-324"), ("-1.25e-9", "-1.25e-9"), ("0.1", "0.1"), ("9007199254740993", "9007199254740992"),
    ])
  func numberText(number: String, text: String) throws {
    #expect(try RuleHarness.evaluate(#"{"cat": [\#(number)]}"#) == .string(text))
  }

  @Test(
    "Parts of text are counted in UTF-16 units, from either end and without bounds",
    arguments: [
      (#"["jsonlogic", -5, -2]"#, "log"), (#"["abc", 1]"#, "bc"), (#"["abc", -100, 2]"#, "ab"),
      (#"["abc", 1e300]"#, ""),
      (#"["abc", -1e300, 1e300]"#, "abc"), (#"["a😀b", 3]"#, "b"), (#"["abc", 0, -4]"#, ""),
      (#"["abc", "1", "1"]"#, "b"),
      (#"["abc", null, null]"#, ""), (#"[123, 1]"#, "23"), (#"["abc", 9223372036854775807, -9223372036854775808]"#, ""),
    ])
  func substrings(operands: String, result: String) throws {
    #expect(try RuleHarness.evaluate(#"{"substr": \#(operands)}"#) == .string(result))
  }

  @Test(
    "Variables reach into records, lists and text, and fall back where there is nothing",
    arguments: [
      (#""user.name""#, #""ann""#), (#""list.1""#, "2"), (#""list.length""#, "3"), (#""list.01""#, "null"),
      (#"["list.9", "none"]"#, #""none""#), (#"["user.age.years", 7]"#, "7"), (#"["nothing", 7]"#, "null"),
      (#""text.1""#, #""b""#), (#"["a.b", 1]"#, "1"), (#"1.5"#, "null"),
      (#"{"cat": ["user", ".", "name"]}"#, #""ann""#),
      (#""toString""#, "null"),
    ])
  func variables(name: String, result: String) throws {
    let data = #"{"user": {"name": "ann"}, "list": [1, 2, 3], "text": "abc", "nothing": null, "a.b": 2}"#
    #expect(try "\(RuleHarness.evaluate(#"{"var": \#(name)}"#, on: data))" == result)
  }

  @Test("An object of several members, or none, is a plain value")
  func plainObjects() throws {
    #expect(try RuleHarness.evaluate(#"[{"a": 1, "b": {"var": "x"}}, {}]"#) == [["a": 1, "b": ["var": "x"]], [:]])
  }

  @Test("What reads or writes nothing is left alone until it is reached")
  func laziness() throws {
    #expect(try RuleHarness.evaluate(#"{"if": [true, 1, {"nonsense": 1}]}"#) == 1)
    #expect(try RuleHarness.evaluate(#"{"or": [1, {"nonsense": 1}]}"#) == 1)
    #expect(throws: RuleFailure.self) { try RuleHarness.evaluate(#"{"and": [1, {"nonsense": 1}]}"#) }
    #expect(throws: RuleFailure.self) { try RuleHarness.evaluate(#"{"*": []}"#) }
  }

  @Test("Lists that a rule makes are equal to no other, and those of the data to themselves")
  func identity() throws {
    #expect(try RuleHarness.evaluate(#"{"==": [[1], [1]]}"#) == false)
    #expect(try RuleHarness.evaluate(#"{"===": [{"var": "l"}, {"var": "l"}]}"#, on: #"{"l": [1]}"#) == true)
  }
}
