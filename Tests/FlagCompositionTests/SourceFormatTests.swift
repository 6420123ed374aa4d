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
    #expect(
      error?.diagnostics.map { "\($0)" } == [
        "a.json:1:1: error: $: expected a document in the format \(format.name), found one in the format \(found.name)"
      ])
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
