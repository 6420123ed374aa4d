import FlagDomain
import FlagJSON
import TestSupport
import Testing

@Suite("Finding places in JSON text")
struct JSONLocatorTests {
  @Test(
    "Lines and columns count characters from one",
    arguments: [
      ("", 0, 1, 1), ("ab", 1, 1, 2), ("ab", 99, 1, 3), ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1), ("\n\n", 2, 3, 1),
      ("\u{e9}\u{20ac}\u{1f600}x", 9, 1, 4), ("\u{feff}x", 3, 1, 1), ("\u{feff}x", 0, 1, 1), ("a\r\nb", 3, 2, 1),
    ])
  func locations(text: String, offset: Int, line: Int, column: Int) {
    #expect(JSONSourceLocation(of: offset, in: Array(text.utf8)) == JSONSourceLocation(line: line, column: column))
  }

  @Test("Many offsets are found as each of them is, in the order that they are given in")
  func manyOffsets() {
    let text = Array("{\n \"\u{e9}\": [1,\n2]\n}\n".utf8)
    let offsets = Array((0...text.count).reversed()) + [3, 3, 0]
    let expected = offsets.map { JSONSourceLocation(of: $0, in: text) }
    #expect(JSONSourceLocation.locations(of: offsets, in: text) == expected)
    #expect(JSONSourceLocation.locations(of: [Int](), in: text).isEmpty)
  }

  @Test(
    "A path leads to its value, or to the innermost one around it that is there",
    arguments: [
      ([], "{"), ([.member("a")], "[1"), ([.member("a"), .element(1)], "{\"b"),
      ([.member("a"), .element(1), .member("b")], "true"),
      ([.member("a"), .element(2)], "[1"), ([.member("a"), .member("b")], "[1"), ([.member("no")], "{"),
      ([.member("d"), .member("first")], "{\"last"), ([.member("d"), .member("last")], "2}"), ([.element(0)], "{"),
      ([.member("e\u{301}")], "\"two"), ([.member("\u{e9}")], "\"one"), ([.member(#"\ud800"#)], "8"),
      ([.member("z")], "9"),
    ] as [([DocumentPath.Step], String)])
  func paths(steps: [DocumentPath.Step], beginning: String) {
    let text = #"""
      {"a": [1, {"b": true}], "d": {"first": {"x": 1}}, "d": {"last": 2},
       "é": "one", "é": "two", "\ud800": 8, "z": 9}
      """#.replacing("\"é\": \"two", with: "\"e\u{301}\": \"two").replacing("\"é\": \"one", with: "\"\u{e9}\": \"one")
    let offset = JSONLocator.offsets(of: [DocumentPath(steps)], in: Array(text.utf8))[0]
    let rest = String(decoding: Array(text.utf8).dropFirst(offset), as: UTF8.self)
    #expect(rest.utf8.starts(with: beginning.utf8), "\(rest)")
  }

  @Test("Many paths are found as each of them is, in the order that they are given in")
  func manyPaths() throws {
    var generator = SeededGenerator(seed: 66)
    for _ in 0..<200 {
      let text = try FlagValue.random(levels: 4, using: &generator).json(.indented)
      let paths = (0..<20).map { _ in
        DocumentPath(
          (0..<Int.random(in: 0...4, using: &generator)).map { _ in .element(.random(in: 0...3, using: &generator)) })
      }
      let expected = paths.map { JSONSourceLocation.locations(of: [$0], in: text)[0] }
      #expect(JSONSourceLocation.locations(of: paths, in: text) == expected)
    }
  }

  @Test("In a text that breaks off, what comes before is found")
  func broken() {
    let text = Array(#"{"a": 1, "b": [2, x"#.utf8)
    let paths = [DocumentPath.root.appending("a"), .root.appending("b").appending(0), .root.appending("c")]
    #expect(JSONLocator.offsets(of: paths, in: text) == [6, 15, 0])
  }

  @Test("Finding takes time in proportion to the text and to the paths")
  func linear() {
    func finding(_ count: Int) -> () -> Void {
      let deep = (0..<200).reduce(DocumentPath.root) { path, _ in path.appending(0) }
      let paths = (0..<count).map { deep.appending($0) }
      let elements = repeatElement("[x]", count: count).joined(separator: ",").replacing("x", with: "1")
      let text = Array((String(repeating: "[", count: 201) + elements + String(repeating: "]", count: 201)).utf8)
      return { #expect(JSONSourceLocation.locations(of: paths, in: text).last?.line == 1) }
    }
    // Tenfold may take thirtyfold; what grows with the square would take a hundredfold.
    #expect(processorTimeRatio(below: 30, of: finding(20_000), to: finding(2_000)) < 30)
  }
}
