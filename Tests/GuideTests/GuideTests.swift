import Foundation
import Testing

@Suite("Guides")
struct GuideTests {
  @Test(
    "Every block of Swift or JSON in a guide is part of a test that runs, whole and each language in order",
    arguments: TestedGuide.all)
  func isTested(guide: TestedGuide) {
    #expect(!Guide(guide.path).blocks(of: "swift").isEmpty)
    for language in guide.languages {
      var rest = guide.tests.flatMap { Guide("Tests/GuideTests/\($0).swift").text.lines }[...]
      for block in Guide(guide.path).blocks(of: language).map(\.lines) where !block.isManifest {
        guard let range = rest.firstRange(of: block) else {
          let text = block.joined(separator: "\n")
          Issue.record("\(guide.path): not in \(guide.tests), or not after the block before:\n\(text)")
          continue
        }
        rest = rest[range.upperBound...]
      }
    }
  }

  @Test("Every page with Swift is tested")
  func knowsPages() throws {
    let tested = Set(TestedGuide.all.map(\.path))
    for page in try Page.all(under: ["README.md", "Docs", "Sources"])
    where !Guide(page.path).blocks(of: "swift").isEmpty {
      #expect(tested.contains(page.path), "\(page.path)")
    }
  }
}

/// A page whose blocks are part of tests.
struct TestedGuide: CustomTestStringConvertible, Sendable {
  let path: String
  /// The files of tests that have the blocks, in order.
  let tests: [String]
  /// The languages whose blocks these files have; a test that reads the page itself covers the others.
  let languages: [String]

  var testDescription: String { path }

  static let all =
    [
      TestedGuide("README.md", "ReadmeGuide"),
      TestedGuide("Docs/GettingStarted.md", "GettingStartedGuide"),
      TestedGuide("Docs/DeclaringAndReading.md", "DeclaringGuide", "ReadingFlagsGuide"),
      TestedGuide("Docs/UsersAndServers.md", "UsersGuide", "ServersGuide"),
      TestedGuide("Docs/OverridesAndLaunchArguments.md", "OverridesGuide", "LaunchArgumentsGuide"),
      TestedGuide("Docs/Observing.md", "ObservingGuide", "PreviewsGuide"),
      TestedGuide(
        "Docs/Providers.md", "WritingAProviderGuide", "WrappersGuide", "FollowingFilesGuide", "OwnStoresGuide"),
      TestedGuide(
        "Docs/Vendors.md", "../Services/FlagServicesTests/Vendors/FirebaseAdapter",
        "../Services/FlagServicesTests/Vendors/ConfigCatAdapter",
        "../Services/FlagServicesTests/Vendors/LaunchDarklySDKAdapter",
        "../Services/FlagServicesTests/Vendors/OpenFeatureAdapter", "../Services/FlagServicesTests/Vendors/VendorTests"),
      TestedGuide("Docs/RemoteServicesAndServing.md", "RemoteServicesGuide", languages: ["swift"]),
      TestedGuide("Docs/DefinitionFormat.md", "ReviewingDefinitionsGuide", languages: ["swift"]),
      TestedGuide("Docs/Fleet.md", "FleetGuide"), TestedGuide("Docs/EmbeddingTheConsole.md", "ConsoleGuide"),
      TestedGuide("Docs/Experiments.md", "ExperimentsGuide", "PrivacyGuide"),
      TestedGuide("Docs/Testing.md", "TestingGuide"),
      TestedGuide(
        "Docs/Migrating.md", "FromEnumGuide", "FromRealFlagsGuide", "FromToggleUIGuide", "FromOverrideGuide",
        "FromMacroFeatureSetGuide", "FromFeatureFlagManagerGuide"),
      TestedGuide("Docs/Platforms.md", "PlatformsGuide"),
    ] + ModulePages.modules.map { TestedGuide(ModulePages.path(of: $0), "ModulePages") }

  private init(_ path: String, _ tests: String..., languages: [String] = ["swift", "json"]) {
    self.path = path
    self.tests = tests
    self.languages = languages
  }
}

/// A guide of this package.
struct Guide {
  let text: String

  init(_ path: String) {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    do {
      text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    } catch {
      text = ""
      Issue.record("expected the guide \(path), found \(error)")
    }
  }

  /// Returns the contents of the fenced blocks in a language, in order.
  func blocks(of language: String) -> [String] {
    text.components(separatedBy: "```").enumerated().compactMap { index, block in
      guard !index.isMultiple(of: 2), let end = block.firstIndex(of: "\n") else { return nil }
      return block[..<end] == language ? String(block[end...].dropFirst()) : nil
    }
  }
}

extension [String] {
  /// Whether the lines belong in a manifest, which no test has.
  fileprivate var isManifest: Bool { first == "let package = Package(" || first?.hasPrefix(".package(") == true }
}

extension String {
  /// The lines of a text that are code, without indentation, comments, imports and access.
  fileprivate var lines: [String] {
    split(separator: "\n")
      .map { line in
        let code = line.range(of: "// ").map { line[..<$0.lowerBound] } ?? line
        return (code.last == "/" ? code.dropLast() : code).replacingOccurrences(of: "public ", with: "")
          .replacingOccurrences(of: "private ", with: "").trimmingCharacters(in: .whitespaces)
      }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }
}
