import FlagDomain
import FlagJSON
import TestSupport
import Testing

@Suite("Writing values as JSON text")
struct JSONWriterTests {
  @Test(
    "A value is written in one way",
    arguments: [
      (.null, "null"), (true, "true"), (-12, "-12"), (.int(.min), "-170141183460469231731687303715884105728"),
      (.double(10), "10.0"), (.double(-0.0), "-0.0"), (.double(1e300), "1e+300"), (.double(0.1), "0.1"),
      (.double(.leastNonzeroMagnitude), "5e-324"), ("", #""""#), ("a/b\"\\", #""a/b\"\\""#),
      ("\u{0}\u{8}\t\n\r\u{1f}\u{7f}\u{e9}", "\"\\u0000\\u0008\\t\\n\\r\\u001f\u{7f}\u{e9}\""),
      ([], "[]"), ([:], "{}"), ([1, [], ["a"]], #"[1,[],["a"]]"#),
      (
        ["b": 1, "a": [.null], "\u{e9}": 2, "z": 3, "e\u{301}2": 4],
        "{\"a\":[null],\"b\":1,\"e\u{301}2\":4,\"z\":3,\"\u{e9}\":2}"
      ),
    ] as [(FlagValue, String)])
  func texts(value: FlagValue, text: String) throws {
    #expect(try value.jsonString() == text)
  }

  @Test(
    "A layout gives lines to all members and elements, or to the outermost ones",
    arguments: [
      (.compact, #"{"a":{"b":[1,{}]},"c":[]}"#), (.lines, "{\n  \"a\": {\"b\":[1,{}]},\n  \"c\": []\n}\n"),
      (.indented, "{\n  \"a\": {\n    \"b\": [\n      1,\n      {}\n    ]\n  },\n  \"c\": []\n}\n"),
    ] as [(JSONLayout, String)])
  func layouts(layout: JSONLayout, text: String) throws {
    #expect(try FlagValue.object(["c": [], "a": ["b": [1, [:]]]]).jsonString(layout) == text)
    #expect(try FlagValue.object([:]).jsonString(layout) == (layout == .compact ? "{}" : "{}\n"))
  }

  @Test(
    "A number that JSON cannot hold is an error that says where it is",
    arguments: [(.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf")] as [(Double, String)])
  func numbers(number: Double, name: String) {
    let error = FlagError.thrown(writing: FlagValue.object(["a": [1, .double(number)]]))
    #expect(error == FlagError(.typeMismatch, "$.a[1]: expected a finite number, which JSON can hold, found \(name)"))
  }

  @Test("A value that is too deep to be read back is not written, on a small stack")
  func depth() async throws {
    let value = (0..<JSONReader.maximumDepth).reduce(FlagValue.null) { value, _ in .array([value]) }
    let isSame = try await SmallStack.run { try value.writtenAndRead(.indented) == value }
    #expect(isSame)
    let error = FlagError.thrown(writing: FlagValue.array([value]))
    #expect(error?.code == .typeMismatch)
    #expect(error?.message.hasSuffix(": expected at most 256 levels of arrays and objects, found more") == true)
    #expect(
      FlagError.thrown(writing: FlagValue.array([[]]), depth: 1)?.message.hasPrefix("$[0]: ")
        == true)
  }

  @Test(
    "Whatever is written reads as the same value, to the last bit and code point",
    arguments: [JSONLayout.compact, .indented, .lines])
  func roundTrips(layout: JSONLayout) throws {
    var generator = SeededGenerator(seed: 2_026)
    for _ in 0..<3_000 {
      let value = FlagValue.random(levels: 4, using: &generator)
      #expect(try value.writtenAndRead(layout).isIdentical(to: value), "\(value)")
    }
  }

  @Test("Every finite double reads as itself, and never as an integer")
  func doubles() throws {
    var generator = SeededGenerator(seed: 754)
    let edges = [
      0, -0.0, 1, 1e15, 1e16, 1e17, 0x1p53, 0x1p63, 0x1p127, .leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude,
    ]
    let doubles =
      edges + (0..<20_000).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
      + (0..<20_000).map { _ in Double(Int64.random(in: -1_000_000...1_000_000, using: &generator)) / 100 }
    let value = FlagValue.array(doubles.map(FlagValue.double))
    #expect(try value.writtenAndRead().isIdentical(to: value))
  }
}
