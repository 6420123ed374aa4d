import Foundation
import TestSupport
import Testing

@Suite("Rings of targets")
struct RingTests {
  /// The targets that stand in no ring: they run inside the compiler, or are what an app would have, or count.
  private static let outside: Set<String> = [
    "FlagMacrosPlugin", "FlagMacroExpansion", "SettingsFlags", "FeedFlags", "FlagCounters",
  ]

  @Test("Every target stands in one ring of the drawing, and imports of its own ring and those below it")
  func importsInward() throws {
    let rings = try Self.rings(in: "Docs/Architecture.md")
    for arrow in Arrow.table where arrow.folder.hasPrefix("Sources/") && !Self.outside.contains(arrow.target) {
      let ring = try #require(rings[arrow.target], "\(arrow.target) stands in no ring")
      for other in arrow.allowed.subtracting(Self.outside).subtracting(["HostileDocuments"]) {
        let below = try #require(rings[other], "\(other) stands in no ring")
        #expect(below <= ring, "\(arrow.target) of ring \(ring) imports \(other) of ring \(below)")
      }
    }
    #expect(Set(rings.keys).isSubset(of: Set(Arrow.table.map(\.target))))
  }

  @Test("The README draws the folders of the sources, and which targets are in each")
  func drawsLayout() throws {
    let text = try SourceFile(path: "README.md").text
    let drawing = text.components(separatedBy: "```").first { $0.hasPrefix("\nSources/") } ?? ""
    var (drawn, folder): (Set<String>, String) = ([], "")
    for line in drawing.split(separator: "\n") {
      if let match = line.firstMatch(of: #/^ *(\w+)/ /#) {
        let name = String(match.1)
        folder = name == "Sources" ? name : line.hasPrefix("    ") ? "\(folder)/\(name)" : "Sources/\(name)"
      }
      for name in line.matches(of: /\b(?:Flag|flag|Feature|Feed|Settings)\w+/) {
        drawn.insert("\(folder)/\(name.output)")
      }
    }
    #expect(drawn == Set(Arrow.table.map(\.folder).filter { $0.hasPrefix("Sources/") }))
  }

  /// Returns the number of the ring of each target, as the drawing in a document has them.
  private static func rings(in path: String) throws -> [String: Int] {
    let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    let drawing = text.components(separatedBy: "```").first { $0.hasPrefix("\n5 tools") } ?? ""
    var rings: [String: Int] = [:]
    var ring = 0
    for line in drawing.split(separator: "\n") {
      ring = line.first?.wholeNumberValue ?? ring
      for word in line.matches(of: /\b(?:Feature)?[Ff]lag\w+/) { rings[String(word.output)] = ring }
    }
    return rings
  }
}
