import Testing

@testable import FlagMacroExpansion

@Suite("Types that cannot be a flag's or a group's")
struct TypeCheckTests {
  private static let swift6 = #"{"features": ["Macros", "GlobalConcurrency"]}"#

  @Test(
    "A public type of values that does not declare Sendable is reported once, at its own line",
    arguments: [
      ("public enum Kind: String, Codable { case a }", "public enum Kind: String, Codable, Sendable { case a }"),
      ("public struct Kind { var a = 1 }\nextension Kind: Codable {}", "public struct Kind: Sendable { var a = 1 }"),
      (
        "extension Outer { public enum Kind: Decodable {} }",
        "extension Outer { public enum Kind: Decodable, Sendable {}"
      ),
    ])
  func notSendable(type: String, mended: String) throws {
    let set = Self.set(in: type, configuration: Self.swift6)
    let column = try #require(type.firstRange(of: "Kind")).lowerBound.utf16Offset(in: type) + 1
    #expect(
      set.problemsInFile == [
        "1:\(column): a flag's values are read on any thread, and a public type has to say that it can be; "
          + "declare 'Kind' as 'Sendable'"
      ])
    let change = try #require(set.result.diagnostics.first?.fixIts.first?.changes.first)
    var text = Array(type.utf8)
    text.replaceSubrange(change.range.startOffset..<change.range.endOffset, with: Array(change.newText.utf8))
    #expect(String(decoding: text, as: UTF8.self).hasPrefix(mended))
    var members = set
    members.role = "member"
    #expect(members.result.expandedSource?.contains("Kind") == false)
  }

  @Test(
    "A type that may be Sendable is left to the compiler",
    arguments: [
      ("enum Kind: String, Codable { case a }", swift6), ("public enum Kind: String, Mine { case a }", swift6),
      ("@frozen public enum Kind: String { case a }", swift6), ("@Made(\"a\") public enum Kind { case a }", swift6),
      ("public enum Kind {}\nextension Outer.Kind: @unchecked Sendable {}", swift6),
      ("public enum Kind {}\nenum Other { enum Kind {} }", swift6), ("public typealias Kind = Int", swift6),
      ("public enum Kind: String, Codable { case a }", nil),
      ("public enum Kind: String, Codable { case a }", #"{"features": ["Macros"]}"#),
      (
        "public enum Kind: String, Codable { case a }",
        #"{"features": ["NoExplicitNonIsolated", "GlobalConcurrency"]}"#
      ),
    ])
  func mayBeSendable(type: String, configuration: String?) {
    #expect(Self.set(in: type, configuration: configuration).problemsInFile == [])
  }

  @Test("A flag of such a type says nothing itself, and a set that the file has changed since does neither")
  func saysOnce() {
    var flag = Self.set(in: "public enum Kind {}", configuration: Self.swift6)
    (flag.macro, flag.role, flag.context) = ("FlagMacro", "accessor", "@FlagSet(\"a\", \"A.\") struct A {}")
    let property = "@Flag(\"B.\") var b: [Kind]? = nil"
    flag.offset = flag.offset + (flag.source.firstRange(of: "@Flag(")?.lowerBound.utf16Offset(in: flag.source) ?? 0)
    flag.source = property
    #expect(flag.result.expandedSource == "get { fatalError() }")
    #expect(flag.problems == [])
    flag.file = "public enum Kind {}"
    #expect(flag.result.expandedSource?.contains("variation") == true)
  }

  @Test(
    "A group's type that the file declares, and is no set, is reported at the group",
    arguments: [
      ("struct Kind: Sendable {}", true), ("enum Kind {}", true), ("@FlagSet(\"k\", \"K.\") struct Kind {}", false),
      ("struct Kind: NestableFlagSet {}", false), ("struct Kind {}\nextension Kind: Mine {}", false),
    ])
  func notASet(type: String, isReported: Bool) {
    var group = Expanding.accessor("@FlagGroup(\"A.\") var a: Kind")
    group.file = type + "\n" + group.source
    group.offset = type.utf8.count + 1
    #expect(
      group.problems
        == (isReported ? ["1:25: a group is a struct that has the attribute @FlagSet, not Kind"] : []))
  }

  @Test("The compiler reports what it finds wrong with a type in the line of the type")
  func placesErrors() throws {
    var set = Expanding.members("@FlagSet(\"a\", \"A.\")\nstruct A {\n  @Flag(\"B.\")\n  var b:\n  Kind = .b\n}")
    #expect(set.result.expandedSource?.contains("#sourceLocation") == false)
    set.line = 10
    #expect(
      try #require(set.result.expandedSource).contains(
        """
          #sourceLocation(file: "Feed.swift", line: 14)
          typealias _Flag_b = FlagDomain.Flag<Kind>
          #sourceLocation()
        """))
  }

  private static func set(in type: String, configuration: String?) -> Expanding {
    var set = Expanding.conformance(
      """
      @FlagSet("a", "A.") struct A {
        @Flag("B.") var b: [Kind]? = nil
        @Flag("C.") var c: Outer.Kind = .a
        @Flag("D.") var d: Int? = nil
      }
      """)
    set.configuration = configuration
    set.file = type + "\n" + set.source
    set.offset = type.utf8.count + 1
    return set
  }
}

@Suite("Keys and attributes")
struct KeyAndAttributeTests {
  @Test("A key written with escapes is read, and two spellings of one key are one")
  func escapes() {
    let source = """
      @FlagSet("a", "A.") struct A {
        @Flag(key: "caf\\u{e9}", "B.") var b = 1
        @Flag(key: "café", "C.") var c = 1
      }
      """
    #expect(Expanding.conformance(source).problems == ["3:14: the key \"café\" is already used by 'b'"])
  }

  @Test("The app's own name for a key is the key of the flag, and is told apart from others")
  func names() throws {
    let source = """
      @FlagSet("a", "A.") struct A {
        @Flag(key: AppKey.b, "B.") var b = 1
        @Flag(key: Self.Key.c, "C.") var c = 1
        @Flag(key: AppKey.b, "D.") var d = 1
      }
      """
    #expect(Expanding.conformance(source).problems == ["4:14: the key \"AppKey.b\" is already used by 'b'"])
    let members = try #require(Expanding.members(source).result.expandedSource)
    #expect(members.contains(#"flag("b", key: FlagDomain.FlagKey(AppKey.b), default: 1, "#))
    #expect(members.contains(#"flag("c", key: FlagDomain.FlagKey(A.Key.c), default: 1, "#))
    var flag = Expanding.accessor("@Flag(key: AppKey.b, \"B.\") var b = 1")
    flag.macro = "NamedFlagMacro"
    #expect(flag.problems == [])
  }

  @Test(
    "The second of this package's attributes on a property is one too many",
    arguments: [("Flag", "Flag"), ("Flag", "FlagGroup"), ("FlagGroup", "Flag"), ("FlagGroup", "FlagGroup")])
  func repeated(first: String, second: String) {
    let value = first == "Flag" ? " = 1" : ": B"
    var expanding = Expanding.accessor("\n@\(first)(\"A.\") @\(second)(\"B.\") public var a\(value)")
    expanding.macro = first + "Macro"
    #expect(expanding.problems == [])
    expanding.macro = second + "Macro"
    expanding.attribute = first.utf8.count + 8
    #expect(
      expanding.problems == ["2:\(first.utf8.count + 9): 'a' has another attribute already; remove @\(second)"])
    #expect(expanding.result.expandedSource == nil)
  }

  @Test("A set that has its attribute twice is made once")
  func repeatedSet() {
    let source = #"@FlagSet("a", "A.") @FlagSet("b", "B.") struct A {}"#
    var expanding = Expanding.conformance(source)
    #expect(expanding.problems == [])
    expanding.attribute = 20
    #expect(expanding.problems == ["1:21: 'A' has another attribute already; remove @FlagSet"])
    expanding.role = "member"
    #expect(expanding.result.expandedSource == "")
  }
}
