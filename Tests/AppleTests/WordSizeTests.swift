import Foundation
import TestSupport
import Testing

@Suite("Integers of 32 bits")
struct WordSizeTests {
  @Test("Numbers and moments that 32 bits do not hold are of a type that does")
  func holdsNumbers() throws {
    var found: [String] = []
    let manifest = try PackageManifest.read()
    for target in Self.targets {
      let root = try #require(manifest.targets.first { $0.name == target }).folder
      for file in try FileManager.default.subpathsOfDirectory(atPath: root.path) where file.hasSuffix(".swift") {
        let source = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        found += try WordSize.objections(to: source).map { number in
          "\(target)/\(file): \(lines[number - 1].trimmingCharacters(in: .whitespaces))"
        }
      }
    }
    let others = found.filter { line in !Self.wide.keys.contains { line.hasPrefix("\($0): ") } }
    #expect(others == [])
    #expect(Self.wide.keys.filter { file in !found.contains { $0.hasPrefix("\(file): ") } } == [])
  }

  @Test(
    "A number that 32 bits do not hold is seen, and one that they hold is not",
    arguments: [
      ("private static let most = 1 << 31", true), ("private static let most: Int64 = 1 << 31", false),
      ("let size = 32 << 20", false), ("let last = 2_147_483_648", true), ("let last = 2_147_483_647", false),
      ("let hash = 0x8000_0000", true), ("let mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9", false),
      ("seconds = day * 86_400 + 1", true), ("seconds = day * 86400", true), ("seconds = Int64(day) * 86_400", false),
      ("let wait = 365 * 86_400.0", false), ("let time = 1_000 * milliseconds", true),
      ("HTTPDate(secondsSince1970: Int(time(nil)))", true), ("Int(Date.now.timeIntervalSince1970)", true),
      ("Int64(Date.now.timeIntervalSince1970)", false), ("let year = 365 // * 86400", false),
      ("print(\"1 << 31\")", false),
    ])
  func seesNumbers(source: String, isSuspect: Bool) throws {
    #expect(try WordSize.objections(to: source) == (isSuspect ? [1] : []))
  }

  @Test(
    "What the compiler can check for a processor of 32 bits, it takes", .whenAsked,
    arguments: ["FlagDomain/Calendar", "FlagHTTP", "FlagStatistics"])
  func compiles(folder: String) async throws {
    let errors = try await Self.errors(in: folder, adding: "")
    #expect(errors == [])
    // So that the test cannot pass because nothing was looked at.
    let wrong = try await Self.errors(in: folder, adding: "func wrong() -> Int { 1 + 2_147_483_648 }")
    #expect(wrong.contains { $0.contains("integer literal '2147483648' overflows when stored into 'Int'") })
  }

  /// The targets that run on a watch.
  private static let targets = [
    "FlagDomain", "FlagEvents", "FlagFiles", "FlagHTTP", "FlagJSON", "FlagDefinitions", "FlagReview", "FlagStatistics",
    "FlagProviders", "FlagServices", "FlagMocks", "FlagRemote", "FlagFleet", "FlagGrowthBook", "FlagLaunchDarkly",
    "FlagServer",
    "FlagTransport", "FlagTracking", "FlagSupport", "FlagPublishing", "FlagEditing", "FeatureFlags", "FlagComposition",
    "FlagConsole", "FlagConsoleEditor", "FlagConsoleWeb", "FlagConsoleUI", "FlagSwiftUI",
    "SettingsFlags", "FeedFlags",
  ]

  /// Files with lines that look as if 32 bits were too few, and why they are right.
  private static let wide = [
    "FlagLaunchDarkly/Flags/SHA1.swift": "words of 32 bits without a sign",
    "FlagSupport/SHA256.swift": "words of 32 bits without a sign",
    "FlagJSON/JSONText.swift": "eight bytes at a time, in a word of 64 bits",
    "FlagJSON/JSONReader+Numbers.swift": "the digits of a numeral, in a word of 64 bits",
  ]

  /// Returns the errors of sources for a processor of 32 bits.
  ///
  /// The compiler has no runtime for it, so errors about things that need one do not count. The sources may use the
  /// domain's calendar and borrowed bytes, and the times of RFC 3339.
  private static func errors(in sources: String, adding text: String) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { /* The system removes it one day. */  } }
    let file = folder.appending(path: "Added.swift")
    // Functions of the C library, which is not there.
    let library =
      ["exp", "log", "log1p", "erfc"].map { "func \($0)(_ x: Double) -> Double { x }" }
      + ["func lgamma(_ x: Double) -> (Double, Int) { (x, 0) }", text]
    try library.joined(separator: "\n").write(to: file, atomically: false, encoding: .utf8)
    let domain = folder.appending(path: "FlagDomain.swiftmodule").path
    let support = folder.appending(path: "FlagSupport.swiftmodule").path
    let messages =
      try await compile(
        "FlagDomain/Calendar", "FlagDomain/Values/BorrowedBytes", arguments: ["-emit-module", "-o", domain])
      + compile("FlagSupport/Timestamp", arguments: ["-emit-module", "-o", support, "-I", folder.path])
      + compile(sources, arguments: ["-emit-sil", "-o", "/dev/null", "-I", folder.path, file.path])
    return messages.split(separator: "\n").filter {
      $0.contains(": error: ") && !$0.contains("#EmbeddedRestrictions") && !$0.contains("in embedded Swift")
    }.map(String.init)
  }

  /// Compiles the sources of a target, or those in it whose paths begin so.
  private static func compile(_ sources: String..., arguments: [String]) async throws -> String {
    let name = try #require(sources.first?.split(separator: "/").first)
    let manifest = try await onThread { try PackageManifest.read() }
    let target = try #require(manifest.targets.first { $0.name == name })
    let roots = sources.map { "\(target.folder.path)\($0.dropFirst(name.count))" }
    let files = try target.swiftFiles().map(\.path).filter { file in roots.contains { file.hasPrefix($0) } }
    return try await Compiler.run(
      "swiftc",
      [
        "-frontend", "-parse-as-library", "-module-name", target.name, "-target", "armv7-none-none-eabi",
        "-enable-experimental-feature", "Embedded", "-wmo", "-swift-version", "6", "-package-name",
        "swift_feature_flags",
      ] + (try target.swiftArguments()) + files + arguments)
  }
}
