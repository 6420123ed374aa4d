@testable import FlagCLI
import Testing

@Suite("Words of Swift source")
struct SwiftLexerTests {
  @Test(
    "Names and texts are found, but not those in comments, texts and expressions",
    arguments: [
      ("a.b // c\n/* d /* e */ f */ g", "a . b g"), (#"x("a", "\(y + "z")b")"#, #"x ( "a" , y + "z" ) )"#),
      (###"#"a\(b)"# c"###, ###""a\(b)" c"###), (###"#"a\#(b)"# c"###, "b ) c"),
      (###"##"a"#b"## c"###, ###""a"#b" c"###), ("\"\"\"\na \"b\" c\n\"\"\" d", "\"\na \"b\" c\n\" d"),
      ("\"open\nnext", "next"), (#"m(/"x/) y / z / w"#, "m ( ) y / z / w"), (#""\"" a"#, #""\"" a"#),
      ("#if os", "# if os"), ("`in`", "` in `"), ("$a 1_0b", "$a 1 _0b"),
    ])
  func reads(source: String, words: String) {
    let bytes = Array(source.utf8)
    var lexer = SwiftLexer(bytes)
    var found: [String] = []
    while let token = lexer.next() {
      let text = String(decoding: bytes[token.range], as: UTF8.self)
      found.append(token.kind == .text ? "\"\(text)\"" : text)
    }
    #expect(found.joined(separator: " ") == words)
  }

  @Test("A place is a line and a byte, as the compiler counts them")
  func counts() {
    var lexer = SwiftLexer(Array("é b\n  \"x\n".utf8))
    var places: [[Int]] = []
    while let token = lexer.next() { places.append([token.line, token.column]) }
    #expect(places == [[1, 1], [1, 4]])
  }

  @Test(
    "Bytes that are no Swift are read to their end", arguments: ["\"\\(", "/*", "\"\"\"", "#\"", "/", "\\(", "))}}"])
  func ends(source: String) {
    for prefix in ["", "\"\\(", "f(\"\\(a)"] {
      var lexer = SwiftLexer(Array((prefix + source).utf8))
      var count = 0
      while lexer.next() != nil { count += 1 }
      #expect(count <= prefix.utf8.count + source.utf8.count)
    }
  }
}
