import Foundation
import Testing

@Suite("Language of guides")
struct LanguageTests {
  @Test("Guides say who does what", arguments: ["whoever", "is told", "are told", "hears of", "unless told"])
  func isPlain(words: String) throws {
    for page in try Page.all(under: ["README.md", "Docs", ".github", "Sources"]) {
      // Output of commands is shown as it is.
      let prose = page.text.components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
      #expect(!prose.contains { $0.element.lowercased().contains(words) }, "\(page.path)")
    }
  }

  @Test("A heading names a thing or an action")
  func namesThings() throws {
    for page in try Page.all(under: ["README.md", "Docs", ".github"]) where page.path != "README.md" {
      #expect(page.text.firstMatch(of: /(?m)^#+ (What|Who|Whom)\b.*$/) == nil, "\(page.path)")
    }
  }
}
