import FlagSyntax
import Testing

@testable import FlagMacroExpansion

@Suite("Types of defaults")
struct TypeReadingTests {
  @Test(
    "A type is read off a literal, a member or an initializer",
    arguments: [
      ("true", "Bool"), ("20", "Int"), ("-20", "Int"), ("0xEF", "Int"), ("0b1", "Int"), ("1_000", "Int"),
      ("0.5", "Double"), ("-1e3", "Double"), ("0x1p4", "Double"), ("\"a\"", "String"), ("#\"a\"#", "String"),
      ("\"\"\"\na\n\"\"\"", "String"), ("\"\\(x)\"", "String"), ("[\"es\", \"en\"]", "[String]"),
      ("[1, 2.5]", "[Double]"),
      ("[[1], [2],]", "[[Int]]"), ("[\"a\": [true]]", "[String: [Bool]]"), ("60 * 60", "Int"), ("24 * 0.5", "Double"),
      ("-1 + 2", "Int"), ("\"a\" + \"b\"", "String"), ("(3)", "Int"), ("3 as UInt8", "UInt8"),
      ("[] as Set<String>", "Set<String>"), ("Feed.Ranking()", "Feed.Ranking"), ("FeedLayout()", "FeedLayout"),
      ("Feed.Layout(columns: 2)", "Feed.Layout"),
      ("Set<String>()", "Set<String>"), ("Pair<Int, [String]>(1, [])", "Pair<Int, [String]>"), ("[Int]()", "[Int]"),
      ("[String: Int]()", "[String: Int]"),
    ])
  func reads(text: String, type: String) throws {
    #expect(try read(text) == type)
  }

  @Test(
    "Where a type cannot be read, none is made up",
    arguments: [
      "nil", "[]", "[:]", "x", "f()", ".popular", "[1, \"a\"]", "a ? 1 : 2", "\"a\".count", "Foo.bar.baz", "Foo.Bar",
      "x as? Int", "{ 1 }()", "Foo()!", "1...5", "try f()", "[1].count", "Foo { 1 }", "", "-", "1 +",
      "Ranking.popular", "Links.home", "Int.max", "Ranking.custom(3)", "[Ranking.popular]", "Set([1])", "Optional(1)",
      "Array(1...3)", "Dictionary()",
    ])
  func leaves(text: String) throws {
    #expect(try read(text) == nil)
  }

  private func read(_ text: String) throws -> String? {
    let source = try SourceText(text)
    return source.type(ofValue: 0..<source.tokens.count)
  }
}
