import Testing

@Suite("The toolchain that is promised")
struct ToolchainTests {
  @Test("The manifest and the README promise one version")
  func promisesOneVersion() throws {
    #expect(try SourceFile(path: "Package.swift").text.hasPrefix("// swift-tools-version: 6.2\n"))
    #expect(try SourceFile(path: "README.md").text.contains("With a Swift 6.2 toolchain or newer"))
    #expect(try SourceFile(path: ".github/workflows/ci.yml").text.contains("swift:6.2-"))
  }

  @Test("What Swift 6.3 has brought is used only where an older compiler leaves it out")
  func keepsPromise() throws {
    let features = try Feature.ofSwift63.map { ($0, try Regex($0.pattern)) }
    for file in try ["Sources", "Examples", "Tests"].flatMap(Repository.swiftFiles) {
      guard !file.path.hasSuffix("/ToolchainTests.swift") else { continue }
      let text = try file.text
      for (feature, pattern) in features where text.contains(feature.word) {
        #expect(Self.code(of: text).firstMatch(of: pattern) == nil, "\(file.path) uses \(feature.name)")
      }
    }
  }

  @Test("Each is known by what it looks like", arguments: Feature.ofSwift63)
  func knowsFeature(feature: Feature) throws {
    #expect(feature.example.contains(feature.word))
    #expect(feature.example.firstMatch(of: try Regex(feature.pattern)) != nil)
  }

  @Test("A use is found, and is not in a comment or in what only a newer compiler reads")
  func findsUse() throws {
    let use = "weak let a = b"
    #expect(Self.code(of: "a\n  \(use)").contains(use))
    #expect(Self.code(of: "#if compiler(>=6.3)\n#if DEBUG\n#endif\n\(use)\n#endif\nx") == "x")
    #expect(Self.code(of: "/// \(use)\nx") == "x")
  }

  /// Returns the lines that a compiler of the promised version reads, without comments.
  private static func code(of text: String) -> String {
    var depth = 0
    return text.split(separator: "\n").filter { line in
      let line = line.drop { $0 == " " }
      if depth > 0 {
        if line.hasPrefix("#if") { depth += 1 } else if line.hasPrefix("#endif") { depth -= 1 }
        return false
      }
      if line.hasPrefix("#if compiler(>=6.3)") { depth = 1 }
      return depth == 0 && !line.hasPrefix("//")
    }.joined(separator: "\n")
  }

  /// Something that a version of Swift has brought, with the number of its proposal.
  struct Feature: CustomTestStringConvertible {
    let name: String
    let example: String
    /// A text in every use, which is searched first, since that is faster than the pattern.
    let word: String
    let pattern: String

    var testDescription: String { name }

    static let ofSwift63 = [
      Feature(
        name: "an immutable weak reference (SE-0481)", example: "weak let a = b", word: "weak let",
        pattern: #"\bweak let\b"#),
      Feature(
        name: "values in exit tests (ST-0012)", example: "processExitsWith: .failure) { [a] in }",
        word: "processExitsWith:", pattern: #"processExitsWith:[^{]*\{\s*\["#),
      Feature(name: "a module selector (SE-0491)", example: "FlagDomain::Flag", word: "::", pattern: #"\bFlag\w+::\w"#),
      Feature(name: "a C function (SE-0495)", example: "@c func f() {}", word: "@c", pattern: #"(?m)^\s*@c[ (]"#),
      Feature(
        name: "guaranteed inlining (SE-0496)", example: "@inline(always) func f() {}", word: "@inline(always)",
        pattern: #"@inline\(always\)"#),
      Feature(
        name: "a specialization (SE-0460)", example: "@specialized(where T == Int)", word: "@specialized",
        pattern: #"@specialized\("#),
      Feature(
        name: "the severity of an issue (ST-0013)", example: "Issue.record(a, severity: .warning)", word: "severity:",
        pattern: #"Issue\.record\([^)]*severity:"#),
      Feature(
        name: "cancelling a test (ST-0016)", example: "try Test.cancel()", word: "Test.cancel",
        pattern: #"Test\.cancel\("#),
    ]
  }
}
