import Testing

@Suite("What the compiler says", .enabled(if: Compiler.built != nil, "needs swiftc and the plugin beside the tests"))
struct CompilerTests {
  @Test("Each mistake is one error where it was made")
  func mistakes() throws {
    let compiler = try #require(Compiler.built)
    let diagnostics = try compiler.check(
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
      }
      """)
    #expect(
      diagnostics.filter { $0.hasSuffix("'FlagSet')") || $0.hasSuffix("'Flag')") || $0.hasSuffix("'FlagGroup')") } == [
        "5:21: error: a set of flags is a struct, not an enum (from macro 'FlagSet')",
        "6:35: error: a set of flags cannot be generic: its flags are made once for all (from macro 'FlagSet')",
        "7:1: error: the set needs a name, the first component of its keys (from macro 'FlagSet')",
        "8:1: error: the set 'NoDescription' needs a description: a sentence for whoever decides about it "
          + "(from macro 'FlagSet')",
        "9:10: error: the name of a set is a string literal without interpolation (from macro 'FlagSet')",
        "10:18: error: @Flag stands in a struct that has the attribute @FlagSet (from macro 'Flag')",
        "13:3: error: the flag 'noDescription' needs a description: a sentence for whoever decides about it "
          + "(from macro 'Flag')",
        "15:3: error: a flag changes while the program runs; declare it with 'var' (from macro 'Flag')",
        "16:15: error: a flag is read through a manager, and cannot be 'static' (from macro 'Flag')",
        "17:33: error: a flag's value comes from its manager; it cannot have accessors or observers of its own "
          + "(from macro 'Flag')",
        "18:32: error: a flag's value comes from its manager; it cannot have accessors or observers of its own "
          + "(from macro 'Flag')",
        "20:19: error: the type of 'untyped' cannot be read off its default; write it after the name "
          + "(from macro 'Flag')",
        "21:19: error: 'noDefault' needs a default value, because Int is not optional (from macro 'Flag')",
        "22:14: error: a key is a string literal without interpolation (from macro 'Flag')",
        "23:14: error: a key is a string literal without interpolation (from macro 'Flag')",
        "24:14: error: \"a b\" is not a key: 1 to 1,024 bytes, no white space, no control characters "
          + "(from macro 'Flag')",
        "26:14: error: the key \"same\" already stands for 'first' (from macro 'FlagSet')",
        "27:24: error: \"2027-13-01\" is not a day such as \"2027-01-31\" (from macro 'Flag')",
        "28:32: error: a group is made by its set, and cannot have a value of its own (from macro 'FlagGroup')",
        "29:32: error: 'Set' cannot hold itself as a group (from macro 'FlagGroup')",
      ])
    #expect(diagnostics.contains { $0.hasPrefix("19:") }, "The compiler itself refuses two properties in one.")
  }

  @Test("Assigning to a flag does not compile")
  func assignment() throws {
    let diagnostics = try #require(Compiler.built).check(
      """
      import FlagDomain
      import FlagMacros

      @FlagSet("feed", "The feed.") struct FeedFlags { @Flag("A.") var a = 1 }
      func change(_ feed: inout FeedFlags) { feed.a = 2 }
      """)
    #expect(diagnostics == ["5:45: error: cannot assign to property: 'a' is a get-only property"])
  }

  @Test(
    "Declarations of every form compile without a warning",
    arguments: [[], ["-D", "DEBUG"], ["-default-isolation", "MainActor"], ["-swift-version", "5"]])
  func everyForm(options: [String]) throws {
    let diagnostics = try #require(Compiler.built).check(
      #"""
      public import FlagDomain
      import FlagMacros

      @FlagSet("inner", "The inner ones.") public struct Inner { @Flag("A.") public var a = 1 }
      enum Outer {
        @FlagSet("nested", "In a type.") fileprivate struct Nested { @Flag("A.") fileprivate var a = 1 }
      }
      @FlagSet("empty", "None.") private struct Empty {}
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
        @Flag("A.") var flags = 1; @Flag("B.") var flagPath = 1; @Flag("B.") var flagItems = 1
        @Flag("A.") var manager = 1; @Flag("B.") var catalog = 1; @Flag("B.") var flagMetadata = 1
        static let owner = "growth"
        var sum: Int { first.a + second.$a.value + (secret == .a ? 1 : 0) }
      }
      """#, options: options)
    #expect(diagnostics == [])
  }
}
