import TestSupport
import Testing

@testable import FlagEditing

@Suite("Parts of a document that are taken from another one")
struct TakingTests {
  /// A document with so many flags, each on a line of its own or all on one.
  private static func document(_ count: Int, on lines: Bool, _ state: (Int) -> String) -> [UInt8] {
    let (start, separator, end) = lines ? ("{\n  ", ",\n  ", "\n}") : ("{", ",", "}")
    let flags = (0..<count).map { #""f\#($0)": {"state": "\#(state($0))"}"# }
    return Array((#"{"flags": \#(start)"# + flags.joined(separator: separator) + "\(end)}").utf8)
  }

  @Test(
    "A change of 5,000 flags and another one's are merged in time proportional to the text", arguments: [true, false])
  func merges(onLines: Bool) throws {
    let (count, last) = (5_001, 5_000)
    func document(_ state: (Int) -> String) -> [UInt8] { Self.document(count, on: onLines, state) }
    let base = try DocumentSources(document { _ in "ENABLED" })
    let (mine, theirs) = (document { $0 == last ? "ENABLED" : "DISABLED" }, document { $0 == last ? "OFF" : "ENABLED" })
    var merged: [UInt8]?
    let time = try processorTime { merged = try base.merging(mine, into: theirs) }
    #expect(merged == document { $0 == last ? "OFF" : "DISABLED" })
    #expect(time < .seconds(Effort.isOptimized ? 1 : 10))
    #expect(try base.merging(document { _ in "DISABLED" }, into: theirs) == nil, "both changed one flag")
  }

  @Test("A part keeps its own lines, with the indentation of its new place")
  func indents() throws {
    let base = try DocumentSources(Array("{\"flags\": {\n    \"a\": {\"state\": 1},\n    \"b\": {\"state\": 1}}}".utf8))
    let mine = "{\"flags\": {\n  \"a\": {\n    \"state\": 2\n  },\n  \"b\": {\"state\": 1}}}"
    let theirs = "{\"flags\": {\n    \"a\": {\"state\": 1},\n    \"b\": {\"state\": 3}}}"
    let merged = try base.merging(Array(mine.utf8), into: Array(theirs.utf8))
    let text = merged.map { String(decoding: $0, as: UTF8.self) }
    #expect(text == "{\"flags\": {\n    \"a\": {\n      \"state\": 2\n    },\n    \"b\": {\"state\": 3}}}")
  }
}
