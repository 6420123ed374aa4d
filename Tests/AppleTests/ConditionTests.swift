import Foundation
import Testing

@Suite("Conditions of the compiler")
struct ConditionTests {
  @Test("Every branch in the package's sources is compiled by a check")
  func reachesBranches() throws {
    let manifest = try PackageManifest.read()
    let macros = Set(manifest.targets.filter { $0.type == "macro" }.map(\.name))
    for target in manifest.targets where target.path?.hasPrefix("Tests/") == false {
      let texts = try target.swiftFiles().map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
      // What `platform-check` compiles.
      let isPlain =
        target.type == "regular" && manifest.dependencies(of: [target.name]).isDisjoint(with: macros)
        && !texts.contains { $0.1.contains("import Testing\n") }
      for (file, text) in texts {
        #expect(Self.objections(to: text, in: "\(target.name)/\(file)", isPlain: isPlain) == [])
      }
    }
  }

  @Test(
    "A branch that no check compiles is objected to, by file and line",
    arguments: [
      ("#if os(Windows)\nlet a = 1\n#endif", ["A.swift:1: unknown: os(Windows)"]),
      ("#if canImport(UIKit)\n#else\nlet a = 1\n#endif", ["A.swift:1: unknown: canImport(UIKit)"]),
      (
        "#if os(Linux)\n  #if os(macOS)\n  let a = 1\n  #endif\n#endif",
        ["A.swift:2: compiled by no check: #if os(macOS)"]
      ),
      ("#if os(Linux)\n#elseif !os(Linux)\n#else\nlet a = 1\n#endif", ["A.swift:3: compiled by no check: #else"]),
      ("#if canImport(Musl)\nimport Musl\n#elseif canImport(Android)\nimport Android\n#endif", []),
      ("#if os(Android)\n  #if canImport(FoundationNetworking)\n  let a = 1\n  #endif\n#endif", []),
      ("#if canImport(Bionic)\nimport Bionic\n#endif", ["A.swift:1: unknown: canImport(Bionic)"]),
      (
        "#if canImport(Musl) && DEBUG\nlet a = 1\n#endif",
        ["A.swift:1: compiled by no check: #if canImport(Musl) && DEBUG"]
      ),
      (
        "#if canImport(Android)\n  #if os(Linux)\n  let a = 1\n  #endif\n#endif",
        ["A.swift:2: compiled by no check: #if os(Linux)"]
      ),
      (
        "#if canImport(Glibc)\n#elseif canImport(Musl)\n#elseif os(Linux)\nlet a = 1\n#endif",
        ["A.swift:3: compiled by no check: #elseif os(Linux)"]
      ),
      ("#if os(Linux) || os(macOS)\n#else\n#error(\"a\")\n#endif", []),
      ("#if os(tvOS) || targetEnvironment(simulator)\nlet a = 1\n#else\nlet a = 2\n#endif", []),
      ("#if (os(macOS)\n#endif", ["A.swift:1: cannot be read"]),
    ] as [(String, [String])])
  func objects(text: String, objections: [String]) {
    #expect(Self.objections(to: text, in: "A.swift", isPlain: true) == objections)
  }

  @Test("Programs, and what uses macros, are not compiled for Android")
  func objectsInPrograms() {
    let text = "#if os(Android)\nlet a = 1\n#endif"
    let objections = Self.objections(to: text, in: "A.swift", isPlain: false)
    #expect(objections == ["A.swift:1: compiled by no check: #if os(Android)"])
  }

  @Test("Tests that end a process are compiled for computers alone: nothing else lets a program start another one")
  func guardsExitTests() throws {
    let root = Checkout.root.appending(path: "Tests")
    let phone = try #require(Builder.all.first { $0.facts.contains("os(iOS)") })
    var guarded = 0
    for file in try FileManager.default.subpathsOfDirectory(atPath: root.path)
    where file.hasSuffix(".swift") && !file.hasPrefix("AppleTests/") {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      let branches = Branches(of: text).all.filter { !phone.compiles($0) }
      let left = branches.flatMap(\.code).count { $0.contains("(processExitsWith") }
      #expect(text.components(separatedBy: "(processExitsWith").count - 1 == left, "\(file)")
      guarded += left
    }
    #expect(guarded > 10)
  }

  /// Returns what is wrong with the conditions of a text, which is part of a plain library or of something else.
  private static func objections(to text: String, in file: String, isPlain: Bool) -> [String] {
    let branches = Branches(of: text)
    let builders = Builder.all + (isPlain ? Builder.ofPlainLibraries : [])
    let known = (Builder.all + Builder.ofPlainLibraries).reduce(into: Set()) { $0.formUnion($1.facts) }
    return branches.unreadable.map { "\(file):\($0): cannot be read" }
      + branches.all.flatMap { branch -> [String] in
        // A nested or later branch has the other's condition, too: reported once.
        let own = Condition(branch.text.drop { $0 != " " })?.atoms ?? []
        let unknown = own.subtracting(known).sorted().map { "\(file):\(branch.line): unknown: \($0)" }
        let atoms = branch.conditions.reduce(into: Set<String>()) { $0.formUnion($1.atoms) }
        guard unknown.isEmpty, atoms.isSubset(of: known) else { return unknown }
        let isError = branch.code.allSatisfy { $0.hasPrefix("#error(") }
        if isError || builders.contains(where: { $0.compiles(branch) }) { return [] }
        return ["\(file):\(branch.line): compiled by no check: \(branch.text)"]
      }
  }
}

/// A check that compiles the package's sources, and its conditions.
private struct Builder {
  /// Conditions that hold; all others do not.
  let facts: Set<String>

  /// The checks of `.ci/run`: on Linux with and without optimization and for races, and for Apple's systems.
  static let all =
    [["DEBUG"], [], ["DEBUG", "TESTS_URLSESSION"]].map { Builder(facts: linux.union($0)) }
    + ApplePlatform.all.map { platform in
      Builder(
        facts: [
          "os(\(platform.name))", "canImport(Darwin)", "canImport(SwiftUI)", "canImport(Combine)",
          "targetEnvironment(simulator)",
        ])
    }

  /// The checks of libraries without macros, by `platform-check`.
  static let ofPlainLibraries = [["os(Linux)", "canImport(Musl)"], ["os(Android)", "canImport(Android)"]].map {
    Builder(facts: openFoundation.union($0))
  }

  private static let linux = openFoundation.union(["os(Linux)", "canImport(Glibc)", "SWIFT_PACKAGE"])
  private static let openFoundation: Set = ["canImport(FoundationEssentials)", "canImport(FoundationNetworking)"]

  func compiles(_ branch: Branches.Branch) -> Bool {
    branch.conditions.allSatisfy { $0.holds(facts.contains) }
  }
}
