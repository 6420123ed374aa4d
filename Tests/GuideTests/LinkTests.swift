import Foundation
import Testing

@Suite("Links")
struct LinkTests {
  @Test("Every link of a page leads to a file, and to a heading of it")
  func leadsSomewhere() throws {
    for page in try Page.all(under: ["README.md", "Docs", ".github", "Sources", "Tests"]) {
      for link in page.links {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].isEmpty ? page.path : page.folder + parts[0]
        let file = Page.root.appending(path: path).standardizedFileURL
        #expect(FileManager.default.fileExists(atPath: file.path), "\(page.path): \(link)")
        guard parts.count == 2, file.pathExtension == "md" else { continue }
        #expect(
          try Page.anchors(of: String(contentsOf: file, encoding: .utf8)).contains(parts[1]), "\(page.path): \(link)")
      }
    }
  }

  @Test("Every guide that code names is there", arguments: ["Sources", "Tests", "Examples"])
  func isThere(folder: String) throws {
    for path in try Page.paths(under: folder) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: Page.root.appending(path: path), encoding: .utf8)
      for name in text.matches(of: /Docs\/\w+\.md/).map(\.output) {
        #expect(
          FileManager.default.fileExists(atPath: Page.root.appending(path: String(name)).path), "\(path): \(name)")
      }
    }
  }

  @Test("The README links every guide, once")
  func linksOnce() throws {
    let readme = try #require(Page.all(under: ["README.md"]).first)
    for guide in try Page.all(under: ["Docs", ".github"]) {
      #expect(readme.links.count { $0 == guide.path } == 1, "\(guide.path)")
    }
  }
}

/// A Markdown file of this package.
struct Page: Sendable {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

  let path: String
  let text: String

  /// The folder of the page, with a slash at the end; empty for the root.
  var folder: String { path.split(separator: "/").dropLast().map { "\($0)/" }.joined() }

  /// The targets of links that are no addresses.
  var links: [String] {
    text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
  }

  /// Returns the pages in folders, or of single paths.
  static func all(under places: [String]) throws -> [Page] {
    try places.flatMap { try $0.hasSuffix(".md") ? [$0] : paths(under: $0) }.filter { $0.hasSuffix(".md") }.map {
      path in
      Page(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }

  static func paths(under folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).map { "\(folder)/\($0)" }
  }

  /// Returns the anchors that forges make of the headings of a text.
  static func anchors(of text: String) -> Set<String> {
    Set(
      text.matches(of: /(?m)^#+ (.+)$/).map { heading in
        String(
          heading.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .map { $0 == " " ? "-" : $0 })
      })
  }
}
