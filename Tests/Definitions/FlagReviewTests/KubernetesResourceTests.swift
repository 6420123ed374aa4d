import FlagDefinitions
import FlagDomain
import FlagReview
import Testing

@Suite("A resource of Kubernetes with a document inside")
struct KubernetesResourceTests {
  private static func resource(_ document: String) -> [UInt8] {
    let text = #"""
      {"apiVersion": "core.openfeature.dev/v1beta1", "kind": "FeatureFlag",
       "metadata": {"name": "größe", "labels": {"app": "shop"}, "generation": null},
       "spec": {"flagSpec": \#(document)}}
      """#
    return Array(text.utf8)
  }

  private static func document(_ rule: String, more: String = "") -> String {
    #"""
    {"flags": {"a": {"state": "ENABLED", "variants": {"x": 7, "y": 8}, "defaultVariant": "x", "targeting": \#(rule)}\#(more)},
     "$evaluators": {"es": {"==": [{"var": "countryCode"}, "es"]}}, "metadata": {"owner": "me"}}
    """#
  }

  @Test("It is read as the document, and its own metadata are none of the document's")
  func reads() throws {
    let text = Self.resource(Self.document(#"{"if": [{"$ref": "es"}, "y", "x"]}"#))
    #expect(FlagDocument.diagnostics(in: text) == [])
    let document = try FlagDocument(parsing: text)
    #expect(document.diagnostics == [] && document.metadata(of: "a") == ["owner": "me"])
    let context = EvaluationContext(user: FlagUser(id: "ann", countryCode: "es"))
    #expect(try document.evaluate("a", in: context, at: 0)?.value == 8)
  }

  @Test("Diagnostics have the whole path, and the place in the whole text")
  func locates() throws {
    let text = Self.resource(
      Self.document(#"{"fractionalEvaluation": [["x", 1]]}"#, more: #", "b": 7, "p\#u{430}y": 8"#))
    let found = FlagDocument.diagnostics(in: text)
    #expect(
      found.map { "\($0)" }.prefix(2) == [
        "3:126: error: $.spec.flagSpec.flags.a.targeting: expected an operator, found the string "
          + #""fractionalEvaluation": use fractional"#,
        "3:170: error: $.spec.flagSpec.flags.b: expected an object with a flag's \"state\" and \"variants\", "
          + "found the integer 7",
      ], "\(found)")
    #expect(found.contains { $0.severity == .warning && $0.path.hasPrefix("$.spec.flagSpec.flags.p") })
    #expect(found.compactMap(\.flag).contains("a"))
    let loaded = try FlagDocument(parsing: text).diagnostics
    #expect(loaded.contains { $0.path == "$.spec.flagSpec.flags.a.targeting" && $0.message.contains("use fractional") })
    let reason = #expect(throws: FlagError.self) {
      try FlagDocument(parsing: text).evaluate("b", in: EvaluationContext(), at: 0)
    }
    #expect(reason?.message.hasPrefix("$.spec.flagSpec.flags.b: expected an object") == true, "\(reason as Any)")
    let plain = Self.document(#"{"fractionalEvaluation": [["x", 1]]}"#, more: #", "b": 7, "p\#u{430}y": 8"#)
    #expect(try FlagDocument(parsing: text).changedKeys(from: FlagDocument(parsing: Array(plain.utf8))) == [])
    let broken = Self.resource("[]")
    #expect(throws: FlagDocumentError.self) { try FlagDocument(parsing: broken) }
    let error = #expect(throws: FlagDocumentError.self) { try FlagDocument(parsing: text.dropLast()) }
    #expect(error?.diagnostics.map(\.path) == ["$"])
  }

  @Test(
    "One without a document inside is refused by its kind",
    arguments: [
      (#"{"apiVersion": "v1", "kind": "ConfigMap", "data": {}}"#, "ConfigMap", ""),
      (#"{"kind": "FeatureFlag", "apiVersion": "v1beta1", "spec": {"flagSpec": 5}}"#, "FeatureFlag", ""),
      (
        #"{"apiVersion": "v1", "kind": "List", "items": []}"#, "List",
        ": take one of its items, such as by jq .items[0]"
      ),
    ])
  func refuses(text: String, kind: String, advice: String) {
    let error = #expect(throws: FlagDocumentError.self) { try FlagDocument(parsing: Array(text.utf8)) }
    let words = "expected a resource of the kind FeatureFlag with the document at spec.flagSpec, found one of the kind"
    #expect(error?.diagnostics.map(\.message) == ["\(words) \"\(kind)\" without it\(advice)"])
  }

  @Test("It is merged with documents, and compared with them")
  func merges() throws {
    let inside = Self.document("null")
    let (resource, plain) = try (
      StoredDefinitions(parsing: Self.resource(inside)), StoredDefinitions(parsing: Array(inside.utf8))
    )
    let other = try StoredDefinitions(
      parsing: Array(#"{"flags": {"c": {"state": "DISABLED", "variants": {"x": 1}}}}"#.utf8))
    let merged = try StoredDefinitions(merging: [resource, other])
    #expect(merged.document.keys.sorted() == ["a", "c"])
    #expect(try DefinitionComparison(from: resource, to: plain).changedKeys == [])
    let ruled = try StoredDefinitions(parsing: Self.resource(Self.document(#"{"if": [true, "y"]}"#)))
    let comparison = try DefinitionComparison(from: ruled, to: plain)
    #expect(comparison.changedKeys == ["a"] && comparison.differences(of: "a") == [.rule])
    #expect(comparison.rules(of: "a").old == ["if": [true, "y"]])
  }
}
