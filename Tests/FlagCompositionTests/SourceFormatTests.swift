import FlagDefinitions
import FlagDomain
import FlagGrowthBook
import FlagLaunchDarkly
import FlagProviders
import Foundation
import TestSupport
import Testing

@Suite("A type for each source")
struct SourceFormatTests {
  /// A document with the flag `a` in each format, whose value is not a default in code.
  private static let documents: [String: String] = [
    "in-house": #"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 7}, "defaultVariant": "x"}}}"#,
    "in-house, of Kubernetes":
      #"{"spec": {"flagSpec": {"flags": {"a": {"state": "ENABLED", "variants": {"x": 7}, "defaultVariant": "x"}}}}}"#,
    "growthbook": #"{"features": {"a": {"defaultValue": 7}}}"#,
    "launchdarkly": """
    {"segments": {}, "flags": {"a": {"key": "a", "version": 1, "on": true, "variations": [1, 7], \
    "fallthrough": {"variation": 1}, "offVariation": 0}}}
    """,
    "launchdarkly, as its file": #"{"flagValues": {"a": 7}}"#,
  ]
  private static let formats: [any DefinitionFormat] = [.inHouse, .growthBook, .launchDarkly]

  private func provider<Format: DefinitionFormat>(
    of format: Format, _ text: String, _ file: URL
  ) throws -> [any FlagProvider] {
    try Data(text.utf8).write(to: file)
    return [
      try DocumentProvider<Format>(contentsOf: file), try DocumentProvider<Format>(data: Data(text.utf8)),
      try DocumentProvider<Format>(following: file) { _ in },
    ]
  }

  @Test("Reads a file, data and a followed file in the format of the type's name", arguments: documents.keys.sorted())
  func readsOwnFormat(kind: String) throws {
    let folder = try TemporaryFolder()
    let format = try #require(Self.formats.first { kind.hasPrefix($0.name) })
    for provider in try provider(of: format, try #require(Self.documents[kind]), folder.url.appending(path: "a.json")) {
      #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext(user: FlagUser(id: "ann")))?.value == 7)
      #expect(provider.name == format.name)
    }
  }

  @Test("A document of another known format is refused by name", arguments: formats.indices, documents.keys.sorted())
  func refusesOtherFormat(index: Int, kind: String) throws {
    let format = Self.formats[index]
    guard !kind.hasPrefix(format.name) else { return }
    let found = try #require(Self.formats.first { kind.hasPrefix($0.name) })
    let text = Array(try #require(Self.documents[kind]).utf8)
    let error = #expect(throws: FlagDocumentError.self) { try format.read(text, of: "a.json") }
    let place = kind.hasSuffix("Kubernetes") ? "1:23: error: $.spec.flagSpec" : "1:1: error: $"
    #expect(
      error?.diagnostics.map { "\($0)" } == [
        "a.json:\(place): expected a document in the format \(format.name), found one in the format \(found.name)"
      ])
  }

  /// Texts that people bring, and how they are refused.
  private static let foreign: [(text: [UInt8], refusal: String)] = [
    (Array("flags:\n  a:\n    state: ENABLED\n".utf8), yaml), (Array("---\n# The flags\nflags: {}\n".utf8), yaml),
    (Array("\u{feff}# The flags\r\n\r\napiVersion: core.openfeature.dev/v1beta1\r\n".utf8), yaml),
    (Array("- a\n- b\n".utf8), yaml), (Array("\"flags\":\n  \"a\": {}\n".utf8), yaml),
    // Without a byte order mark, iconv takes the wrong order of plain UTF-16 on some systems.
    (utf16(byteOrderMark: [0xFF, 0xFE], isBigEndian: false), unicode("16LE")),
    (utf16(byteOrderMark: [0xFE, 0xFF], isBigEndian: true), unicode("16BE")),
    (utf16(byteOrderMark: [], isBigEndian: false), unicode("16LE")),
    (utf16(byteOrderMark: [], isBigEndian: true), unicode("16BE")),
    ([0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], unicode("32LE")), ([0, 0, 0, 0x7B], unicode("32BE")),
    ([0x1F, 0x8B, 8, 0, 0], "expected JSON, found gzip: unpack it, such as by gunzip"),
    (Array("\n <!doctype html>".utf8), markup), (Array("<?xml version=\"1.0\"?>".utf8), markup),
    (Array("[flags.a]\nstate = 1".utf8), toml), (Array("# Flags\nstate = 1".utf8), toml),
  ]
  private static let markup =
    "expected JSON, found what looks like HTML or XML, such as the page of an error or a sign-in"
  private static let toml = "expected JSON, found what looks like TOML: convert it, such as by yq -p toml -o json"
  private static let yaml = "expected JSON, found what looks like YAML: convert it, such as by yq -o json"

  private static func unicode(_ name: String) -> String {
    "expected JSON in UTF-8, found UTF-\(name.prefix(2)): convert it, such as by iconv -f UTF-\(name) -t UTF-8"
  }

  private static func utf16(byteOrderMark: [UInt8], isBigEndian: Bool) -> [UInt8] {
    byteOrderMark
      + #"{"flags": {}}"#.utf16.flatMap { unit in
        [UInt8(unit & 0xFF), UInt8(unit >> 8)].reordered(isBigEndian)
      }
  }

  @Test("YAML and other encodings are refused by name, with what converts them", arguments: foreign.indices)
  func refusesForeignText(index: Int) {
    for format in Self.formats {
      let error = #expect(throws: FlagDocumentError.self) { try format.read(Self.foreign[index].text, of: "a.yaml") }
      #expect(error?.diagnostics.map { "\($0)" } == ["a.yaml:1:1: error: $: \(Self.foreign[index].refusal)"])
    }
  }

  @Test(
    "Other text that is no JSON is an error at its place",
    arguments: ["{a: 1}", "[", "hello", #"{"a": 1}}"#, "//", "", "404: Not Found", "<<<<<<<", "[1]]"])
  func refusesOtherText(text: String) {
    for format in Self.formats {
      let error = #expect(throws: FlagDocumentError.self) { try format.read(Array(text.utf8), of: nil) }
      #expect(error?.diagnostics.contains { $0.message.contains(/YAML|UTF|HTML|TOML/) } == false)
    }
  }

  @Test("One flag in the shape of another format leaves the others in use")
  func keepsOthers() throws {
    let own = #""b": {"state": "ENABLED", "variants": {"x": 7}, "defaultVariant": "x"}"#
    let text = #"{"flags": {"a": {"key": "a", "on": true, "variations": [1, 7]}, \#(own)}}"#
    let document = try FlagDocument(parsing: Data(text.utf8))
    #expect(try document.evaluate("b", in: EvaluationContext(), at: 0)?.value == 7)
    #expect(throws: FlagError.self) { try document.evaluate("a", in: EvaluationContext(), at: 0) }
  }

  @Test(
    "An initializer of another source does not compile", .needs(.compiler),
    arguments: [
      (#"GrowthBookProvider(sdkKey: "")"#, "LaunchDarklyFormat"),
      (#"LaunchDarklyProvider(clientKey: "")"#, "GrowthBookFormat"),
      (#"InHouseProvider(sdkKey: "")"#, "LaunchDarklyFormat"), (#"InHouseProvider(clientKey: "")"#, "GrowthBookFormat"),
      ("InHouseProvider(data: Data(), format: .launchDarkly)", "LaunchDarklyFormat"),
      ("LaunchDarklyProvider(data: Data(), format: .inHouse)", "InHouseFormat"),
      (#"GrowthBookProvider(clientKey: "")"#, nil), (#"LaunchDarklyProvider(sdkKey: "")"#, nil),
      ("InHouseProvider(data: Data(), format: .inHouse(bucketing: .v2))", nil),
      ("DocumentProvider(data: Data(), format: .launchDarkly)", nil),
    ] as [(String, String?)])
  func refusesOtherInitializers(call: String, format: String?) async throws {
    let program = """
      import FlagDefinitions
      import FlagGrowthBook
      import FlagLaunchDarkly
      import FlagProviders
      import Foundation
      func make() throws { _ = try \(call) }
      """
    let errors = try await Compiler().check(program)
    if let format {
      #expect(errors.contains { $0.contains(format) }, "\(errors)")
    } else {
      #expect(errors == [])
    }
  }
}

extension [UInt8] {
  fileprivate func reordered(_ isReversed: Bool) -> [UInt8] { isReversed ? reversed() : self }
}
