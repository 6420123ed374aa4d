import Testing

@testable import FlagMacroExpansion

@Suite("Problems")
struct ProblemTests {
  @Test(
    "A derived flag that cannot be made is reported once, where the mistake is",
    arguments: [
      (
        #"var a: Layout { @Derived("A.") get { b } }"#, "2:7: 'a' needs a default value, because Layout is not optional"
      ),
      (#"var a: Bool { @Derived("A.") get { b } set {} }"#, "2:42: " + accessors),
      (#"var a: Bool { @Derived("A.") mutating get { b } }"#, "2:32: " + noGetter),
      (#"var a: Bool { @Derived("A.") get {} }"#, "2:36: " + noGetter),
      (#"var a: Bool { @Derived get { b } }"#, "2:17: the flag 'a' needs a description: a sentence for the people"),
      (#"var _placedFlags: Bool { @Derived("A.") get { b } }"#, "2:7: '_placedFlags' is a name that the set itself"),
      (#"@Flag("A.", computed: { _ in other }) var a = 1"#, "2:32: this closure cannot read the flag 'other'; write"),
      (#"@Flag("A.", fallback: { _ in !other }) var a = true"#, "2:33: this closure cannot read the flag 'other'"),
    ])
  func derivedFlags(member: String, problem: String) throws {
    let source = """
      @FlagSet("feed", "The feed.") struct FeedFlags {
        \(member)
        @Flag("Another.", computed: { context in context.other == nil ? nil : f(other: 1) }) var other = false
      }
      """
    let problems = Expanding.conformance(source).problems
    #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
  }

  @Test("A getter expands to the flag that its set makes for its place, and is reported anywhere else")
  func getters() {
    let getter = Expanding.getter(#" @Derived("A.") get { b }"#)
    #expect(getter.result.expandedSource == "{ _derivedFlag101 }" && getter.problems == [])
    let outside = Expanding.getter(#"@Derived("A.") get { b }"#, in: "struct FeedFlags {}")
    #expect(outside.problems == ["1:1: @Derived is in a struct that has the attribute @FlagSet"])
    #expect(outside.result.expandedSource == "{ fatalError() }")
    #expect(Expanding.getter(#"@Derived("A.") func a() -> Bool { b }"#).problems == ["1:16: " + Self.noGetter])
    let set = #"@FlagSet("feed", "The feed.") struct FeedFlags { var a: Bool { @Derived("A.") get { b } } }"#
    var members = Expanding.members(set)
    members.offset = 40
    #expect(members.result.expandedSource?.contains("private var _derivedFlag103: Bool {") == true)
  }

  private static let accessors =
    "a flag's value comes from its manager; it cannot have accessors or observers of its own"
  private static let noGetter =
    #"@Derived belongs on a getter: var name: Type { @Derived("What it is for.") get { … } }"#

  @Test(
    "A flag that cannot be made is reported where the mistake is",
    arguments: [
      ("@Flag var a = 1", "1:1: the flag 'a' needs a description: a sentence for the people who decide about it"),
      (
        #"@Flag(key: "a") var a = 1"#,
        "1:1: the flag 'a' needs a description: a sentence for the people who decide about it"
      ),
      (
        #"@Flag(" ") var a = 1"#, "1:7: the flag 'a' needs a description: a sentence for the people who decide about it"
      ),
      ("// é\n @Flag(\"A.\")\n  let a = 1", "3:3: a flag changes while the program runs; declare it with 'var'"),
      (#"@Flag("A.") static var a = 1"#, "1:13: a flag is read through a manager, and cannot be 'static'"),
      (#"@Flag("A.") public lazy var a = 1"#, "1:20: a flag is read through a manager, and cannot be 'lazy'"),
      (
        #"@Flag("A.") var a: Int { 1 }"#,
        "1:24: a flag's value comes from its manager; it cannot have accessors or observers of its own"
      ),
      (
        #"@Flag("A.") var a = f { $0 } { didSet {} }"#,
        "1:30: a flag's value comes from its manager; it cannot have accessors or observers of its own"
      ),
      (#"@Flag("A.") var a = 1, b = 2"#, "1:22: declare each flag by itself, with an attribute of its own"),
      (#"@Flag("A.") var (a, b) = (1, 2)"#, "1:17: a flag is a property with one name"),
      (#"@Flag("A.") func a() {}"#, "1:13: @Flag belongs on a stored property"),
      (
        #"@Flag("A.") var a = f()"#,
        "1:17: the type of 'a' cannot be inferred from its default; write it after the name"
      ),
      (
        #"@Flag("A.") var a = []"#, "1:17: the type of 'a' cannot be inferred from its default; write it after the name"
      ),
      (
        #"@Flag("A.") var a = Self.b"#,
        "1:17: the type of 'a' cannot be inferred from its default; write it after the name"
      ),
      (
        #"@Flag("A.") var a = FeedFlags.b"#,
        "1:17: the type of 'a' cannot be inferred from its default; write it after the name"
      ),
      (#"@Flag("A.") var a"#, "1:17: the type of 'a' cannot be inferred from its default; write it after the name"),
      (#"@Flag("A.") var a: [Int]"#, "1:17: 'a' needs a default value, because [Int] is not optional"),
      (
        #"@Flag("A.") var a: Optional<Int>.Other"#,
        "1:17: 'a' needs a default value, because Optional<Int>.Other is not optional"
      ),
      (#"@Flag("A.") var a: Int!"#, "1:23: a flag always has a value; its type cannot be implicitly unwrapped"),
      (#"@Flag(key: name, "A.") var a = 1"#, "1:12: " + noKey),
      (#"@Flag(key: Keys.text, "A.") var a = 1"#, "1:12: " + noKey),
      (#"@Flag(key: "a\(1)", "A.") var a = 1"#, "1:12: " + noKey),
      (#"@Flag(key: "a\q", "A.") var a = 1"#, "1:12: " + noKey),
      (
        #"@Flag(key: "a\u{20}b", "A.") var a = 1"#,
        #"1:12: "a b" is not a key: 1 to 1,024 bytes, no white space, no control characters"#
      ),
      (
        #"@Flag(key: "a b", "A.") var a = 1"#,
        #"1:12: "a b" is not a key: 1 to 1,024 bytes, no white space, no control characters"#
      ),
      (
        #"@Flag(key: "", "A.") var a = 1"#,
        #"1:12: "" is not a key: 1 to 1,024 bytes, no white space, no control characters"#
      ),
      (#"@Flag("A.", expires: "2027-02-29") var a = 1"#, #"1:22: "2027-02-29" is not a day such as "2027-01-31""#),
      (#"@Flag("A.", expires: "27-2-1") var a = 1"#, #"1:22: "27-2-1" is not a day such as "2027-01-31""#),
      (
        #"@Flag("A.") var a = K.size"#,
        "1:17: the default of 'a' is a member of K, whose type is not visible here; write the type after the name"
      ),
      (
        #"@Flag("A.") var a = Set([1])"#,
        "1:17: the type of 'a' cannot be inferred from its default; write it after the name"
      ),
      (
        #"@Flag("A.") var _flagStorage0 = 1"#,
        "1:17: '_flagStorage0' is a name that the set itself needs; choose another"
      ),
      (
        #"@Flag("A.") var _placedFlags = 1"#,
        "1:17: '_placedFlags' is a name that the set itself needs; choose another"
      ),
      (#"@Flag("A.") var `a b` = 1"#, "1:17: cannot parse this: expected a name of letters and digits"),
      (#"@Flag("A.") var a: = 1"#, "1:20: cannot parse this: expected a type"),
      (#"@Flag("A.") var a ="#, "1:20: cannot parse this: expected a default value"),
      (#"@Flag("A.") var"#, "1:16: cannot parse this: expected a name of letters and digits"),
      (#"@Flag("A.") var a = "b"#, "1:21: unterminated string"),
      (#"@Flag("A.") var a = [1"#, "1:21: unmatched '['"),
      (#"@Other var a = 1"#, "1:8: cannot parse this: expected @Flag"),
      ("#if X\n@Flag(\"A.\")\n#endif\nvar a = 1", "1:1: cannot parse this: expected @Flag"),
      (#"@FlagGroup("A.") var a = B()"#, "1:26: a group is made by its set, and cannot have a value of its own"),
      (#"@FlagGroup("A.") var a"#, "1:22: a group needs its type, a struct that has the attribute @FlagSet"),
      (#"@FlagGroup("A.") var a: B?"#, "1:25: a group is a struct that has the attribute @FlagSet, not B?"),
      (#"@FlagGroup("A.") var a: Int"#, "1:25: a group is a struct that has the attribute @FlagSet, not Int"),
      (
        #"@FlagGroup("A.") var a: Optional<B>"#,
        "1:25: a group is a struct that has the attribute @FlagSet, not Optional<B>"
      ),
      (#"@FlagGroup("A.") var a: [B]"#, "1:25: a group is a struct that has the attribute @FlagSet, not [B]"),
      (#"@FlagGroup("A.") var a: Self"#, "1:25: 'FeedFlags' cannot hold itself as a group"),
      (#"@FlagGroup("A.") var a: FeedFlags"#, "1:25: 'FeedFlags' cannot hold itself as a group"),
      (
        #"@FlagGroup(order: 1) var a: B"#,
        "1:1: the group 'a' needs a description: a sentence for the people who decide about it"
      ),
    ])
  func property(source: String, problem: String) {
    #expect(Expanding.accessor(source).problems == [problem])
    #expect(Expanding.accessor(source).result.expandedSource == "get { fatalError() }")
  }

  @Test(
    "A member that a set cannot have is reported, and the set is made all the same",
    arguments: [
      ("let x: Int", ["2:7: " + storage("x")]), ("private var x: [Int]", ["2:15: " + storage("x")]),
      ("let x: Int?", ["2:7: " + storage("x")]),
      ("var x = 1, y: Int", ["2:7: " + storage("x"), "2:14: " + storage("y")]),
      ("@Flag(\"A.\") var x = 1, y = 2", ["2:24: declare each flag by itself, with an attribute of its own"]),
      ("let x = 1", ["2:7: " + storage("x")]), ("public lazy var x: Int? = nil", ["2:19: " + storage("x")]),
      ("var x: Int!", ["2:7: " + storage("x")]), ("var x = 1 { didSet {} }", ["2:7: " + storage("x")]),
      ("var x: Int { 1 }", []), ("static let x: Int", []), ("@Wrapped var x: Int", []), ("func f(x: Int) {}", []),
      ("let (x, y): (Int, Int)", ["2:7: " + storage("(x, y)")]), ("static var x: [Int: [Int]] = [:]", []),
      ("enum Flags {}", ["2:8: 'Flags' is a name that the set itself needs; choose another"]),
      ("static let flags = 1", ["2:14: 'flags' is a name that the set itself needs; choose another"]),
      ("let _flagManager = 1", ["2:7: '_flagManager' is a name that the set itself needs; choose another"]),
      ("static let flagManager = 2, placedFlags = 3", []),
    ])
  func otherMember(member: String, problems: [String]) {
    let source = "@FlagSet(\"a\", \"A.\") struct A {\n  \(member)\n@Flag(\"B.\") var b = 1\n}"
    #expect(Expanding.conformance(source).problems == problems)
    #expect(Expanding.members(source).result.expandedSource?.contains("_Flag_b = FlagDomain.Flag<Int>") == true)
  }

  private static let noKey =
    "a key is a string literal without interpolation, or a case of an enum of strings, such as 'AppKey.search'"

  private static func storage(_ name: String) -> String {
    "a set is made of flags alone, and '\(name)' is no flag; add '@Flag', compute it, or make it static"
  }

  @Test(
    "Two names that make one key are reported at the second, where the style is known to make them so",
    arguments: [
      ("", true), (", style: KeyStyle(separator: \"/\")", true), (", style: KeyStyle(transform: .none)", false),
    ])
  func similarNames(style: String, isReported: Bool) {
    let source = """
      @FlagSet("a", "A."\(style)) struct A {
        @Flag("B.") var newURL = 1
        @Flag("C.") var newUrl = 1
        @Flag(key: "new-url", "D.") var newurl = 1
      }
      """
    #expect(
      Expanding.conformance(source).problems
        == (isReported
          ? [
            "3:19: 'newUrl' makes the same key as 'newURL', which ends in \"new-url\"; give one of them a key of its own"
          ] : []))
  }

  @Test(
    "A file without the domain is reported once, and expands to nothing",
    arguments: [
      ("import FlagMacros\n", true), ("public import Foundation\nimport FlagMacros\n", true),
      ("import FlagDomain\nimport FlagMacros\n", false), ("import Umbrella\nimport FlagMacros\n", false),
      ("import Umbrella\n", false), ("import FlagMacros\nlet a = \"\n", false),
    ])
  func missingImport(imports: String, isReported: Bool) {
    let source = #"@FlagSet("a", "A.") struct A {}"#
    var set = Expanding.conformance(source)
    set.offset = imports.utf8.count
    set.file = imports + source
    #expect(
      set.problems
        == (isReported ? ["1:1: the expansion of @FlagSet needs the domain; add 'import FlagDomain' to this file"] : [])
    )
    set.role = "member"
    #expect(set.result.expandedSource?.isEmpty == isReported)
    #expect(set.problems == [])
    set.file = nil
    #expect(set.result.expandedSource?.isEmpty == false)
    set.file = "\n" + imports + source
    #expect(set.result.expandedSource?.isEmpty == false, "The file is not what the compiler sees.")
  }

  @Test(
    "A set that cannot be made is reported where the mistake is",
    arguments: [
      (#"@FlagSet("a", "A.") public final class A {}"#, ["1:34: a set of flags is a struct, not a class"]),
      (#"@FlagSet("a", "A.") enum A {}"#, ["1:21: a set of flags is a struct, not an enum"]),
      (
        "\n@FlagSet(\"a\", \"A.\") struct A<T> {}",
        ["2:29: a set of flags cannot be generic: its flags are made once for all"]
      ),
      ("@FlagSet struct A {}", ["1:1: the set needs a name, the first component of its keys"]),
      ("@FlagSet(name, \"A.\") struct A {}", ["1:10: the name of a set is a string literal without interpolation"]),
      (
        #"@FlagSet("a b", "A.") struct A {}"#,
        [#"1:10: "a b" is not a key: 1 to 1,024 bytes, no white space, no control characters"#]
      ),
      (
        #"@FlagSet("a") struct A {}"#,
        ["1:1: the set 'A' needs a description: a sentence for the people who decide about it"]
      ),
      (
        """
        @FlagSet("a", "A.") struct A {
          @Flag(key: "same", "B.") var b = 1
          @Flag(key: "same", "C.") var c = 1
          @Flag(key: "same", "D.") var d = 1
          #if X
          @Flag(key: "same", "E.") var e = 1
          #endif
        }
        """, [#"3:14: the key "same" is already used by 'b'"#, #"4:14: the key "same" is already used by 'b'"#]
      ),
      (
        "@FlagSet(\"a\", \"A.\") struct A {\n  @Flag(\"B.\") var b = Foo()\n#if X\n    .bar()\n#endif\n}",
        ["4:5: cannot parse this: expected a declaration"]
      ),
      ("@FlagSet(\"a\", \"A.\") struct A {\n  var b = \"\n}", ["2:11: unterminated string"]),
    ])
  func set(source: String, problems: [String]) {
    #expect(Expanding.conformance(source).problems == problems)
    #expect(Expanding.members(source).problems.isEmpty)
  }

  @Test("Places are counted in bytes from the start of the file")
  func offset() {
    var flag = Expanding.accessor("/* é */ @Flag(\"A.\") let a = 1")
    flag.offset = 100
    #expect(flag.result.diagnostics.map(\.position) == [.init(fileName: "Feed.swift", offset: 121)])
  }

  @Test("A flag outside a set is reported", arguments: [nil, "struct A {}", "@FlagSetting struct A {}"])
  func outside(context: String?) {
    var flag = Expanding.accessor(#"@Flag("A.") var a = 1"#)
    flag.context = context
    #expect(flag.problems == ["1:1: @Flag is in a struct that has the attribute @FlagSet"])
  }

  @Test("A flag in a set that is not in order says nothing: the set does")
  func inBrokenSet() {
    var flag = Expanding.accessor(#"@Flag("A.") var a = 1"#)
    flag.context = "@FlagSet class A {}"
    #expect(flag.problems.isEmpty)
    #expect(flag.result.expandedSource == "get { fatalError() }")
  }

  @Test(
    "A private set inside a type cannot be seen by its extension, and one of a file can",
    arguments: [
      (
        "private", "Outer.FeedFlags",
        [
          "1:21: the expansion of @FlagSet is outside the type that holds 'FeedFlags', "
            + "and cannot see it; make it 'fileprivate'"
        ]
      ),
      ("private", "FeedFlags", []), ("fileprivate", "Outer.FeedFlags", []),
    ])
  func privateInside(modifier: String, type: String, problems: [String]) {
    var set = Expanding.conformance("@FlagSet(\"a\", \"A.\") \(modifier) struct FeedFlags {}")
    set.extendedType = type
    #expect(set.problems == problems)
    #expect(set.result.diagnostics.flatMap(\.fixIts).allSatisfy { $0.changes.map(\.newText) == ["fileprivate"] })
  }

  @Test("A call through a module is not taken for a member of a type")
  func moduleIsNoType() {
    #expect(
      Expanding.accessor(#"@Flag("A.") var a = Swift.max(1, 2)"#).problems
        == ["1:17: the type of 'a' cannot be inferred from its default; write it after the name"])
  }

  @Test(
    "A mistake that has one remedy comes with it",
    arguments: [
      (#"@Flag("A.") let a = 1"#, #"@Flag("A.") var a = 1"#),
      (#"@Flag("A.") var a = f()"#, #"@Flag("A.") var a: <#Type#> = f()"#),
      (#"@Flag("A.") var a = B.C.d"#, #"@Flag("A.") var a: <#B.C#> = B.C.d"#),
      (#"@Flag("A.") var a = Self.b"#, #"@Flag("A.") var a: <#Type#> = Self.b"#),
      (#"@Flag("A.") var a: Int"#, #"@Flag("A.") var a: Int = <#default#>"#),
      ("@Flag var a = 1", #"@Flag("<#What it is for.#>") var a = 1"#),
    ])
  func fixIt(source: String, mended: String) throws {
    #expect(try Self.mended(source, by: Expanding.accessor(source)) == mended)
  }

  @Test("The remedy of a stored property that is no flag is the attribute, before its modifiers")
  func fixItOfStorage() throws {
    let source = "@FlagSet(\"a\", \"A.\") struct A { public var x = 1 }"
    #expect(
      try Self.mended(source, by: Expanding.conformance(source))
        == "@FlagSet(\"a\", \"A.\") struct A { @Flag(\"<#What it is for.#>\") public var x = 1 }")
  }

  private static func mended(_ source: String, by expanding: Expanding) throws -> String {
    let change = try #require(expanding.result.diagnostics.first?.fixIts.first?.changes.first)
    var text = Array(source.utf8)
    text.replaceSubrange(change.range.startOffset..<change.range.endOffset, with: Array(change.newText.utf8))
    return String(decoding: text, as: UTF8.self)
  }
}
