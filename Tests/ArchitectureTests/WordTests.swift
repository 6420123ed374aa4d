import Foundation
import Testing

@Suite("Words")
struct WordTests {
  @Test("No source, page, message or guide has a phrase that readers would have to translate")
  func isPlain() throws {
    for file in try ["Sources", "Examples"].flatMap(Repository.sourceFiles) {
      #expect(Phrase.found(in: try file.text, among: Phrase.anywhere + Phrase.inCode) == [], "\(file.path)")
    }
    for path in try Repository.proseFiles() {
      #expect(Phrase.found(in: try SourceFile(path: path).text, among: Phrase.anywhere) == [], "\(path)")
    }
  }

  @Test("Each phrase is found where it is planted", arguments: Phrase.anywhere + Phrase.inCode)
  func findsPlanted(phrase: String) {
    let text = "let a = 1\n\(phrase.replacing(" ", with: "\n", maxReplacements: 1)) (\(phrase.uppercased()), b)"
    #expect(Phrase.found(in: text, among: Phrase.anywhere + Phrase.inCode).contains(phrase))
  }

  @Test("Plain words are not found", arguments: ["/// Somewhat told, somewhere.", "let isNewsletter = 0", ""])
  func passesPlain(text: String) {
    #expect(Phrase.found(in: text, among: Phrase.anywhere + Phrase.inCode) == [])
  }
}

/// Phrases in lower case, whose words stand between single spaces.
enum Phrase {
  static let anywhere = [
    "whoever", "is told", "are told", "told of", "hear of", "hears of", "that is none", "that are none",
    "which is none", "take along", "who says", "called so", "unless told", "told otherwise", "wants to be left",
    "gave up waiting", "leads nowhere", "flag browser", "flag browsers",
  ]

  /// A summary begins with a noun or a verb; "where" is not "if"; and names that the field does not have.
  static let inCode = [
    "/// what", "/// who", "/// how", "where there is", "where there are", "where it is",
    "where it has", "where it does", "where it can", "where none", "where nobody", "where nothing is", "objection",
    "objections",
    "patience", "isnews", "hasnews", "standingnow", "callwakeoff", "teller", "forgetfulstore", "telling",
  ]

  /// Returns the phrases that a text has, across its lines.
  static func found(in text: String, among phrases: [String]) -> Set<String> {
    let phrases = Dictionary(grouping: phrases.map { $0.split(separator: " ") }) { $0[0] }
    let words = text.lowercased().utf8.split(whereSeparator: { !isPart($0) }).map { Substring($0) }
    var found: Set<String> = []
    for (index, word) in words.enumerated() {
      for phrase in phrases[word, default: []] where words[index...].starts(with: phrase) {
        found.insert(phrase.joined(separator: " "))
      }
    }
    return found
  }

  /// Whether a byte is part of a word; three slashes are a word, too.
  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "'"): true
    default: false
    }
  }
}
