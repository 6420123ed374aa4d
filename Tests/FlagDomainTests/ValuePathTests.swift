import FlagDomain
import Testing

@Suite("Value paths")
struct ValuePathTests {
  private let value: FlagValue = [
    "arr": [["s": "first"], ["s": "second"]], "nested": [[1, 2], [3]], "1": "number", "a.b": ["c": "dot"],
    "back\\slash": true, "": "empty", "null": .null,
  ]

  @Test(
    "A path leads into records and lists",
    arguments: [
      ("arr.1.s", "second"), ("nested.0.1", 2), ("nested.1", [3]), ("1", "number"), ("a\\.b.c", "dot"),
      ("\\1", "number"), ("back\\\\slash", true), ("null", .null as FlagValue),
    ] as [(ValuePath, FlagValue)])
  func finds(path: ValuePath, found: FlagValue) {
    #expect(value[path] == found)
  }

  @Test(
    "What a path does not lead to is absent",
    arguments: [
      "arr.2", "arr.-1", "arr.+1", "arr.01", "arr.99999999999999999999", "arr.s", "nested.1.1", "a.b.c", "null.x",
      "1.x",
      "arr..s", "arr.",
    ] as [ValuePath])
  func misses(path: ValuePath) {
    #expect(value[path] == nil)
  }

  @Test(
    "A wrong container and an index out of range are a mismatch that says where",
    arguments: [
      ("arr.2", "expected an index below 2 for the array at \"arr\", found \"2\""),
      ("arr.-1", "expected an index below 2 for the array at \"arr\", found \"-1\""),
      ("arr.s", "expected an index below 2 for the array at \"arr\", found \"s\""),
      ("nested.1.1", "expected an index below 1 for the array at \"nested.1\", found \"1\""),
      ("1.x.y", "expected an object or an array at \"1\", found string"),
      ("null.x", "expected an object or an array at \"null\", found null"),
      ("a\\.b.c.d", "expected an object or an array at \"a\\.b.c\", found string"),
    ] as [(ValuePath, String)])
  func mismatches(path: ValuePath, message: String) {
    #expect(throws: FlagError(.typeMismatch, message)) { try value.part(at: path) }
  }

  @Test("A field that an object has not is absent, and what is there is found", arguments: ["x", "arr.1.x", "x.y.z"])
  func isAbsent(path: ValuePath) throws {
    #expect(try value.part(at: path) == nil)
    #expect(try value.part(at: "arr.1.s") == "second")
  }

  @Test("A part of a flag's value is read with its type")
  func decodes() throws {
    let flag = Flag("config", default: value, "A structured value.")
    #expect(try flag.defaultValue["arr.1.s"]?.decode(as: String.self) == "second")
  }

  @Test("No components are the value itself")
  func isRoot() { #expect(value[ValuePath("")] == value) }

  @Test("A path reads back from its text", arguments: [["a"], ["a.b", "c"], ["\\", "1"], ["a", "", "b"], []])
  func roundTrips(components: [String]) {
    #expect(ValuePath(ValuePath(components).description).components == components)
  }

  @Test("A backslash at the end stands for itself")
  func endsInBackslash() { #expect(ValuePath("a\\").components == ["a\\"]) }
}
