import Foundation
import Testing

@Suite("Architecture")
struct ArchitectureTests {
  @Test("A target imports of ours what the design allows", arguments: Arrow.table)
  func keepsArrows(arrow: Arrow) throws {
    let files = try Repository.swiftFiles(under: arrow.folder)
    let ours = Set(Arrow.table.map(\.target))
    for file in files {
      let forbidden = try file.imports.intersection(ours).subtracting(arrow.allowed)
      #expect(forbidden.isEmpty, "\(file.path) imports \(forbidden.sorted().joined(separator: ", "))")
    }
  }

  @Test(
    "Every form of an import is seen",
    arguments: [
      ("import A", ["A"]), ("internal import A\npublic import B", ["A", "B"]),
      ("@testable import A\nimport B", ["A", "B"]),
      ("  import struct A.B", ["A"]), ("@preconcurrency public import A", ["A"]), ("let important = 1 // import A", []),
    ] as [(String, Set<String>)])
  func seesImports(text: String, modules: Set<String>) {
    #expect(SourceFile.imports(in: text) == modules)
  }

  @Test("Every target of the package has its row in the table of arrows")
  func knowsTargets() throws {
    let folders = try ["Sources", "Examples"].flatMap(Repository.folders)
    #expect(Set(folders) == Set(Arrow.table.map(\.folder)))
  }

  @Test("The domain imports the standard library alone")
  func keepsDomainPure() throws {
    for file in try Repository.swiftFiles(under: "Sources/FlagDomain") {
      #expect(try file.imports.isSubset(of: ["Synchronization"]), "\(file.path)")
    }
  }

  @Test("No module hands another one on")
  func exportsNothing() throws {
    let attribute = "@_" + "exported"
    for file in try ["Sources", "Examples", "Tests"].flatMap(Repository.swiftFiles) {
      #expect(try !file.text.contains(attribute), "\(file.path)")
    }
  }

  @Test("The top level holds what the design says, and dotfiles")
  func keepsLayout() throws {
    let visible = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
      .filter { !$0.hasPrefix(".") && $0 != "Package.resolved" }
    #expect(Set(visible) == ["Package.swift", "README.md", "Sources", "Tests", "Docs", "Examples"])
  }

  @Test("Tests stand in a folder named after what they test")
  func keepsTestLayout() throws {
    for folder in try Repository.folders("Tests") { #expect(folder.hasSuffix("Tests")) }
  }

  @Test("No file has a name that says nothing of what is in it", arguments: ["Sources", "Examples", "Tests"])
  func namesFiles(folder: String) throws {
    let empty = /(?i)(Utils?|Helpers?|Common|Misc|Extensions?|Placeholder)\.swift$/
    for file in try Repository.swiftFiles(under: folder) { #expect(!file.path.contains(empty), "\(file.path)") }
  }

  @Test("Code for Apple's platforms stands in whole files")
  func keepsAppleCodeApart() throws {
    for file in try Repository.swiftFiles(under: "Sources") {
      let lines = try file.text.split(separator: "\n")
      guard lines.contains(where: { $0.hasPrefix("#if canImport(SwiftUI)") || $0.hasPrefix("#if canImport(Combine)") })
      else { continue }
      #expect(
        lines.first?.hasPrefix("#if canImport(") == true && lines.last?.hasPrefix("#endif") == true, "\(file.path)")
    }
  }
}

/// What one target may import of the package.
struct Arrow: CustomTestStringConvertible, Sendable {
  let folder: String
  let allowed: Set<String>

  var target: String { folder.split(separator: "/").last.map(String.init) ?? folder }
  var testDescription: String { target }

  static let table = [
    Arrow("Sources/FlagDomain"),
    Arrow("Sources/SettingsFlags", "FlagDomain"),
    Arrow("Sources/FeedFlags", "FlagDomain", "FlagMacros"),
    Arrow("Sources/FlagProviders", "FlagDomain"),
    Arrow("Sources/FlagTesting", "FlagDomain"),
    Arrow("Sources/FlagMacros", "FlagDomain"),
    Arrow("Sources/FlagMacrosPlugin"),
    Arrow("Sources/FlagComposition", "FlagDomain", "FlagProviders"),
    Arrow("Sources/FlagCLI", "FlagDomain", "FlagComposition", "FlagProviders"),
    Arrow("Sources/flagctl", "FlagCLI"),
    Arrow("Sources/AllocationCounter"),
    Arrow(
      "Sources/FlagBenchmarks", "AllocationCounter", "FeedFlags", "FlagComposition", "FlagDomain", "FlagMacros",
      "FlagProviders"),
    Arrow("Examples/NewsApp", "FeedFlags", "FlagComposition", "FlagDomain", "FlagProviders", "SettingsFlags"),
    Arrow(
      "Examples/QuickStart", "FeedFlags", "FlagComposition", "FlagDomain", "FlagProviders", "SettingsFlags"),
  ]

  private init(_ folder: String, _ allowed: String...) {
    self.folder = folder
    self.allowed = Set(allowed)
  }
}
