import Foundation
import Testing

@Suite("Guides")
struct GuideTests {
  @Test(
    "Every line of Swift in a guide stands in a test that runs",
    arguments: [
      ("README.md", "ReadmeGuide.swift"), ("Docs/Overrides.md", "OverridesGuide.swift"),
      ("Docs/Observing.md", "ObservingGuide.swift"), ("Docs/Testing.md", "TestingGuide.swift"),
      ("Docs/Declaring.md", "DeclaringGuide.swift"),
      ("Docs/Migrating/FromMacroFeatureSet.md", "FromMacroFeatureSetGuide.swift"),
      ("Docs/Migrating/FromRealFlags.md", "FromRealFlagsGuide.swift"),
      ("Docs/Migrating/FromToggleUI.md", "FromToggleUIGuide.swift"),
      ("Docs/Migrating/FromFeatureFlagManager.md", "FromFeatureFlagManagerGuide.swift"),
      ("Docs/Migrating/FromOverride.md", "FromOverrideGuide.swift"),
    ])
  func isTested(guide: String, test: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "../../\(guide)"), encoding: .utf8)
    let tested = Set(try lines(of: String(contentsOf: folder.appending(path: test), encoding: .utf8)))
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(!blocks.isEmpty)
    for line in blocks.flatMap(lines) where !line.hasPrefix("import ") && !line.hasPrefix(".package(") {
      #expect(tested.contains(line), "\(guide): \(line)")
    }
  }

  /// The lines of a text that are code, without indentation, comments and access.
  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { line in
      line.replacing(/\s*\/\/ .*$/, with: "").replacing("public ", with: "").trimmingCharacters(in: .whitespaces)
    }
    .filter { !$0.isEmpty }
  }
}
