import FlagDefinitions
import FlagDomain
import FlagReview
import TestSupport
import Testing

@Suite("Manifests of the flags that code declares")
struct FlagManifestTests {
  private enum Theme: String, CaseIterable, Codable { case light, dark }

  private static let catalog = FlagCatalog("app") {
    Flag("a.on", default: false, FlagMetadata("Switches it on.", owner: "me", expires: "2027-01-31"))
    Flag("a.size", default: UInt8(20), "Posts on a page.")
    FlagCatalog("b") {
      Flag("b.theme", default: Theme.light, "")
      Flag("b.ratio", default: 0.5, "")
      Flag("b.limit", default: Int?.none, "")
      Flag("b.countries", default: ["es"], "")
      Flag("b.labels", default: ["a": "b"], "")
    }
  }

  @Test("A catalog is written as a manifest of the OpenFeature CLI, and more")
  func writes() throws {
    let text = try FlagCatalog.manifest(of: [Self.catalog])
    #expect(
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined().replacing(": ", with: ":") == """
        {"flags":{"a.on":{"defaultValue":false,"description":"Switches it on.","expires":"2027-01-31",\
        "flagType":"boolean","owner":"me","type":"boolean"},\
        "a.size":{"defaultValue":20,"description":"Posts on a page.","flagType":"integer","maximum":255,"minimum":0,\
        "type":"integer"},\
        "b.countries":{"defaultValue":["es"],"flagType":"object","type":"array"},\
        "b.labels":{"defaultValue":{"a":"b"},"flagType":"object","type":"object"},\
        "b.limit":{"defaultValue":null,"flagType":"object","isOptional":true,"maximum":9223372036854775807,\
        "minimum":-9223372036854775808,"type":"integer"},\
        "b.ratio":{"defaultValue":0.5,"flagType":"float","type":"number"},\
        "b.theme":{"choices":["light","dark"],"defaultValue":"light","flagType":"string","type":"string"}},"version":1}
        """)
    #expect(try FlagManifest(parsing: Array(text.utf8)) == FlagManifest(of: [Self.catalog]))
  }

  @Test("A manifest gives every field of each declaration back, and tells declarations apart by each")
  func readsBack() throws {
    let flag = Flag(
      "every-field", default: Tier?.some(.pro), FlagMetadata("The tier.", owner: "me", expires: "2027-01-31"))
    let manifest = try FlagManifest(of: [FlagCatalog("app", items: [.flag(flag)])])
    expectEveryField(of: manifest)
    let text = try FlagCatalog.manifest(of: [FlagCatalog("app", items: [.flag(flag)])])
    expectSameFields(try FlagManifest(parsing: Array(text.utf8)), manifest)
  }

  private enum Tier: Int, CaseIterable, Codable { case free = 1, pro }

  @Test("Two flags of one key make no manifest")
  func refusesDuplicates() throws {
    #expect(throws: FlagError(.general, "2 flags share the key k: app > k, app > k")) {
      try FlagCatalog.manifest(of: [
        FlagCatalog("app") {
          Flag("k", default: 1, ""); Flag("k", default: 2, "")
        }
      ])
    }
  }

  @Test("A manifest of the OpenFeature CLI is read")
  func readsForeign() throws {
    let manifest = try FlagManifest(
      parsing: Array(
        #"""
        {"$schema": "x", "flags": {"b": {"flagType": "boolean", "defaultValue": true, "description": "B."},
         "f": {"flagType": "float", "defaultValue": 1}, "o": {"flagType": "object", "defaultValue": {"a": 1}}}}
        """#.utf8))
    #expect(manifest.entries.map(\.key) == ["b", "f", "o"])
    #expect(manifest.entries.map(\.kind) == [.boolean, .number, .object])
    #expect(manifest.entries.map(\.description) == ["B.", "", ""])
  }

  @Test(
    "A manifest that cannot be read is an error that says where and what was expected",
    arguments: [
      ("[]", "line 1, column 1: $: expected an object with \"flags\", found an empty array"),
      ("{\n}", "line 1, column 1: $.flags: expected an object with a member for each flag, found nothing"),
      (#"{"version": 2, "flags": {}}"#, "line 1, column 13: $.version: expected 1, found the integer 2"),
      (#"{"flags": {"a": 1}}"#, "line 1, column 17: $.flags.a: expected an object, found the integer 1"),
      (
        #"{"flags": {"a": {"flagType": "bool"}}}"#,
        "line 1, column 30: $.flags.a.flagType: expected boolean, string, integer, float or object, found the string "
          + #""bool""#
      ),
      (
        #"{"flags": {"a": {"flagType": "string"}}}"#,
        "line 1, column 17: $.flags.a.defaultValue: expected the default in the code, found nothing"
      ),
      (
        #"{"flags": {"a": {"flagType": "string", "defaultValue": 1}}}"#,
        "line 1, column 56: $.flags.a.defaultValue: expected string, found the integer 1"
      ),
      (
        #"{"flags": {"a": {"flagType": "string", "defaultValue": "", "expires": "soon"}}}"#,
        "line 1, column 71: $.flags.a.expires: expected a day such as \"2027-01-31\", found the string \"soon\""
      ),
    ])
  func refuses(text: String, message: String) {
    #expect(throws: FlagError(.parseError, message)) { try FlagManifest(parsing: Array(text.utf8)) }
  }

  @Test(
    "A variant is compared with the flag's type as reading it would",
    arguments: [
      ("a.on", "true", nil), ("a.on", "1", "expected boolean, found the integer 1"),
      ("a.size", "255", nil), ("a.size", "10.0", nil),
      ("a.size", "300", "expected integer from 0 to 255, found the integer 300"),
      ("a.size", "1.5", "expected integer from 0 to 255, found the number 1.5"),
      ("b.theme", #""dark""#, nil),
      ("b.theme", #""blue""#, #"expected one of the cases "light", "dark", found the string "blue""#),
      ("b.ratio", "1", nil), ("b.ratio", #""1""#, #"expected number, found the string "1""#),
      ("b.countries", "[]", nil), ("b.countries", "{}", "expected array, found an empty object"),
      ("b.labels", "{}", nil), ("b.labels", "[]", "expected object, found an empty array"),
      ("b.limit", "7", nil),
    ] as [(String, String, String?)])
  func comparesTypes(key: String, value: String, message: String?) throws {
    let document = #"{"flags": {"\#(key)": {"state": "ENABLED", "variants": {"v": \#(value)}}}}"#
    let manifest = try FlagManifest(of: [Self.catalog])
    let stored = try StoredDefinitions(parsing: Array(document.utf8))
    let mismatches = manifest.mismatches(with: [("f.json", stored)], on: "2027-01-31").filter { $0.file != nil }
    #expect(mismatches.map(\.message) == (message.map { ["variant \"v\": \($0)"] } ?? []))
  }
}
