import Testing

@testable import FlagSyntax

@Suite("Tokens of Swift source")
struct SourceTextTests {
  @Test(
    "Generic arguments are passed over as a whole, but for those of more than 200 tokens",
    arguments: [(90, 182), (150, nil)])
  func passesOverGenericArguments(parts: Int, expected: Int?) {
    let source = SourceText(Array(("a<b" + String(repeating: ".b", count: parts - 1) + ">()").utf8))
    #expect(source.indexAfterGenericArguments(at: 1, before: source.tokens.count) == expected)
  }

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
  func tokens(text: String, expected: [String]) {
    #expect(SourceText(Array(text.utf8)).tokens.map(\.text) == expected)
  }

  @Test("A token knows its bytes, and whether it starts a line")
  func places() {
    let tokens = SourceText(Array("é /*\n*/ b\r\n  c d".utf8)).tokens
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
    ] as [(String, SourceFlaw.Kind, Range<Int>)])
  func unterminated(text: String, kind: SourceFlaw.Kind, range: Range<Int>) {
    #expect(SourceText(Array(text.utf8)).flaw == SourceFlaw(kind: kind, range: range))
  }

  @Test("Strings in code in strings are read however deep they are, to the one that has no end")
  func deep() {
    let depth = 100_000
    let open = String(repeating: "\"\\(", count: depth)
    let range = 3 * depth - 1..<3 * depth
    #expect(SourceText(Array(open.utf8)).flaw == SourceFlaw(kind: .unterminated("interpolation"), range: range))
    let source = SourceText(Array((open + "a" + String(repeating: ")\"", count: depth)).utf8))
    #expect(source.flaw == nil && source.tokens.map(\.kind) == [.string(.interpolated)])
  }

  @Test("Brackets without a partner are a problem", arguments: [("(]", 1..<2), (")", 0..<1), ("a {", 2..<3)])
  func unbalanced(text: String, range: Range<Int>) {
    let bracket = String(text[text.index(text.startIndex, offsetBy: range.lowerBound)])
    #expect(SourceText(Array(text.utf8)).flaw == SourceFlaw(kind: .unbalanced(bracket), range: range))
  }
}
