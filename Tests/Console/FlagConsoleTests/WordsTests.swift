import FlagDomain
import Foundation
import Testing

@testable import FlagConsole

/// The table of words that an app copies in order to translate the console's views.
@Suite("Words for translators")
struct WordsTests {
  @Test("The table has each word of the views and of what they show, and no other")
  func tableIsComplete() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    struct Table: Decodable {
      struct Entry: Decodable {}
      let strings: [String: Entry]
    }
    let data = try Data(contentsOf: root.appending(path: "Docs/FlagConsole.xcstrings"))
    let words = try Set(JSONDecoder().decode(Table.self, from: data).strings.keys)

    let views = try Self.code(in: root.appending(path: "Sources/Console/FlagConsoleUI"))
    let shown = views.matches(of: #/"((?:\\\(list\.total\)|[A-Z])(?:\\\([^)]*\)|[^"\\])*)"/#).map {
      String($0.output.1).replacing(#/\\\(list\.total\)/#, with: "%lld").replacing(#/\\\([^)]*\)/#, with: "%@")
    }
    #expect(shown.count > 40)
    let questions = [FlagQuestion.restart, .clearing(1, someAfterRestart: false)]
    let titles =
      FlagQuery.Filter.allCases.map(\.title) + FlagQuery.Order.allCases.map(\.title) + FlagTag.allCases.map(\.title)
      + questions.flatMap { [$0.title, $0.confirmation] }
    #expect(Set(shown + titles).subtracting(words).sorted() == [])

    let code = try views + Self.code(in: root.appending(path: "Sources/Console/FlagConsole"))
    #expect(words.filter { !$0.contains("%") && !code.contains("\"\($0)\"") }.sorted() == [])
  }

  private static func code(in folder: URL) throws -> String {
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }
}
