import Foundation
import Testing

@Suite("Guides")
struct GuideTests {
  @Test(
    "Every block of Swift or JSON in a guide is part of a test that runs, whole and each language in order",
    arguments: [
      ("README.md", "ReadmeGuide.swift"), ("Docs/Overrides.md", "OverridesGuide.swift"),
      ("Docs/Observing.md", "ObservingGuide.swift"), ("Docs/Testing.md", "TestingGuide.swift"),
      ("Docs/Declaring.md", "DeclaringGuide.swift"), ("Docs/ReadingFlags.md", "ReadingFlagsGuide.swift"),
      ("Docs/Servers.md", "ServersGuide.swift"), ("Docs/Previews.md", "PreviewsGuide.swift"),
      ("Docs/Users.md", "UsersGuide.swift"), ("Docs/LaunchArguments.md", "LaunchArgumentsGuide.swift"),
      ("Docs/FollowingFiles.md", "FollowingFilesGuide.swift"),
      ("Docs/Console.md", "ConsoleGuide.swift"), ("Docs/ApplePlatforms.md", "ApplePlatformsGuide.swift"),
      ("Docs/ReviewingDefinitions.md", "ReviewingDefinitionsGuide.swift"),
      ("Docs/RemoteServices.md", "RemoteServicesGuide.swift"),
      ("Docs/Experiments.md", "ExperimentsGuide.swift"), ("Docs/Privacy.md", "PrivacyGuide.swift"),
      ("Docs/WritingAProvider.md", "WritingAProviderGuide.swift"), ("Docs/Wrappers.md", "WrappersGuide.swift"),
      ("Docs/Migrating/FromMacroFeatureSet.md", "FromMacroFeatureSetGuide.swift"),
      ("Docs/Migrating/FromRealFlags.md", "FromRealFlagsGuide.swift"),
      ("Docs/Migrating/FromToggleUI.md", "FromToggleUIGuide.swift"),
      ("Docs/Migrating/FromFeatureFlagManager.md", "FromFeatureFlagManagerGuide.swift"),
      ("Docs/Migrating/FromOverride.md", "FromOverrideGuide.swift"),
    ])
  func isTested(guide: String, test: String) {
    #expect(!Guide(guide).blocks(of: "swift").isEmpty)
    for language in ["swift", "json"] {
      var rest = Guide("Tests/GuideTests/\(test)").text.lines[...]
      for block in Guide(guide).blocks(of: language).map(\.lines) where block.first != "let package = Package(" {
        guard let range = rest.firstRange(of: block) else {
          Issue.record("\(guide): not in \(test), or not after the block before:\n\(block.joined(separator: "\n"))")
          continue
        }
        rest = rest[range.upperBound...]
      }
    }
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

extension String {
  /// The lines of a text that are code, without indentation, comments, imports and access.
  fileprivate var lines: [String] {
    split(separator: "\n")
      .map { line in
        line.replacing(#/\s*///? .*$/#, with: "").replacing(#/\b(public|private) /#, with: "")
          .trimmingCharacters(in: .whitespaces)
      }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }
}
