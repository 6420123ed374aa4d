import Foundation
import TestSupport
import Testing

@Suite("Architecture", .computing)
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

  @Test("The manifest gives a target what it may import, and the macros their plugin")
  func agreesWithManifest() throws {
    let manifest = try Repository.manifestDependencies()
    for arrow in Arrow.table {
      #expect(manifest[arrow.target]?.subtracting(["FlagMacrosPlugin"]) == arrow.allowed, "\(arrow.target)")
    }
  }

  @Test("The guide to the architecture has a row for every target")
  func listsTargets() throws {
    let listed = try Repository.documentedRows(of: "target").flatMap { $0[0].codeNames }
    #expect(Set(listed) == Set(Arrow.table.filter { $0.folder.hasPrefix("Sources/") }.map(\.target)))
    #expect(Set(listed).count == listed.count)
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
    // A container has no code of its own.
    let folders = try ["Sources", "Examples"].flatMap(Repository.targetFolders).filter { $0 != "Examples/Container" }
    #expect(Set(folders) == Set(Arrow.table.map(\.folder)))
  }

  @Test("The domain imports the standard library alone, and for its lock the C library")
  func keepsDomainPure() throws {
    for file in try Repository.swiftFiles(under: "Sources/FlagDomain") {
      let isLock = file.path.hasSuffix("/Concurrency/Locked.swift")
      let allowed: Set = isLock ? ["Synchronization", "Android", "Glibc", "Musl"] : ["Synchronization"]
      #expect(try file.imports.isSubset(of: allowed), "\(file.path)")
    }
  }

  @Test("The statistics import the platform's C library alone, in one file")
  func keepsStatisticsPure() throws {
    for file in try Repository.swiftFiles(under: "Sources/Experiments/FlagStatistics") {
      let isBridge = file.path.hasSuffix("/Double+Functions.swift")
      #expect(try file.imports == (isBridge ? ["Android", "Darwin", "Glibc", "Musl"] : []), "\(file.path)")
    }
  }

  @Test("What both sides of a wire share imports the domain alone, the server no Foundation")
  func keepsWirePure() throws {
    for file in try Repository.swiftFiles(under: "Sources/Internals/FlagHTTP") {
      #expect(try file.imports.isSubset(of: ["FlagDomain", "FlagSupport"]), "\(file.path)")
    }
    for file in try Repository.swiftFiles(under: "Sources/Services/FlagServer") {
      #expect(
        try file.imports.isDisjoint(with: ["Foundation", "FlagFoundation", "FoundationNetworking", "Dispatch"]),
        "\(file.path)")
    }
  }

  @Test(
    """
    No module exports another one but the umbrella of an app, which has nothing of its own, the system's libraries, and \
    what makes services or providers of FlagServices
    """
  )
  func exportsNothing() throws {
    let attribute = "@_" + "exported"
    let makers =
      ["FlagMocks/MockLaunchDarkly", "FlagLaunchDarkly/Service/LaunchDarklyProvider"]
      + ["FlagRemote/OFREP/RemoteProvider+OFREP"]
    let umbrella = "Sources/FeatureFlags/FeatureFlags.swift"
    let library = "Sources/Internals/FlagSupport/CLibrary.swift"
    let foundation = "Sources/Internals/FlagFoundation/FlagFoundation.swift"
    // The modules that stand in for a system's export what these do.
    for file in try ["Sources", "Examples", "Tests"].flatMap(Repository.swiftFiles)
    where !file.path.hasPrefix("Tests/AppleTests/") && ![umbrella, library, foundation].contains(file.path) {
      let exported = try file.text.split(separator: "\n").filter { $0.contains(attribute) }
      let isMaker = makers.contains { file.path.hasSuffix("/\($0).swift") }
      #expect(exported == (isMaker ? ["\(attribute) public import FlagServices"] : []), "\(file.path)")
    }
    let lines = try SourceFile(path: umbrella).text.split(separator: "\n").filter { !$0.contains(/^(\/\/|#)/) }
    #expect(lines.allSatisfy { $0.drop { $0 == " " }.hasPrefix("\(attribute) public import Flag") })
  }

  @Test(
    "The whole of Foundation is imported where Apple's is meant, where its defaults are, and in no program of a user")
  func importsEssentials() throws {
    let wholes = [
      "Sources/FlagUserDefaults/", "Sources/Internals/FlagMacroExpansion/", "Sources/Tools/FlagBenchmarks/",
    ]
    for file in try Repository.swiftFiles(under: "Sources") where !wholes.contains(where: file.path.hasPrefix) {
      guard try !file.imports.isDisjoint(with: ["Foundation", "FoundationNetworking"]) else { continue }
      let isOurs = file.path.hasSuffix("/FlagFoundation.swift")
      let condition = try file.text.split(separator: "\n").first { $0.hasPrefix("#if ") } ?? ""
      #expect(isOurs || condition.contains(/canImport\((SwiftUI|Combine|Darwin)\)|!canImport\(Glibc\)/), "\(file.path)")
    }
  }

  @Test("Only the ground knows the name of the C library")
  func namesLibraryOnce() throws {
    let libraries: Set = ["Android", "Darwin", "Glibc", "Musl"]
    let naming = try Repository.swiftFiles(under: "Sources").filter { try !$0.imports.isDisjoint(with: libraries) }
    let names = naming.compactMap { $0.path.split(separator: "/").last }
    #expect(names.sorted() == ["CLibrary.swift", "Double+Functions.swift", "Locked.swift"])
  }

  @Test("The top level holds what the design says, and dotfiles")
  func keepsLayout() throws {
    let visible = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
      .filter { !$0.hasPrefix(".") && $0 != "Package.resolved" }
    #expect(Set(visible) == ["Package.swift", "README.md", "Sources", "Tests", "Docs", "Examples"])
  }

  @Test("Tests of a target are in a folder named after it, which lies in Tests as the target does in Sources")
  func keepsTestLayout() throws {
    let tests = try Repository.targetFolders("Tests")
    let sources = Set(try Repository.targetFolders("Sources"))
    let others = tests.filter { path in
      !sources.contains(path.replacing("Tests/", with: "Sources/", maxReplacements: 1).replacing(/Tests$/, with: ""))
    }
    #expect(
      Set(others) == [
        "Tests/AppleTests", "Tests/ArchitectureTests", "Tests/ExampleTests", "Tests/FeatureModuleTests",
        "Tests/GuideTests", "Tests/Support/HostileDocuments", "Tests/Support/TestSupport",
      ])
  }

  @Test("No file has a name that says nothing of what is in it", arguments: ["Sources", "Examples", "Tests"])
  func namesFiles(folder: String) throws {
    let empty = /(?i)(Utils?|Helpers?|Common|Misc|Extensions?|Placeholder)\.swift$/
    for file in try Repository.swiftFiles(under: folder) { #expect(!file.path.contains(empty), "\(file.path)") }
  }

  @Test(
    "No line of code or comment runs over 120 columns, but for text that is compared as a whole",
    arguments: ["Sources", "Examples", "Tests"])
  func keepsLinesShort(folder: String) throws {
    for file in try Repository.swiftFiles(under: folder) {
      var isText = false
      for line in try file.text.split(separator: "\n") {
        if line.utf8.contains(UInt8(ascii: "\"")), line.contains(/"""/) { isText.toggle() }
        #expect(line.utf8.count <= 120 || line.count <= 120 || isText || line.contains("\""), "\(file.path): \(line)")
      }
    }
  }

  @Test("No line of prose runs over 120 columns, but for tables and links")
  func keepsProseShort() throws {
    for path in try Repository.proseFiles() {
      let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") where !line.hasPrefix("|") && !line.contains("](") && !line.contains("``")
      {
        #expect(line.utf8.count <= 120 || line.count <= 120, "\(path): \(line)")
      }
    }
  }

  @Test("An import is written one way: what is not public is not marked", arguments: ["Sources", "Examples", "Tests"])
  func writesImportsOneWay(folder: String) throws {
    for file in try Repository.swiftFiles(under: folder) {
      #expect(try !file.text.contains(/(?m)^ *internal import/), "\(file.path)")
    }
  }

  @Test("Code for Apple's platforms is in whole files")
  func keepsAppleCodeApart() throws {
    for file in try Repository.swiftFiles(under: "Sources") {
      let lines = try file.text.split(separator: "\n")
      let conditions = ["SwiftUI", "Combine", "Security"].map { "#if canImport(\($0))" }
      guard lines.contains(where: { line in conditions.contains { line.hasPrefix($0) } }) else { continue }
      #expect(
        lines.first?.hasPrefix("#if canImport(") == true && lines.last?.hasPrefix("#endif") == true, "\(file.path)")
    }
  }
}

/// The modules of the package that one target may import.
struct Arrow: CustomTestStringConvertible, Sendable {
  let folder: String
  let allowed: Set<String>

  var target: String { folder.split(separator: "/").last.map(String.init) ?? folder }
  var testDescription: String { target }

  static let table = [
    Arrow("Sources/FlagDomain"),
    Arrow("Sources/FlagMacros", "FlagDomain"),
    Arrow(
      "Sources/FlagProviders", "FlagDefinitions", "FlagDomain", "FlagFiles", "FlagFoundation", "FlagJSON",
      "FlagSupport"),
    Arrow(
      "Sources/FlagUserDefaults", "FlagDomain", "FlagFiles", "FlagJSON", "FlagProviders", "FlagSupport"),
    Arrow("Sources/FlagMocks", "FlagDomain", "FlagJSON", "FlagProviders", "FlagServices"),
    Arrow("Sources/FlagComposition", "FlagDomain", "FlagFoundation", "FlagSupport", "FlagThreads"),
    Arrow(
      "Sources/FeatureFlags", "FlagComposition", "FlagDomain", "FlagMacros", "FlagProviders", "FlagUserDefaults"),
    Arrow("Sources/FlagSwiftUI", "FlagDomain"),
    Arrow("Sources/SettingsFlags", "FlagDomain"),
    Arrow("Sources/FeedFlags", "FlagDomain", "FlagMacros"),
    Arrow("Sources/Definitions/FlagDefinitions", "FlagDomain", "FlagJSON", "FlagSupport"),
    Arrow(
      "Sources/Definitions/FlagPublishing", "FlagDefinitions", "FlagDomain", "FlagFiles", "FlagFoundation", "FlagJSON",
      "FlagProviders", "FlagSupport"),
    Arrow("Sources/Definitions/FlagEditing", "FlagDefinitions", "FlagDomain", "FlagJSON", "FlagReview", "FlagSupport"),
    Arrow("Sources/Definitions/FlagReview", "FlagDefinitions", "FlagDomain", "FlagJSON", "FlagSupport"),
    Arrow(
      "Sources/Services/FlagServices", "FlagDomain", "FlagFiles", "FlagFoundation", "FlagJSON", "FlagProviders",
      "FlagSupport"),
    Arrow(
      "Sources/Services/FlagRemote", "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON",
      "FlagProviders", "FlagServices", "FlagSupport", "FlagTransport"),
    Arrow("Sources/Services/FlagServer", "FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagSupport"),
    Arrow(
      "Sources/Services/FlagFleet", "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON",
      "FlagProviders", "FlagPublishing", "FlagRemote", "FlagServices", "FlagSupport", "FlagTransport"),
    Arrow(
      "Sources/Services/FlagGrowthBook", "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON",
      "FlagPatterns", "FlagProviders", "FlagRemote", "FlagSupport"),
    Arrow(
      "Sources/Services/FlagLaunchDarkly", "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON",
      "FlagPatterns", "FlagProviders", "FlagRemote", "FlagServices", "FlagSupport"),
    Arrow("Sources/Console/FlagConsole", "FlagDomain", "FlagJSON", "FlagSupport"),
    Arrow(
      "Sources/Console/FlagConsoleEditor", "FlagConsole", "FlagDefinitions", "FlagDomain", "FlagEditing",
      "FlagFoundation", "FlagJSON", "FlagPublishing", "FlagReview", "FlagSupport"),
    Arrow(
      "Sources/Console/FlagConsoleWeb", "FlagConsole", "FlagConsoleEditor", "FlagDefinitions", "FlagDomain",
      "FlagEditing", "FlagHTTP", "FlagPublishing", "FlagReview", "FlagServer", "FlagSupport"),
    Arrow("Sources/Console/FlagConsoleUI", "FlagComposition", "FlagConsole", "FlagDomain", "FlagProviders"),
    Arrow("Sources/Experiments/FlagEvents", "FlagDomain", "FlagJSON", "FlagSupport"),
    Arrow(
      "Sources/Experiments/FlagTracking", "FlagDomain", "FlagEvents", "FlagFiles", "FlagFoundation", "FlagHTTP",
      "FlagJSON", "FlagSupport", "FlagTransport"),
    Arrow("Sources/Experiments/FlagStatistics"),
    Arrow(
      "Sources/Experiments/FlagAnalysis", "FlagDomain", "FlagEvents", "FlagFiles", "FlagFoundation", "FlagJSON",
      "FlagStatistics", "FlagSupport"),
    Arrow("Sources/Testing/FlagTesting", "FlagDomain"),
    Arrow("Sources/Testing/FlagDefinitionsTesting", "FlagDefinitions", "FlagDomain"),
    Arrow("Sources/Tools/flagctl", "FlagCLI"),
    Arrow(
      "Sources/Tools/FlagCLI", "FlagAnalysis", "FlagComposition", "FlagConsole", "FlagConsoleEditor", "FlagConsoleWeb",
      "FlagDefinitions", "FlagDomain", "FlagEditing", "FlagEvents", "FlagFiles", "FlagFleet", "FlagFoundation",
      "FlagGrowthBook", "FlagHTTP", "FlagJSON", "FlagLaunchDarkly", "FlagProviders", "FlagPublishing", "FlagRemote",
      "FlagReview", "FlagServer", "FlagServices", "FlagStatistics", "FlagSupport", "FlagSyntax"),
    Arrow(
      "Sources/Tools/FlagBenchmarks", "FeedFlags", "FlagComposition", "FlagCounters", "FlagDefinitions", "FlagDomain",
      "FlagFleet", "FlagGrowthBook", "FlagHTTP", "FlagLaunchDarkly", "FlagMacros", "FlagProviders", "FlagRemote",
      "FlagReview", "FlagServer", "FlagServices", "FlagSupport", "FlagTracking", "FlagTransport", "HostileDocuments"),
    Arrow("Sources/Internals/FlagSupport", "FlagDomain", "FlagThreads"),
    Arrow("Sources/Internals/FlagFoundation", "FlagSupport"),
    Arrow("Sources/Internals/FlagJSON", "FlagDomain"),
    Arrow("Sources/Internals/FlagFiles", "FlagDomain", "FlagFoundation", "FlagSupport"),
    Arrow("Sources/Internals/FlagHTTP", "FlagDomain", "FlagSupport"),
    Arrow("Sources/Internals/FlagTransport", "FlagCurl", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagSupport"),
    Arrow("Sources/Internals/FlagPatterns"),
    Arrow("Sources/Internals/FlagSyntax"),
    Arrow("Sources/Internals/FlagMacroExpansion", "FlagSyntax"),
    Arrow("Sources/Internals/FlagMacrosPlugin", "FlagMacroExpansion"),
    Arrow("Sources/Internals/C/FlagThreads"),
    Arrow("Sources/Internals/C/FlagCurl"),
    Arrow("Sources/Internals/C/FlagCounters"),
    Arrow("Examples/SignIn", "FlagDomain"),
    Arrow(
      "Examples/QuickStart", "FeatureFlags", "FeedFlags", "FlagDefinitions", "FlagDomain", "FlagGrowthBook", "FlagHTTP",
      "FlagLaunchDarkly", "FlagMocks", "FlagServer", "SettingsFlags", "SignIn"),
    Arrow("Examples/NewsApp", "FeatureFlags", "FeedFlags", "FlagRemote", "NewsReader", "SettingsFlags"),
    Arrow(
      "Examples/NewsReader", "FeatureFlags", "FeedFlags", "FlagConsole", "FlagConsoleUI", "FlagSwiftUI",
      "SettingsFlags", "SignIn"),
    Arrow("Examples/Experiment", "FeatureFlags", "FeedFlags", "FlagCLI", "FlagTracking", "SettingsFlags"),
  ]

  private init(_ folder: String, _ allowed: String...) {
    self.folder = folder
    self.allowed = Set(allowed)
  }
}
