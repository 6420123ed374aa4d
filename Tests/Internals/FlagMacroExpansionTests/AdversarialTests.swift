import FlagSyntax
import TestSupport
import Testing

@testable import FlagMacroExpansion

@Suite("Adversarial declarations")
struct AdversarialTests {
  @Test(
    "The default is read to its end, and no further",
    arguments: [
      ("1 // }\n", "1"), ("1; @Flag(\"B.\") var b = 2", "1"), ("1\n  @Flag(\"B.\") var b = 2", "1"),
      ("1 +\n    2", "1 +\n    2"),
      ("1\n    + 2", "1\n    + 2"), ("max(\n  1, /* ) */ 2)", "max(\n  1, /* ) */ 2)"), ("f { $0 }", "f { $0 }"),
      ("f { got in 1 } other: { 2 }", "f { got in 1 } other: { 2 }"), ("{ 1 }()", "{ 1 }()"),
      ("Pair<Int, [String: Set<Int>]>(1, [:])", "Pair<Int, [String: Set<Int>]>(1, [:])"),
      ("a < 1 ? 2 : 3", "a < 1 ? 2 : 3"),
      ("foo\n    .bar\n    .baz { 1 }", "foo\n    .bar\n    .baz { 1 }"),
      ("if a { 1 } else { 2 }", "if a { 1 } else { 2 }"),
      ("switch a {\n  case .b: 1\n  default: 2\n}", "switch a {\n  case .b: 1\n  default: 2\n}"),
      ("\"\"\"\n  @Flag(\"x\") var y = \\(1)\n  \"\"\"", "\"\"\"\n  @Flag(\"x\") var y = \\(1)\n  \"\"\""),
      ("#\"\\(\"#", "#\"\\(\"#"), ("/[{]/.count", "/[{]/.count"), ("#line", "#line"), ("[1, 2][0]", "[1, 2][0]"),
      ("1...\n  @Flag(\"B.\") var b = 2", "1..."), ("`default`", "`default`"), ("💥.größe", "💥.größe"),
      ("x\n  public var b = 2", "x"),
      ("x as! Int", "x as! Int"), ("Self.standard", "FeedFlags.standard"),
      (".init(Self.self)", ".init(FeedFlags.self)"),
    ])
  func value(text: String, expected: String) throws {
    let source = try SourceText("@Flag(\"A.\") var a: Int = \(text)")
    var parser = DeclarationParser(source)
    let attribute = try #require(parser.parseAttributes().first)
    let flag = try FlagDeclaration(parser.parseProperty(attribute), in: source, of: "FeedFlags")
    #expect(flag.defaultValue == expected)
    #expect(flag.type == "Int")
  }

  @Test(
    "The type is read to its end, and no further",
    arguments: [
      "[String: [Int]]", "Dictionary<String, Pair<Int, Set<String>>>", "Int?", "Optional<Dictionary<String, Int>>",
      "Feed.Ranking", "(Int, String)", "any Codable & Sendable", "@Sendable (Int) -> Int", "[\n  Int\n]", "Größe",
    ])
  func type(text: String) throws {
    for value in [" = x", "\n    = x", " = x // end", " = x; @Flag(\"B.\") var b = 2"] {
      let source = try SourceText("@Flag(\"A.\") var a: \(text)\(value)")
      var parser = DeclarationParser(source)
      let attribute = try #require(parser.parseAttributes().first)
      let flag = try FlagDeclaration(parser.parseProperty(attribute), in: source, of: "FeedFlags")
      #expect(flag.type == text)
      #expect(flag.defaultValue == "x")
    }
  }

  @Test(
    "Flags are found among whatever else a struct holds",
    arguments: [
      ("", []),
      ("@Flag(\"A.\") var a = 1; @Flag(\"B.\") var b = 2;", ["a", "b"]),
      ("@available(*, deprecated)\n@Flag(\"A.\")\npublic\nvar a = 1\n@Flag(\"B.\") var b = 2", ["a", "b"]),
      ("/* @Flag(\"A.\") var a = 1 */ // @Flag(\"A.\") var a = 1", []),
      ("let text = \"@Flag(\\\"A.\\\") var a = 1\"", []),
      ("struct Inner { @Flag(\"A.\") var a = 1 }\n@Flag(\"B.\") var b = 2", ["b"]),
      ("func f(a: Int = { 1 }()) -> Int { a }\n@Flag(\"B.\") var b = 2", ["b"]),
      ("static func < (a: Self, b: Self) -> Bool { true }\n@Flag(\"B.\") var b = 2", ["b"]),
      ("subscript(a: Int) -> Int { get { a } set {} }\n@Flag(\"B.\") var b = 2", ["b"]),
      ("@FlagMacros.Flag(\"A.\") var a = 1\n@Flags(\"B.\") var b = 2\n@Other<Int>(1) var c = 3", ["a"]),
      ("@Flag(\"A.\") var `class` = 1", ["class"]),
      ("@Flag(\"A.\") let a = 1\n@Flag(\"B.\") var b = f()\n@Flag(\"C.\") var c = 2", ["c"]),
      ("#warning(\"x\")\n@Flag(\"A.\") var a = 1", ["a"]),
      ("#if X\n#if Y\n@Flag(\"A.\") var a = 1\n#endif\n#else\n#endif\n@Flag(\"B.\") var b = 2", ["a", "b"]),
      ("#endif\n@Flag(\"A.\") var a = 1\n#else\n#elseif\n#if", ["a"]),
      ("typealias A = Int\ncase x\n@Flag(\"A.\") var a = 1", ["a"]),
      ("@Flag(\"A.\", computed: { c in\n  @Flag(\"x\") var x = 1\n  return x }) var a = 1", ["a"]),
    ])
  func members(body: String, names: [String]) throws {
    let set = try SetDeclaration(SourceText("@FlagSet(\"a\", \"A.\") struct A: P where X: Y {\(body)\n}"))
    #expect(set.members.map(\.content.name) == names)
  }

  @Test("However a set is cut off or mutilated, the plugin answers")
  func mutilatedSet() {
    for text in mutilations(of: set) {
      let conformance = Expanding.conformance(text).result
      #expect(conformance.diagnostics.allSatisfy { (0...text.utf8.count).contains($0.position.offset) })
      #expect(Expanding.members(text).result.expandedSource != nil)
    }
  }

  @Test("However a property is cut off or mutilated, the plugin answers")
  func mutilatedProperty() {
    for text in mutilations(of: property) {
      let accessor = Expanding.accessor(text).result
      #expect(accessor.diagnostics.allSatisfy { (0...text.utf8.count).contains($0.position.offset) })
      #expect(accessor.expandedSource?.hasPrefix("get {") == true)
    }
  }

  @Test("Brackets a thousand deep are read")
  func deepBrackets() {
    let value = String(repeating: "[", count: 1000) + "1" + String(repeating: "]", count: 1000)
    #expect(Expanding.accessor("@Flag(\"A.\") var a: Any = \(value)").problems.isEmpty)
  }
}

/// Returns a text cut off at each place, without each of its scalars, and with each of them twice; in an everyday run
/// at every third one.
private func mutilations(of text: String) -> [String] {
  let scalars = Array(text.unicodeScalars)
  return stride(from: 0, to: scalars.count, by: Effort.isThorough ? 1 : 3).flatMap { index in
    let texts: [ArraySlice<Unicode.Scalar>] = [
      scalars[..<index], scalars[..<index] + scalars[(index + 1)...], scalars[...index] + scalars[index...],
    ]
    return texts.map { String(String.UnicodeScalarView($0)) }
  }
}

/// A set with one of everything.
private let set = ##"""
  /// Doc /* open
  @available(*, deprecated) @FlagSet("feed", "The \"feed\".", style: KeyStyle(prefix: "a"))
  public struct FeedFlags: Sendable where Int: Sendable { // {
    #if DEBUG && (X ||
      Y)
  \##(property)
    #else
    @Flag(#"B \#("}") "#) private var `default` = -0x1p-3
    #endif
    @FlagGroup("C.") var group: Video.Flags; @Flag("D.") var text = """
      "multi" \("line") {
      """
    func f() -> Int { /[}]/.count / 2 }
  }
  """##

/// A property with one of everything.
private let property = ##"""
  @Flag(key: #"a-b"#, "A.", expires: "2027-01-31", computed: { c in c["\(1 + (2))"].map { _ in 1 } })
    public var größe: Pair<Int, [String]> = Pair<Int, [String]>(1, ["x"]) /* /* ) */ */
  """##
