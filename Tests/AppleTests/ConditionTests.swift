import Foundation
import Testing

@Suite("Conditions of the compiler")
struct ConditionTests {
  @Test("Every branch in the package's sources is compiled by a check", arguments: ["Sources", "Examples"])
  func reachesBranches(folder: String) throws {
    let root = Checkout.root.appending(path: folder)
    for file in try FileManager.default.subpathsOfDirectory(atPath: root.path) where file.hasSuffix(".swift") {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      #expect(Self.objections(to: text, in: "\(folder)/\(file)") == [])
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
      ("#if canImport(Musl)\nimport Musl\n#endif", []),
      ("#if canImport(Musl)\nMusl.send(1)\n#endif", []),
      ("#if os(Linux) || os(Android)\nlet a = 1\n#endif", []),
      ("#if os(Linux) || os(macOS)\n#else\n#error(\"a\")\n#endif", []),
      ("#if os(Android)\nlet a = 1\n#endif", ["A.swift:1: compiled by no check: #if os(Android)"]),
      ("#if canImport(Musl)\nlet a = 1\n#endif", ["A.swift:1: compiled by no check: #if canImport(Musl)"]),
      ("#if os(tvOS) || targetEnvironment(simulator)\nlet a = 1\n#else\nlet a = 2\n#endif", []),
      ("#if (os(macOS)\n#endif", ["A.swift:1: cannot be read"]),
    ] as [(String, [String])])
  func objects(text: String, objections: [String]) {
    #expect(Self.objections(to: text, in: "A.swift") == objections)
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

  /// Returns what is wrong with a text's conditions.
  private static func objections(to text: String, in file: String) -> [String] {
    let branches = Branches(of: text)
    let known = Builder.all.reduce(Builder.ofNone) { $0.union($1.facts) }
    return branches.unreadable.map { "\(file):\($0): cannot be read" }
      + branches.all.flatMap { branch -> [String] in
        // A nested or later branch has the other's condition, too: reported once.
        let own = Condition(branch.text.drop { $0 != " " })?.atoms ?? []
        let unknown = own.subtracting(known).sorted().map { "\(file):\(branch.line): unknown: \($0)" }
        let atoms = branch.conditions.reduce(into: Set<String>()) { $0.formUnion($1.atoms) }
        guard unknown.isEmpty, atoms.isSubset(of: known) else { return unknown }
        if Builder.all.contains(where: { $0.compiles(branch) }) || branch.isAllowedUncompiled { return [] }
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

  private static let linux: Set = [
    "os(Linux)", "canImport(Glibc)", "canImport(FoundationEssentials)", "canImport(FoundationNetworking)",
    "SWIFT_PACKAGE",
  ]

  /// The conditions that no check compiles: Linux with another C library, and Android.
  ///
  /// A branch for them is allowed if it imports that library, or calls a function by its name, or is an error, and does
  /// nothing else.
  static let ofNone: Set = ["canImport(Musl)", "canImport(Android)", "os(Android)"]

  func compiles(_ branch: Branches.Branch) -> Bool {
    branch.conditions.allSatisfy { $0.holds(facts.contains) }
  }
}

extension Branches.Branch {
  /// Whether the branch is for another C library, and contains only names, or an error.
  fileprivate var isAllowedUncompiled: Bool {
    code.allSatisfy { line in
      line.hasPrefix("#error(")
        || line.contains(/^(?:(?:@_\w+ )?(?:package |public )?import )?(?:Musl|Android)(?:\.|$)/)
    }
  }
}
