import Testing

@testable import FlagMacroExpansion

@Suite("Scanner")
struct ScannerTests {
  @Test(
    "Text falls into tokens, space and comments left out",
    arguments: [
      ("", []),
      ("a/* b /* ) */ c */d", ["a", "d"]),
      ("a // }\nb", ["a", "b"]),
      ("`class` `a b`", ["`class`", "`a b`"]),
      ("größe 価格 $0 _x", ["größe", "価格", "$0", "_x"]),
      (
        "1_000 0xFF 0x1p-3 1.5e+3 1...5 1.max", ["1_000", "0xFF", "0x1p-3", "1.5e+3", "1", "...", "5", "1", ".", "max"]
      ),
      (#""a\"b" "\\" """#, [#""a\"b""#, #""\\""#, #""""#]),
      (##"#"a"b\"# #"""# "" "##, [##"#"a"b\"#"##, ##"#"""#"##, "\"\""]),
      (#""\("a\(")")")" x"#, [#""\("a\(")")")""#, "x"]),
      (##"#"\("# #"a\#(")")"# x"##, [##"#"\("#"##, ##"#"a\#(")")"#"##, "x"]),
      ("\"\"\"\n \"a\" \"\"\n }\n \"\"\" b", ["\"\"\"\n \"a\" \"\"\n }\n \"\"\"", "b"]),
      ("a -> b ?? c<D<E>>", ["a", "->", "b", "?", "?", "c", "<", "D", "<", "E", ">", ">"]),
      ("(/[)]/) a / b / c", ["(", "/[)]/", ")", "a", "/", "b", "/", "c"]),
      ("[/a / b]", ["[", "/", "a", "/", "b", "]"]),
      ("#/ ) /# x", ["#/ ) /#", "x"]),
      ("@A(b: 1) #if x", ["@", "A", "(", "b", ":", "1", ")", "#if", "x"]),
      ("\u{1F600} §;", ["\u{1F600}", "§", ";"]),
    ])
  func tokens(text: String, expected: [String]) throws {
    #expect(try Scanner.tokens(of: text).map(\.text) == expected)
  }

  @Test("A token knows its bytes, and whether it starts a line")
  func places() throws {
    let tokens = try Scanner.tokens(of: "é /*\n*/ b\r\n  c d")
    #expect(tokens.map(\.range) == [0..<2, 9..<10, 14..<15, 16..<17])
    #expect(tokens.map(\.startsLine) == [true, true, true, false])
  }

  @Test(
    "What has no end is a problem where it starts",
    arguments: [
      ("a /* b /* */", .unterminated("comment"), 2..<4),
      ("a `b\n`", .unterminated("name"), 2..<3),
      ("a \"b\nc\"", .unterminated("string"), 2..<3),
      ("a \"\"\"\nb\"\"", .unterminated("string"), 2..<3),
      ("a #\"b\"", .unterminated("string"), 2..<4),
      ("a \"\\", .unterminated("string"), 2..<3),
      ("a \"\\(b", .unterminated("interpolation"), 4..<5),
      ("a #/ b", .unterminated("regular expression"), 2..<4),
    ] as [(String, Problem.Kind, Range<Int>)])
  func unterminated(text: String, kind: Problem.Kind, range: Range<Int>) {
    #expect(throws: Problem(kind, at: range)) { try Scanner.tokens(of: text) }
  }

  @Test("Interpolations that are too deep in each other are a problem, not a crash")
  func deep() {
    let text = String(repeating: "\"\\(", count: 100_000)
    #expect(throws: Problem(.tooDeep, at: 194..<195)) { try Scanner.tokens(of: text) }
  }

  @Test("Brackets without a partner are a problem", arguments: [("(]", 1..<2), (")", 0..<1), ("a {", 2..<3)])
  func unbalanced(text: String, range: Range<Int>) {
    let problem = #expect(throws: Problem.self) { try SourceText(text) }
    #expect(problem?.range == range)
  }
}
