import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import Testing

@Suite("Documents of names and values", .timeLimit(.minutes(5)))
struct PlainFormatTests {
  @Test("Each format meets the contract of every format", arguments: [PlainFormat.plainValues, .plainStrings])
  func meetsContract(format: PlainFormat) throws {
    try DefinitionFormatContract(format, document: #"{"on": true, "feed": {"size": 20}}"#, unreadable: "[]").check()
  }

  @Test("Each meets the contract of every provider", arguments: [PlainFormat.plainValues, .plainStrings])
  func meetsProviderContract(format: PlainFormat) async throws {
    let store = try InMemoryDefinitionStore(#"{"on": true, "feed": {"size": 20}, "feed.rank": "new"}"#, format: format)
    var contract = ProviderContract(
      DefinitionStoreProvider(store), present: ["on": true, "feed.size": 20, "feed.rank": "new"], absent: "off")
    contract.change = .init(to: ["on": false]) {
      store.set(#"{"on": false, "feed": {"size": 20}, "feed.rank": "new"}"#)
    }
    try await contract.check()
  }

  @Test("Values are of their flags' types, and texts are read as them, each error under its own key")
  func readsTypes() throws {
    let values = try Self.read(#"{"on": true, "size": 3, "name": "TRUE", "list": [1]}"#, .plainValues)
    #expect(values == ["true", "3", "TRUE", "[1]"])
    let texts = try Self.read(#"{"on": "1", "size": "3", "name": "TRUE", "list": "[1]"}"#, .plainStrings)
    #expect(texts == ["true", "3", "TRUE", "[1]"])
    for text in ["TRUE", "yes", "Yes", "true"] {
      #expect(try Self.read(#"{"on": "\#(text)"}"#, .plainStrings)[0] == "true")
    }
    #expect(throws: FlagError.self) { try Self.read(#"{"on": "1"}"#, .plainValues) }
    #expect(throws: FlagError.self) { try Self.read(#"{"on": "maybe"}"#, .plainStrings) }
    #expect(throws: FlagError.self) { try Self.read(#"{"size": "three"}"#, .plainStrings) }
  }

  @Test(
    "What is no object of names and values is an error with its place",
    arguments: [
      ("[1]", "1:1: error: $: expected an object of names and values, found an array"),
      ("{\"a\": 1,\n nope}", "2:2: error: $: expected"), ("", "1:1: error: $: expected"),
    ])
  func refuses(text: String, message: String) {
    let error = #expect(throws: FlagDocumentError.self) { try PlainFormat.plainValues.read(Array(text.utf8), of: nil) }
    #expect(error?.description.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// Returns the values of four flags, each as text; nothing for one that is not there.
  private static func read(_ text: String, _ format: PlainFormat) throws -> [String] {
    let snapshot = DefinitionStoreProvider(try InMemoryDefinitionStore(text, format: format)).snapshot()
    func read<Value: Decodable>(_ key: FlagKey, as type: Value.Type) throws -> String {
      guard let answer = try snapshot.answer(for: key, in: EvaluationContext()), let value = answer.value else {
        return ""
      }
      return "\(try value.decode(as: type, textReader: snapshot.textReader))"
    }
    return [
      try read("on", as: Bool.self), try read("size", as: Int.self), try read("name", as: String.self),
      try read("list", as: [Int].self),
    ]
  }
}
