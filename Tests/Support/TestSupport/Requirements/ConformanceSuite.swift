package import Foundation

/// Test data that other projects publish, and that is no part of this package.
///
/// It is in a folder that `FLAGS_CONFORMANCE` names, or else in `../shared/conformance` beside the package, which has a
/// folder for each suite.
package enum ConformanceSuite: String, CaseIterable, Sendable {
  case flagdSchemas = "flagd-schemas"
  case growthBook = "growthbook"
  case json
  case jsonLogic = "jsonlogic"
  case launchDarkly = "launchdarkly"
  case ofrep

  private static let root =
    ProcessInfo.processInfo.environment["FLAGS_CONFORMANCE"].map { URL(filePath: $0, directoryHint: .isDirectory) }
    ?? packageFolder.deletingLastPathComponent().appending(path: "shared/conformance", directoryHint: .isDirectory)

  /// The folder of the suite.
  package var folder: URL { Self.root.appending(path: rawValue, directoryHint: .isDirectory) }

  /// Returns a file of the suite.
  package func file(_ path: String) -> URL { folder.appending(path: path) }

  /// Returns the bytes of a file of the suite.
  package func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: file(path))) }

  /// Its address, and the places of its files in the suite's folder.
  fileprivate var source: String {
    switch self {
    case .flagdSchemas: "https://github.com/open-feature/flagd-schemas, its json folder with the tests as test/"
    case .growthBook: "https://github.com/growthbook/growthbook, its packages/sdk-js/test/cases.json as cases.json"
    case .json:
      "https://github.com/nst/JSONTestSuite, its test_parsing as parsing.jsonl: "
        + #"{"name", "expect": "accept", "reject" or "either", "base64"} on each line"#
    case .jsonLogic: "https://jsonlogic.com/tests.json as tests.json"
    case .launchDarkly:
      "https://github.com/launchdarkly/sdk-test-harness, its server-side-eval data as cases.jsonl: flags, segments, "
        + "context and expected outcome of a case on each line"
    case .ofrep: "https://github.com/open-feature/protocol, its service/openapi.yaml as openapi.yaml"
    }
  }
}

extension Requirement {
  /// Asks for a suite of another project.
  package static func conformance(_ suite: ConformanceSuite) -> Requirement {
    Requirement(
      "conformance-\(suite.rawValue)",
      "\(suite.folder.path) is missing: \(suite.source); FLAGS_CONFORMANCE names the folder that \(suite.rawValue) is in"
    ) { FileManager.default.fileExists(atPath: suite.folder.path) }
  }
}
