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
  ///
  /// All words stand between single spaces in one array of bytes, in which a phrase is looked for by its first letters.
  static func found(in text: String, among phrases: [String]) -> Set<String> {
    let space = UInt8(ascii: " ")
    var words: [UInt8] = [space]
    for byte in text.utf8 {
      if let letter = letter(byte) { words.append(letter) } else if words.last != space { words.append(space) }
    }
    words.append(space)
    func start(_ letters: some RandomAccessCollection<UInt8>) -> [UInt8] { Array(letters.prefix(2)) }
    let spaced: [[UInt8]] = phrases.map { Array(" \($0) ".utf8) }
    let starts = Dictionary(grouping: spaced) { start($0.dropFirst()) }
    var found: Set<String> = []
    for index in words.indices.dropLast(3) where words[index] == space {
      for phrase in starts[start(words[(index + 1)...]), default: []] where words[index...].starts(with: phrase) {
        found.insert(String(decoding: phrase.dropFirst().dropLast(), as: UTF8.self))
      }
    }
    return found
  }

  /// Returns a byte of a word in lower case, or nil; three slashes are a word, too.
  private static func letter(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
    case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "'"): byte
    default: nil
    }
  }
}
