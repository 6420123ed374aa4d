import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Experiments whose units keep their variants")
struct StickyExperimentTests {
  private let store = InMemoryStickyBuckets()
  private let users = (0..<100).map {
    EvaluationContext(user: FlagUser(id: "user-\($0)", attributes: ["plan": "free"]))
  }

  private func document(
    control: Int, treatment: Int, metadata: String = #""sticky": true, "experiment": true"#,
    variants: String = #""control": 1, "treatment": 2"#, rule: String = "%"
  ) throws -> any DefinitionDocument {
    let split = #"{"fractional": [["control", \#(control)], ["treatment", \#(treatment)]]}"#
    let text = """
      {"flags": {"f": {"state": "ENABLED", "variants": {\(variants)}, "defaultVariant": null,
        "targeting": \(rule.replacing("%", with: split)), "metadata": {\(metadata)}}}}
      """
    return try InHouseFormat.inHouse(stickyBuckets: store).read(Array(text.utf8), of: nil)
  }

  private func outcomes(
    of document: any DefinitionDocument, for users: some Collection<EvaluationContext>
  ) throws -> Set<String> {
    Set(
      try users.map { user in
        let answer = try document.evaluate("f", in: user, at: 0)
        let again = try document.evaluate("f" as FlagKey, in: user, at: 0, now: { 0 })
        #expect(again == answer)
        return "\(answer?.variant ?? "-") \(answer?.value ?? .null) \(answer?.reason.rawValue ?? "-")"
      })
  }

  @Test("New weights move nobody who was assigned, and count for all others")
  func keepsVariants() throws {
    let before = try document(control: 1, treatment: 0), after = try document(control: 0, treatment: 1)
    #expect(try outcomes(of: before, for: users[..<50]) == ["control 1 SPLIT"])
    #expect(try outcomes(of: after, for: users[..<50]) == ["control 1 SPLIT"])
    #expect(try outcomes(of: after, for: users[50...]) == ["treatment 2 SPLIT"])
    #expect(store.assignments.count == 100)
    let unit = StickyBucketUnit(attribute: "targetingKey", value: "user-7")
    #expect(store.assignments(of: unit) == ["f__0": "control"])
    store.remove(["f__0"], of: unit)
    #expect(try outcomes(of: after, for: [users[7]]) == ["treatment 2 SPLIT"])
  }

  @Test("A value that changes is the variant's, and a kept variant that is gone is assigned anew")
  func endsWithVariants() throws {
    _ = try outcomes(of: document(control: 1, treatment: 0), for: users)
    let changed = try document(control: 0, treatment: 1, variants: #""control": 7, "treatment": 2"#)
    #expect(try outcomes(of: changed, for: users) == ["control 7 SPLIT"])
    let gone = try document(control: 0, treatment: 1, variants: #""treatment": 2"#)
    #expect(try outcomes(of: gone, for: users) == ["treatment 2 SPLIT"])
    #expect(try outcomes(of: document(control: 1, treatment: 0), for: users) == ["treatment 2 SPLIT"])
  }

  @Test(
    "It ends with the experiment, its stickiness, its version, and the part of the rule that splits",
    arguments: [
      (#""sticky": true"#, "%", "treatment 2 TARGETING_MATCH"),
      (#""experiment": true"#, "%", "treatment 2 TARGETING_MATCH"),
      (#""experiment": true, "sticky": false"#, "%", "treatment 2 TARGETING_MATCH"),
      (#""experiment": true, "sticky": "yes"#, "%", "treatment 2 TARGETING_MATCH"),
      (#""experiment": true, "sticky": 2"#, "%", "treatment 2 SPLIT"),
      (
        #""experiment": true, "sticky": true"#, #"{"if": [{"==": [{"var": "plan"}, "free"]}, "treatment", %]}"#,
        "treatment 2 TARGETING_MATCH"
      ),
      (
        #""experiment": true, "sticky": true"#, #"{"if": [{"==": [{"var": "plan"}, "paid"]}, %, null]}"#,
        "- null DEFAULT"
      ),
    ])
  func ends(metadata: String, rule: String, outcome: String) throws {
    _ = try outcomes(of: document(control: 1, treatment: 0), for: users)
    let metadata = metadata.hasSuffix(#""yes"#) ? metadata + "\"" : metadata
    let after = try document(control: 0, treatment: 1, metadata: metadata, rule: rule)
    #expect(try outcomes(of: after, for: users) == [outcome])
  }

  @Test("The unit is the one that the experiment counts, and without one nothing is kept")
  func keepsForUnits() throws {
    let metadata = #""sticky": true, "experiment": true, "unitAttribute": "company""#
    let before = try document(control: 1, treatment: 0, metadata: metadata)
    let after = try document(control: 0, treatment: 1, metadata: metadata)
    let colleagues = ["ann", "ben"].map { EvaluationContext(user: FlagUser(id: $0, attributes: ["company": "acme"])) }
    #expect(try outcomes(of: before, for: colleagues[..<1]) == ["control 1 SPLIT"])
    #expect(try outcomes(of: after, for: colleagues) == ["control 1 SPLIT"])
    #expect(try outcomes(of: before, for: users) == ["control 1 SPLIT"])
    #expect(try outcomes(of: after, for: users) == ["treatment 2 SPLIT"])
    #expect(Array(store.assignments.keys) == [StickyBucketUnit(attribute: "company", value: "acme")])
  }

  @Test("An explanation shows the kept variant, and assigns nobody")
  func explains() throws {
    let before = try document(control: 1, treatment: 0), after = try document(control: 0, treatment: 1)
    #expect(before.explain("f", in: users[0], at: 0).answer?.variant == "control" && store.assignments.isEmpty)
    _ = try outcomes(of: before, for: users[..<1])
    let answer = after.explain("f", in: users[0], at: 0).answer
    #expect(answer?.variant == "control" && answer?.value == 1 && answer?.reason == .split)
  }

  @Test("Merged documents, parts of documents and the format of both have the store")
  func keepsStore() throws {
    let format = InHouseFormat.inHouse(stickyBuckets: store)
    let before = try document(control: 1, treatment: 0), after = try document(control: 0, treatment: 1)
    _ = try outcomes(of: before, for: users)
    #expect(try outcomes(of: after.excerpt(of: ["f"]), for: users) == ["control 1 SPLIT"])
    #expect(format.isEqual(to: after.format) && format.isEqual(to: after.excerpt(of: ["f"]).format))
    #expect(format != .inHouse && format != .inHouse(stickyBuckets: InMemoryStickyBuckets()))
    let text =
      #"{"flags": {"f": {"state": "ENABLED", "variants": {"control": 1, "treatment": 2}, "defaultVariant": null, "#
      + #""targeting": {"fractional": [["treatment", 1]]}, "metadata": {"sticky": true, "experiment": true}}}}"#
    let parts = try [#"{"flags": {}}"#, text].map { try StoredDefinitions(parsing: Array($0.utf8)) }
    #expect(
      try outcomes(of: StoredDefinitions(merging: parts, format: format).document, for: users) == ["control 1 SPLIT"])
    #expect(
      try outcomes(of: StoredDefinitions(merging: [parts[1]], format: format).document, for: users) == [
        "control 1 SPLIT"
      ])
  }
}
