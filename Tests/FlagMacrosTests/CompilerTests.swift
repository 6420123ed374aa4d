import TestSupport
import Testing

@Suite("What the compiler says", .needs(.compiler))
struct CompilerTests {
  @Test("Each mistake is one error where it was made")
  func mistakes() async throws {
    let compiler = try Compiler()
    let diagnostics = try await compiler.check(
      """
      import FlagDomain
      import FlagMacros

      let name = "x"
      @FlagSet("a", "A.") enum NotAStruct { case a }
      @FlagSet("a", "A.") struct Generic<T> { @Flag("A.") var a = 1 }
      @FlagSet struct NoName { @Flag("A.") var a = 1 }
      @FlagSet("a") struct NoDescription { @Flag("A.") var a = 1 }
      @FlagSet(name, "A.") struct NameNotLiteral {}
      struct NotASet { @Flag("A.") var a = 1 }
      @FlagSet("other", "A.") struct Other {}
      @FlagSet("a", "A.") struct Set {
        @Flag var noDescription = 1
        @Flag("A.")
        let constant = 1
        @Flag("A.") static var shared = 1
        @Flag("A.") var computed: Int { 1 }
        @Flag("A.") var observed = 1 { didSet {} }
        @Flag("A.") var a = 1, b = 2
        @Flag("é") var untyped = name
        @Flag("A.") var noDefault: Int
        @Flag(key: name, "A.") var keyNotLiteral = 1
        @Flag(key: "\\(1)", "A.") var keyInterpolated = 1
        @Flag(key: "a b", "A.") var invalidKey = 1
        @Flag(key: "same", "A.") var first = 1
        @Flag(key: "same", "A.") var second = 1
        @Flag("A.", expires: "2027-13-01") var invalidDay = 1
        @FlagGroup("A.") var group = Other(manager)
        @FlagGroup("A.") var itself: Set
        @Flag("A.") @Flag("B.") var twice = 1
        @Flag("A.") @FlagGroup("B.") var both = 1
        var x = 1, y = 2
      }
      @FlagSet("b", "B.") @FlagSet("c", "C.") struct Twice { @Flag("A.") var a = 1 }
      """)
    #expect(
      diagnostics.filter { $0.hasSuffix("'FlagSet')") || $0.hasSuffix("'Flag')") || $0.hasSuffix("'FlagGroup')") } == [
        "5:21: error: a set of flags is a struct, not an enum (from macro 'FlagSet')",
        "6:35: error: a set of flags cannot be generic: its flags are made once for all (from macro 'FlagSet')",
        "7:1: error: the set needs a name, the first component of its keys (from macro 'FlagSet')",
        "8:1: error: the set 'NoDescription' needs a description: a sentence for the people who decide about it "
          + "(from macro 'FlagSet')",
        "9:10: error: the name of a set is a string literal without interpolation (from macro 'FlagSet')",
        "10:18: error: @Flag is in a struct that has the attribute @FlagSet (from macro 'Flag')",
        "13:3: error: the flag 'noDescription' needs a description: a sentence for the people who decide about it "
          + "(from macro 'Flag')",
        "15:3: error: a flag changes while the program runs; declare it with 'var' (from macro 'Flag')",
        "16:15: error: a flag is read through a manager, and cannot be 'static' (from macro 'Flag')",
        "17:33: error: a flag's value comes from its manager; it cannot have accessors or observers of its own "
          + "(from macro 'Flag')",
        "18:32: error: a flag's value comes from its manager; it cannot have accessors or observers of its own "
          + "(from macro 'Flag')",
        "19:24: error: declare each flag by itself, with an attribute of its own (from macro 'FlagSet')",
        "20:19: error: the type of 'untyped' cannot be inferred from its default; write it after the name "
          + "(from macro 'Flag')",
        "21:19: error: 'noDefault' needs a default value, because Int is not optional (from macro 'Flag')",
        "22:14: error: a key is a string literal without interpolation, or a case of an enum of strings, "
          + "such as 'AppKey.search' (from macro 'Flag')",
        "23:14: error: a key is a string literal without interpolation, or a case of an enum of strings, "
          + "such as 'AppKey.search' (from macro 'Flag')",
        "24:14: error: \"a b\" is not a key: 1 to 1,024 bytes, no white space, no control characters "
          + "(from macro 'Flag')",
        "26:14: error: the key \"same\" is already used by 'first' (from macro 'FlagSet')",
        "27:24: error: \"2027-13-01\" is not a day such as \"2027-01-31\" (from macro 'Flag')",
        "28:32: error: a group is made by its set, and cannot have a value of its own (from macro 'FlagGroup')",
        "29:32: error: 'Set' cannot hold itself as a group (from macro 'FlagGroup')",
        "30:15: error: 'twice' has another attribute already; remove @Flag (from macro 'Flag')",
        "31:15: error: 'both' has another attribute already; remove @FlagGroup (from macro 'FlagGroup')",
        "32:7: error: a set is made of flags alone, and 'x' is no flag; add '@Flag', compute it, or make it static "
          + "(from macro 'FlagSet')",
        "32:14: error: a set is made of flags alone, and 'y' is no flag; add '@Flag', compute it, or make it static "
          + "(from macro 'FlagSet')",
        "34:21: error: 'Twice' has another attribute already; remove @FlagSet (from macro 'FlagSet')",
      ])
    #expect(diagnostics.contains { $0.hasPrefix("19:") }, "The compiler itself refuses two properties in one.")
  }

  @Test("What a default, a group or another member cannot be is one error where it was made")
  func membersThatCannotBe() async throws {
    let diagnostics = try await Compiler().check(
      """
      import FlagDomain
      import FlagMacros

      enum Links { static let home = "/" }
      @FlagSet("inner", "I.") struct Inner { @Flag("A.") var a = 1 }
      @FlagSet("a", "A.") struct A {
        @Flag("A.") var home = Links.home
        @Flag("A.") var numbers = Set([1])
        @Flag("A.") var maybe = Optional(1)
        @Flag("A.") var newURL = true
        @Flag("A.") var newUrl = true
        @FlagGroup("A.") var optional: Inner?
        let extra: Int
        @Flag("A.") var flagManager = 1
        var placedFlags: Int { flagManager }
        @Flag("A.") @Flag("B.") var twice = 1
      }
      """)
    let noType: (String) -> String = {
      "the type of '\($0)' cannot be inferred from its default; write it after the name (from macro 'Flag')"
    }
    let expected: [String] = [
      "7:19: error: the default of 'home' is a member of Links, whose type is not visible here; "
        + "write the type after the name (from macro 'Flag')",
      "8:19: error: " + noType("numbers"), "9:19: error: " + noType("maybe"),
      "11:19: error: 'newUrl' makes the same key as 'newURL', which ends in \"new-url\"; "
        + "give one of them a key of its own (from macro 'FlagSet')",
      "12:34: error: a group is a struct that has the attribute @FlagSet, not Inner? (from macro 'FlagGroup')",
      "13:7: error: a set is made of flags alone, and 'extra' is no flag; "
        + "add '@Flag', compute it, or make it static (from macro 'FlagSet')",
      "16:15: error: 'twice' has another attribute already; remove @Flag (from macro 'Flag')",
    ]
    #expect(diagnostics == expected)
  }

  @Test(
    "A type that cannot be a flag's or a group's is one error, which names it",
    arguments: [
      ("@Flag(\"A.\") public var a: Wrong = Wrong()", "type 'Wrong' does not conform to protocol 'Decodable'"),
      ("@Flag(\"A.\") private var a = Wrong()", "type 'Wrong' does not conform to protocol 'Decodable'"),
      (
        "@FlagGroup(\"A.\") var a: Wrong",
        "a group is a struct that has the attribute @FlagSet, not Wrong (from macro 'FlagGroup')"
      ),
      (
        "@FlagGroup var a: Array<Inner>",
        "a group is a struct that has the attribute @FlagSet, not Array<Inner> (from macro 'FlagGroup')"
      ),
      ("@FlagGroup var a: FlagUser", "type 'FlagUser' does not conform to protocol 'NestableFlagSet'"),
      (
        "@Flag(\"A.\") public var a: Ranking? = .best",
        "a flag's values are read on any thread, and a public type has to say that it can be; "
          + "declare 'Ranking' as 'Sendable' (from macro 'FlagSet')"
      ),
    ])
  func wrongType(member: String, message: String) async throws {
    let diagnostics = try await Compiler().check(
      """
      public import FlagDomain
      import FlagMacros
      public enum Ranking: String, Codable { case best }
      public struct Wrong: Sendable {}
      @FlagSet("inner", "I.") struct Inner { @Flag("A.") var a = 1 }
      @FlagSet("a", "A.") public struct A {
        \(member)
        @Flag("A.") var fine = 1
      }
      """)
    #expect(diagnostics.map { $0.drop { $0 != " " } } == [" error: \(message)"])
    #expect(diagnostics.first?.hasPrefix(member.contains("Ranking") ? "3:13:" : "7:") == true)
  }

  @Test("An optional of such a type is refused in one place, in which the compiler has two sentences for it")
  func wrongOptional() async throws {
    let diagnostics = try await Compiler().check(
      """
      import FlagDomain
      import FlagMacros

      struct Wrong: Sendable {}
      @FlagSet("a", "A.") struct A { @Flag("A.") var a: Wrong? }
      """)
    #expect(Set(diagnostics.map { $0.prefix { $0 != " " } }).count == 1)
    #expect(diagnostics.count == 2 && diagnostics.allSatisfy { $0.contains("'Wrong'") }, "\(diagnostics)")
  }

  @Test("A file that does not import the domain has one error, and one that gets it otherwise has none")
  func missingImport() async throws {
    let compiler = try Compiler()
    let set = """
      import FlagMacros
      @FlagSet("a", "A.") struct A {
        @Flag("A.") var a = 1
        @Flag("A.") var b: String?
      }
      """
    #expect(
      try await compiler.check(set) == [
        "2:1: error: the expansion of @FlagSet needs the domain; add 'import FlagDomain' to this file "
          + "(from macro 'FlagSet')"
      ])
    #expect(try await compiler.check("internal import struct FlagDomain.Flag\nimport FlagDomain\n" + set) == [])
  }

  @Test("A set with a key of its own cannot be a group twice in one set")
  func repeatedGroup() async throws {
    let diagnostics = try await Compiler().check(
      """
      import FlagDomain
      import FlagMacros

      @FlagSet("made", "A.") struct Made { @Flag("A.") var a = 1 }
      @FlagSet("given", "A.") struct Given { @Flag(key: "b", "B.") var b = 1 }
      @FlagSet("first", "A.") struct First {
        @FlagGroup var a: Made
        @FlagGroup var b: Made
        @FlagGroup var c: Given
      }
      @FlagSet("second", "A.") struct Second {
        @FlagGroup var a: Given
        @FlagGroup var b: Given
      }
      """)
    let messages = diagnostics.map { text in String(text.drop { $0 != " " }) }
    #expect(
      messages == [
        " error: 'SecondPlace' is unavailable: the flag 'b' has the same key wherever Given is, "
          + "so a set can hold Given only once"
      ])
  }

  @Test("Assigning to a flag does not compile")
  func assignment() async throws {
    let diagnostics = try await Compiler().check(
      """
      import FlagDomain
      import FlagMacros

      @FlagSet("feed", "The feed.") struct FeedFlags { @Flag("A.") var a = 1 }
      func change(_ feed: inout FeedFlags) { feed.a = 2 }
      """)
    #expect(diagnostics == ["5:45: error: cannot assign to property: 'a' is a get-only property"])
  }

  @Test(
    "In a module on the main actor, a value that is a structure has to be nonisolated, and the compiler says so",
    arguments: [("", false), ("nonisolated ", true)])
  func isolatedValue(modifier: String, compiles: Bool) async throws {
    let diagnostics = try await Compiler().check(
      """
      import FlagDomain
      import FlagMacros

      \(modifier)struct FeedLayout: Codable, Sendable { var columns = 2 }
      enum Ranking: String, Codable, Sendable { case chronological, popular }
      @FlagSet("feed", "The feed.") struct FeedFlags {
        @Flag("How posts are laid out.") var layout = FeedLayout()
        @Flag("How posts are ordered.") var ranking: Ranking = .popular
      }
      """, options: ["-default-isolation", "MainActor"])
    let isRefused = diagnostics.contains {
      $0.contains("main actor-isolated conformance of 'FeedLayout' to 'Decodable' cannot satisfy")
    }
    #expect(isRefused == !compiles)
    #expect(diagnostics.isEmpty == compiles)
  }

  @Test(
    "Declarations of every form compile without a warning",
    arguments: [[], ["-D", "DEBUG"], ["-default-isolation", "MainActor"], ["-swift-version", "5"]])
  func everyForm(options: [String]) async throws {
    let diagnostics = try await Compiler().check(
      #"""
      public import FlagDomain
      import FlagMacros

      @FlagSet("inner", "The inner ones.") public struct Inner { @Flag("A.") public var a = 1 }
      enum Outer {
        @FlagSet("nested", "In a type.") fileprivate struct Nested { @Flag("A.") fileprivate var a = 1 }
      }
      @FlagSet("empty", "None.") private struct Empty {}
      enum AppKey: String { case named }
      @FlagSet("never", "None.") private struct Never {
        #if NEVER
        @Flag("A.") var a = 1
        #endif
      }
      nonisolated struct Pair<A: Codable & Sendable, B: Codable & Sendable>: Codable, Sendable { var a: A; var b: B }
      @FlagSet("all", /* { */ "All \"of\" them.", style: KeyStyle(separator: "/"))
      public struct All: Sendable { // {
        #if DEBUG && (os(Linux) ||
          os(macOS))
        @Flag("A.") var condition = true
        #elseif os(Linux)
        @Flag("B.") var condition = false
        #else
        @Flag("C.") var condition = 1
        #endif
        @available(*, deprecated) @Flag(#"raw \#("}")"#) var raw = #"\("#
        @Flag("Lines.") var lines = """
          {"a": "\("}")"}
          """
        @Flag("A.") var isOff: Bool
        @Flag(key: AppKey.named, "Named.") var named = 1
        @Flag(key: Self.Own.named, "Named.", owner: "a") var namedHere = 1
        enum Own: String { case named = "here" }
        @Flag("A.") var text: String
        @Flag("A.") var `default` = -0x1p-3; @Flag("B.") private var secret: Mode = .a
        @Flag("A.") var größe = Pair<Int, [String: [Int]]>(a: 1, b: ["x": [2]])
        @Flag("A.", owner: owner, computed: { context in
          guard let user = context.user else { return nil }
          return user.segments.isEmpty ? nil : user.id.count
        })
        public var computed: Int? = 60
          * 60
        @FlagGroup public var first: Inner
        @FlagGroup(key: "2", "Twice.", order: 1) public var second: Inner
        enum Mode: String, Codable { case a }
        @Flag("A.") var flags = 1; @Flag("B.") var flagPath = 1; @Flag("B.") var flagCollector = 1
        @Flag("A.") var manager = 1; @Flag("B.") var catalog = 1; @Flag("B.") var flagMetadata = 1
        static let owner = "growth"
        var sum: Int { first.a + second.$a.value + (secret == .a ? 1 : 0) }
      }
      """#, options: options)
    #expect(diagnostics == [])
  }
}
