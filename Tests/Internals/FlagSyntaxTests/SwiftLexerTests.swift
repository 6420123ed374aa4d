import FlagSyntax
import Testing

@Suite("Words of Swift source")
struct SwiftLexerTests {
  @Test(
    "Names and texts are found, but not those in comments, texts and expressions",
    arguments: [
      ("a.b // c\n/* d /* e */ f */ g", "a . b g"),
      (#"x("a", "\(y + "z")b")"#, #"x ( "a" , "\( y + "z" )b" )"#),
      (###"#"a\(b)"# c"###, ###"#"a\(b)"# c"###), (###"#"a\#(b)"# c"###, ###"#"a\#( b )"# c"###),
      (#""\(a)\(b)""#, #""\( a )\( b )""#),
      (###"##"a"#b"## c"###, ###"##"a"#b"## c"###),
      ("\"\"\"\na \"b\" c\n\"\"\" d", "\"\"\"\na \"b\" c\n\"\"\" d"),
      ("\"open\nnext", "next"), (#"m(/"x/) y / z / w"#, #"m ( /"x/ ) y / z / w"#), (#""\"" a"#, #""\"" a"#),
      ("#if os", "#if os"), ("`in`", "`in`"), ("$a 1_0b", "$a 1_0b"),
      ("a+// b\nc", "a + c"), ("#/ a\n/#b", "#/ a\n/# b"),
      ("a\u{A0}b", "a b"),
    ])
  func reads(source: String, words: String) {
    var lexer = SwiftLexer(Array(source.utf8))
    var found: [String] = []
    while let token = lexer.next() { found.append(token.text) }
    #expect(found.joined(separator: " ") == words)
  }

  @Test(
    "The content of a string is between its quotation marks; that of a plain one is what it says",
    arguments: [
      (#""a""#, "a", "a"), (#""""#, "", ""), (##"#"a\(b)"#"##, #"a\(b)"#, #"a\(b)"#), (##"#"""#"##, "\"", "\""),
      (#""a\n""#, #"a\n"#, "a\n"), ("\"\"\"\na\n\"\"\"", "\na\n", nil), ("\"\u{301}\"", "\u{301}", "\u{301}"),
      (#""\u{e9}\u{1F642}\0\\\t\r\"\'""#, #"\u{e9}\u{1F642}\0\\\t\r\"\'"#, "\u{e9}\u{1F642}\0\\\t\r\"'"),
      (##"#"\#n\n"#"##, ##"\#n\n"##, "\n\\n"), (#""\q""#, #"\q"#, nil), (#""\u{}""#, #"\u{}"#, nil),
      (#""\u{d800}""#, #"\u{d800}"#, nil),
      (#""\u{123456789}""#, #"\u{123456789}"#, nil), (#""\u{-1}""#, #"\u{-1}"#, nil),
      (#""\(a)""#, nil, nil), ("a", nil, nil),
    ] as [(String, String?, String?)])
  func content(source: String, content: String?, plain: String?) {
    let token = SourceText(Array(source.utf8)).tokens.first
    #expect(token?.content == content && token?.plainString == plain)
  }

  @Test("A place is a line and a byte, as the compiler counts them")
  func counts() {
    var lexer = SwiftLexer(Array("é b\n  \"x\n".utf8))
    var places: [[Int]] = []
    while let token = lexer.next() { places.append([token.line, token.column]) }
    #expect(places == [[1, 1], [1, 4]])
  }

  @Test(
    "Bytes that are no Swift are read to their end",
    arguments: ["\"\\(", "/*", "\"\"\"", "#\"", "/", "\\(", "))}}", "#/", "`"])
  func ends(source: String) {
    for prefix in ["", "\"\\(", "f(\"\\(a)"] {
      var lexer = SwiftLexer(Array((prefix + source).utf8))
      var count = 0
      while lexer.next() != nil { count += 1 }
      #expect(count <= prefix.utf8.count + source.utf8.count)
    }
  }
}
