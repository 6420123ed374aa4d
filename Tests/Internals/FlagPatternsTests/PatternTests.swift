import FlagPatterns
import TestSupport
import Testing

@Suite("Patterns")
struct PatternTests {
  @Test(
    "A pattern is found anywhere in a text",
    arguments: [
      ("", ["", "a"], []), ("a.c", ["xabcx", "aéc", "a😀c"], ["a\nc", "ac", "a\u{2028}c"]),
      ("^a", ["ab"], ["ba", "b\na"]), ("a$", ["ba"], ["ab", "a\n"]), ("^$", [""], ["a"]),
      (#"\Aa\z"#, ["a"], ["ab", "ba"]), ("^a|b", ["ax", "xb"], ["xa"]), ("(?m)^a$", ["b\na\nb"], ["b\nac"]),
      ("(?s)a.c", ["a\nc"], []), ("(mobile|tablet)", ["a tablet"], ["Tablet"]),
      ("-12-25$", ["2020-12-25"], ["2020-12-25T"]), ("^[A-Za-z]+", ["abc1"], ["1abc"]),
      ("[^a-c]", ["d", "é"], ["abc"]), (#"[\d.-]+x"#, ["1.2-x"], ["x"]), (#"^[\w-\.]+$"#, ["a-b.c"], ["a b"]),
      (#"[a\]b]"#, ["]"], ["c"]), ("[a^]", ["^"], ["b"]), ("a]}", ["a]}"], []), ("a{,2}", ["a{,2}"], ["aa"]),
      ("a{", ["a{"], ["a"]), ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaa"], ["a"]),
      ("^a{1,3}?b$", ["ab", "aaab"], ["b", "aaaab"]), ("^(ab)*?$", ["", "abab"], ["aba"]),
      ("^ab??$", ["a", "ab"], ["abb"]),
      ("(?:a|b)+?c", ["xabc"], ["c"]), ("(?<name>a)(?P<other>b)", ["ab"], ["ac"]), ("(a*)*b", ["aab", "b"], ["aa"]),
      (#"\bcat\b"#, ["a cat.", "cat"], ["cats", "_cat"]), (#"\Bat"#, ["cat"], ["at"]),
      (#"^\d\D\w\W\s\S$"#, ["1ab-\u{A0}x"], ["aab- x"]), (#"\t\n\r\f\v\0"#, ["\t\n\r\u{C}\u{B}\0"], []),
      (#"\x41\u00e9\x{1F600}\u{42}"#, ["Aé😀B"], []), (#"\ud83d\ude00"#, ["😀"], []), (#"[\b]"#, ["\u{8}"], ["b"]),
      (#"\.\/\-\$\*\é"#, ["./-$*é"], []), (#"\Qa.b*\E+"#, ["a.b*"], ["axb"]), (#"\Qa.b"#, ["a.b"], ["axb"]),
      (#"\p{Lu}\pL"#, ["ÄÖ", "Az"], ["äö"]), (#"^\P{L}$"#, ["1"], ["a"]), (#"[\p{Nd}x]"#, ["٣", "x"], ["a"]),
      ("[[:alpha:]]", ["a"], ["1", ":"]), ("^[[:^digit:]_]$", ["_", "é"], ["1"]), ("[[:x]", [":", "x", "["], ["y"]),
      ("e\u{301}", ["e\u{301}"], ["é"]),
    ] as [(String, [String], [String])])
  func finds(pattern: String, texts: [String], others: [String]) throws {
    let compiled = try Pattern(pattern)
    for text in texts { #expect(compiled.matches(text), "\(pattern) in \(text)") }
    for text in others { #expect(!compiled.matches(text), "\(pattern) in \(text)") }
  }

  @Test(
    "Case does not count if the pattern or its reader says so",
    arguments: [
      ("abc", ["aBC"], []), ("[a-c]", ["B"], ["D"]), ("[^a]", ["b"], ["A", "a"]), ("É", ["é"], ["e"]),
      ("[à-ü]", ["É"], []), ("[ς]", ["Σ", "σ"], []), ("k", ["K"], ["\u{212A}"]), ("(?-i)a", ["a"], ["A"]),
      ("ß", ["ß"], ["ss"]), (#"\p{Lu}"#, ["ä"], ["1"]),
    ] as [(String, [String], [String])])
  func ignoresCase(pattern: String, texts: [String], others: [String]) throws {
    for compiled in [try Pattern(pattern, isCaseInsensitive: true), try Pattern("(?i)\(pattern)")] {
      for text in texts { #expect(compiled.matches(text), "\(pattern) in \(text)") }
      for text in others { #expect(!compiled.matches(text), "\(pattern) in \(text)") }
    }
  }

  @Test(
    "A flag counts up to the end of its group",
    arguments: [
      ("a(?i)b|c", "aB", true), ("a(?i)b|c", "C", true), ("(a(?i)b)c", "aBC", false), ("(?i:a)b", "Ab", true),
    ])
  func scopesFlags(pattern: String, text: String, isFound: Bool) throws {
    #expect(try Pattern(pattern).matches(text) == isFound)
  }

  @Test(
    "An error says which column is wrong, and what is not supported",
    arguments: [
      ("/???***[)", "column 4: nothing to repeat"), ("*a", "column 1: nothing to repeat"),
      ("a{2}{3}", "column 5: nothing to repeat"), ("{2}", "column 1: nothing to repeat"),
      ("a(?i)*", "column 6: nothing to repeat"),
      ("ab(c", "column 3: a parenthesis without its closing one"),
      ("a)", "column 2: a parenthesis without its opening one"),
      ("a[bc", "column 2: a bracket without its closing one"),
      ("[z-a]", "column 2: a range whose end is before its start"),
      ("a{3,2}", "column 2: a repetition of at least more than at most"), (#"a\"#, "column 2: a backslash at the end"),
      ("a(?=b)", "column 2: look-ahead is not supported"), ("(?!b)", "column 1: look-ahead is not supported"),
      ("(?<=b)", "column 1: look-behind is not supported"), ("(?<!b)", "column 1: look-behind is not supported"),
      (#"(a)\1"#, "column 4: a back-reference is not supported"),
      (#"(?<a>b)\k<a>"#, "column 8: a back-reference is not supported"),
      ("(?P=a)", "column 1: a back-reference is not supported"),
      ("(?>a)", "column 1: an atomic group is not supported"),
      ("a++", "column 3: a possessive repetition is not supported"),
      ("(?x)a", "column 3: a flag that is not one of i, m, s and U"), (#"\q"#, #"column 1: \q is not supported"#),
      (#"\p{Greek}"#, "column 1: a property that is not a general category as L or Lu"),
      ("[]a]", #"column 1: a class that is empty, or has ] first: write \] for it"#),
      (#"\x4"#, "column 1: \\x without 2 hexadecimal digits"), (#"\u{110000}"#, "column 1: no Unicode scalar"),
      (#"\ud83dx"#, "column 1: no Unicode scalar"),
      ("(?<1>a)", "column 1: a group whose name has other characters than letters, digits and _"),
      ("(?i", "column 1: a parenthesis without its closing one"),
      ("a(b{1000}){1000}", "column 4: more than 10000 instructions"),
      ("a{999999999999999999999}", "column 2: more than 10000 instructions"),
      (String(repeating: "(", count: 50_000), "column 101: more than 100 groups in each other"),
      (String(repeating: "a", count: 50_000), "column 10001: more than 10000 instructions"),
    ])
  func describesErrors(pattern: String, message: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(pattern) }
    #expect(error?.description == message)
  }

  @Test(
    "Hostile patterns end soon",
    arguments: [
      ("(a+)+$", false), ("(a|a)*b", false), ("(a*)*b", false), ("(((){1000}){1000}){1000}b", false),
      ("(.*a){20}$", false), (#"^(\w+\s?)*$"#, false), ("((a?){9}a{9}){9}!", true),
    ])
  func endsSoon(pattern: String, isFound: Bool) throws {
    let text = String(repeating: "a", count: Effort.rounds(1_000, thorough: 100_000)) + "!"
    #expect(try Pattern(pattern).matches(text) == isFound)
  }

  @Test("A search within steps takes at most twice its size for a scalar, and says when they are too few")
  func countsSteps() throws {
    let pattern = try Pattern("(a+)+$")
    let text = String(repeating: "a", count: 1_000) + "b"
    var steps = 2 * pattern.size * 1_002
    let all = steps
    #expect(pattern.matches(text, within: &steps) == false)
    #expect(steps >= 0 && steps < all)
    var few = 1_000
    #expect(pattern.matches(text, within: &few) == nil)
    var none = 10
    #expect(try Pattern("b").matches(text, within: &none) == nil)
  }

  @Test("Patterns are equal by their text, scalar by scalar, and by their case")
  func equality() throws {
    #expect(try Pattern("a") == Pattern("a") && Set([Pattern("a"), Pattern("a")]).count == 1)
    #expect(try Pattern("a") != Pattern("a", isCaseInsensitive: true))
    #expect(try Pattern("é") != Pattern("e\u{301}"))
  }
}
