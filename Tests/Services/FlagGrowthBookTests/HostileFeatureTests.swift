import FlagDomain
import FlagGrowthBook
import TestSupport
import Testing

@Suite("Features that need as much as they can")
struct HostileFeatureTests {
  /// A document with the feature "f", and the start of its message; nothing if it has a value.
  struct Document: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let message: String

    init(_ name: String, _ text: String, _ message: String = "") {
      (testDescription, self.text, self.message) = (name, text, message)
    }
  }

  private static let documents =
    [
      Document(
        "conditions in each other", feature(#"{"condition": \#(nested(120)), "force": 1}"#), "$.features.f.rules[0]"),
      Document("conditions as deep as they may be", feature(#"{"condition": \#(nested(22)), "force": 1}"#)),
      Document("saved groups as deep as they may be", groups(of: 2)),
      Document("a chain of saved groups", groups(of: 5_000), "saved groups need each other"),
      Document("a long cycle", chain(of: 100, last: "f"), "prerequisites depend on each other"),
      Document("a short cycle", chain(of: 5, last: "f"), "the feature is a prerequisite of itself"),
      Document("a chain of 5,000", chain(of: 5_000, last: "none"), "prerequisites depend on each other"),
      Document(
        "patterns that look through a long text",
        feature(copies(200, #"{"condition": {"long": {"$regex": "(x+x+)+y"}}, "force": 1}"#)), "the rules take more"),
      Document(
        "5,000 rules of which the last one holds",
        feature(copies(4_999, #"{"condition": {"id": {"$in": ["a", "b"]}}, "force": 1}"#) + #", {"force": 2}"#)),
      Document(
        "numbers of any size",
        feature(
          #"{"variations": [1, 2], "hashVersion": 1e300, "coverage": -1e300, "weights": [1e308, 1e308], "#
            + #""bucketVersion": 1e300, "minBucketVersion": 1e300, "ranges": [[1e300, -1e300]]}, {"force": 1}"#)),
    ] + (Effort.isThorough ? largest : [])

  /// Documents that take seconds without optimization.
  private static let largest = [
    Document("a tree of 2 to the power of 20", chain(of: 20, last: "none", copies: 2), "the rules take more than"),
    Document(
      "5,000 looks at each of many elements",
      feature(copies(5_000, #"{"condition": {"many": {"$elemMatch": {"$gt": 5000}}}, "force": 1}"#)),
      "the rules take more"),
    Document("100,000 variations", feature(#"{"variations": [\#(copies(100_000, "1"))]}"#)),
    Document(
      "a list of 100,000", feature(#"{"condition": {"id": {"$in": [\#(list(100_000))]}}, "force": 1}, {"force": 2}"#)),
  ]

  @Test("Loading, evaluating and taking what a feature needs ends soon, on a small stack", arguments: documents)
  func ends(document: Document) async throws {
    let bytes = Array(document.text.utf8)
    let found = try await SmallStack.run {
      var message = ""
      let time = try processorTime {
        let document = try GrowthBookDocument(bytes)
        _ = document.attributes(of: "f")
        _ = document.excerpt(of: document.brokenKeys.union(["f"]))
        do throws(FlagError) {
          _ = try document.evaluate("f", in: Self.context, at: 0)
        } catch {
          message = error.message
        }
      }
      return (message, time)
    }
    let message = document.message
    #expect(message.isEmpty ? found.0.isEmpty : found.0.hasPrefix(message), "\(found.0)")
    #expect(found.1 < .seconds(Effort.isOptimized ? 1 : 20))
  }

  private static let context = EvaluationContext(
    user: FlagUser(id: "u"),
    attributes: [
      "long": .string(String(repeating: "x", count: 20_000)), "many": .array((0..<1_000).map { .int(Int128($0)) }),
    ])

  private static func feature(_ rules: String) -> String { #"{"features": {"f": {"rules": [\#(rules)]}}}"# }

  private static func copies(_ count: Int, _ text: String) -> String {
    Array(repeating: text, count: count).joined(separator: ", ")
  }

  private static func list(_ count: Int) -> String { (0..<count).map { "\"id-\($0)\"" }.joined(separator: ", ") }

  private static func nested(_ count: Int, _ inner: String = #"{"id": "u"}"#) -> String {
    String(repeating: #"{"$not": "#, count: count) + inner + String(repeating: "}", count: count)
  }

  /// Saved groups that each need the next one, so many.
  private static func groups(of count: Int) -> String {
    let groups = (0..<count).map { number in
      let inner = number + 1 < count ? #"{"$savedGroup": {"id": "g\#(number + 1)"}}"# : #"{"id": "u"}"#
      return #""g\#(number)": {"type": "condition", "condition": \#(nested(48, inner))}"#
    }
    return feature(#"{"condition": {"$savedGroup": {"id": "g0"}}, "force": 1}"#).dropLast()
      + #", "savedGroups": {\#(groups.joined(separator: ", "))}}"#
  }

  /// Features that are each a prerequisite of the one before, so often; the last one depends on another.
  private static func chain(of count: Int, last: String, copies: Int = 1) -> String {
    let features = (0..<count).map { number in
      let next = number + 1 < count ? "f\(number + 1)" : last
      let parent = #"{"id": "\#(next)", "condition": {"value": null}}"#
      return #""\#(number == 0 ? "f" : "f\(number)")": {"rules": [{"parentConditions": "#
        + #"[\#(self.copies(copies, parent))], "force": null}]}"#
    }
    return #"{"features": {\#(features.joined(separator: ", "))}}"#
  }
}
