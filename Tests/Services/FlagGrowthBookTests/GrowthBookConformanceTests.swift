import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders
import TestSupport
import Testing

@testable import FlagGrowthBook

@Suite("GrowthBook's own cases", .needs(.conformance(.growthBook)))
struct GrowthBookConformanceTests {
  @Test("Conditions hold as in GrowthBook's SDKs")
  func conditions() throws {
    try Cases.check("evalCondition") { parts in
      let rule: FlagValue = ["condition": parts[1], "force": true]
      let sections: FlagValue = [
        "features": ["feature": ["defaultValue": false, "rules": [rule]]],
        "savedGroups": parts.count > 4 ? parts[4] : [:],
      ]
      let document = try GrowthBookDocument(sections.json())
      let context = EvaluationContext(attributes: parts[2].fields ?? [:])
      do throws(FlagError) {
        return (try document.evaluate("feature", in: context, at: 0)?.value ?? .null, parts[3])
      } catch {
        // A condition that can never be evaluated, such as one with a pattern that is none, does not hold.
        guard error.code == .parseError else { throw error }
        return (false, parts[3])
      }
    }
  }

  @Test("Users have the same buckets")
  func hashes() throws {
    try Cases.check("hash") { parts in
      let hash = BucketHash(seed: parts[0].text ?? "", version: parts[2].wholeNumber ?? 0)
      return (hash.bucket(of: parts[1].text ?? "").map(FlagValue.double) ?? .null, parts[3])
    }
    try Cases.check("inNamespace") { parts in
      let namespace = parts[2].elements ?? []
      let range = try #require(FlagValue.array(Array(namespace[1...])).range)
      return (.bool(Namespace(namespace[0].text ?? "", range).contains(parts[1].text ?? "")), parts[3])
    }
  }

  @Test("Variations have the same ranges")
  func ranges() throws {
    try Cases.check("getBucketRange") { parts in
      let input = parts[1].elements ?? []
      let ranges = [BucketRange](
        input[0].wholeNumber ?? 0, coverage: input[1].number ?? 1, weights: input[2].numbers)
      return (.array(ranges.map { [.double($0.start), .double($0.end)] }), parts[2])
    }
    try Cases.check("getEqualWeights") { parts in
      (.array([BucketRange].equalWeights(parts[0].wholeNumber ?? 0).map(FlagValue.double)), parts[1])
    }
    try Cases.check("chooseVariation") { parts in
      let ranges = try (parts[2].elements ?? []).map { try #require($0.range) }
      return (.int(Int128(ranges.index(of: parts[1].number ?? 0) ?? -1)), parts[3])
    }
  }

  @Test("Texts are decrypted")
  func decrypting() throws {
    try Cases.check("decrypt") { parts in
      let text = EncryptedText.decrypt(parts[1].text ?? "", key: parts[2].text ?? "")
      return (text.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null, parts[3])
    }
  }

  @Test("Features have the same results", arguments: ["feature", "contextualBandit"])
  func features(section: String) throws {
    // The address of a page chooses no variation here.
    try Cases.check(section, except: ["querystring force overrides CB routing"]) { parts in
      let evaluation = try CaseEvaluation(parts[1])
      return (try evaluation.result(ofFeature: parts[2].text ?? ""), parts[3])
    }
  }

  @Test("Experiments have the same results")
  func experiments() throws {
    // These are of experiments that belong to no feature, which includes nobody here.
    let others = [
      "high forced variation", "run active experiments", "querystring force with inactive",
      "Works in QA mode if forced in experiment",
    ]
    try Cases.check("run", except: others) { parts in
      (try CaseEvaluation(parts[1], experiment: parts[2]).run(), .array(Array(parts[3...])))
    }
  }

  @Test("Users keep their variations")
  func stickyBuckets() throws {
    try Cases.check("stickyBucket") { parts in
      let store = InMemoryStickyBuckets()
      let documents = parts[2].elements ?? (parts[2].fields.map { Array($0.values) } ?? [])
      for document in documents { store.save(document) }
      for document in parts[1].fields?["stickyBucketAssignmentDocs"]?.fields?.values ?? [:].values {
        store.save(document)
      }
      let evaluation = try CaseEvaluation(parts[1], store: store)
      let result = try evaluation.result(ofFeature: parts[3].text ?? "")
      let attributes = parts[1].fields?["attributes"]?.fields ?? [:]
      return ([result.fields?["experimentResult"] ?? .null, store.documents(of: attributes)], [parts[4], parts[5]])
    }
  }
}

/// The cases of a section.
private enum Cases {
  private static let all = Result { try FlagValue(json: ConformanceSuite.growthBook.bytes("cases.json")) }

  /// Compares what a closure makes of each case with what the case expects; numbers may differ by rounding.
  static func check(
    _ section: String, except names: [String] = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ compare: ([FlagValue]) throws -> (found: FlagValue, expected: FlagValue)
  ) throws {
    let cases = try #require(all.get().fields?[section]?.elements, sourceLocation: sourceLocation)
    #expect(!cases.isEmpty, sourceLocation: sourceLocation)
    for (index, parts) in cases.enumerated() where !names.contains(parts.elements?.first?.text ?? "") {
      let comment = Comment(rawValue: "\(section) \(index): \(parts)")
      #expect(throws: Never.self, comment, sourceLocation: sourceLocation) {
        let (found, expected) = try compare(parts.elements ?? [])
        if !found.isClose(to: expected) {
          Issue.record("\(comment): expected \(expected), found \(found)", sourceLocation: sourceLocation)
        }
      }
    }
  }
}

extension FlagValue {
  /// Whether two values have the same shape, and numbers that are equal but for rounding.
  fileprivate func isClose(to other: FlagValue) -> Bool {
    switch (self, other) {
    case (.int, .int), (.int, .double), (.double, .int), (.double, .double):
      abs((number ?? 0) - (other.number ?? 0)) < 1e-7
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isClose(to: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count && left.allSatisfy { name, value in right[name].map { value.isClose(to: $0) } ?? false }
    default: self == other
    }
  }
}

extension InMemoryStickyBuckets {
  /// Adds a document as GrowthBook's SDKs store it.
  fileprivate func save(_ document: FlagValue) {
    guard let members = document.fields, let name = members["attributeName"]?.text,
      let value = members["attributeValue"]?.text
    else { return }
    save((members["assignments"]?.fields ?? [:]).compactMapValues(\.text), of: .init(attribute: name, value: value))
  }

  /// The documents of a user's attributes.
  fileprivate func documents(of attributes: [String: FlagValue]) -> FlagValue {
    let own = assignments.filter { unit, _ in attributes[unit.attribute]?.scalarText == unit.value }
    return .object(
      Dictionary(
        uniqueKeysWithValues: own.map { unit, assignments in
          let document: FlagValue = [
            "attributeName": .string(unit.attribute), "attributeValue": .string(unit.value),
            "assignments": .object(assignments.mapValues(FlagValue.string)),
          ]
          return (unit.description, document)
        }))
  }
}
