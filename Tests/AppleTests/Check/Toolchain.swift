import Foundation
import TestSupport

/// The compiler that is here, and the textual interfaces of its own modules.
struct Toolchain {
  /// The folder of the compiler's resources.
  let resources: String
  /// This machine's target triple.
  let triple: String
  /// The compiler's version, in words.
  let compiler: String

  var architecture: String { String(triple.prefix { $0 != "-" }) }

  /// The modules that Apple's SDKs have, too, and whose interfaces are read for them.
  static let modules = [
    "Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_RegexParser", "RegexBuilder",
    "Synchronization", "Observation", "Testing",
  ]

  init() throws {
    struct Information: Decodable {
      let compilerVersion: String
      let target: Target
      let paths: Paths

      struct Target: Decodable { let triple: String }
      struct Paths: Decodable { let runtimeResourcePath: String }
    }
    let run = try ChildProcess.run(URL(filePath: "/usr/bin/env"), ["swiftc", "-print-target-info"])
    let information = try JSONDecoder().decode(Information.self, from: Data(run.output.utf8))
    (resources, triple) = (information.paths.runtimeResourcePath, information.target.triple)
    compiler = information.compilerVersion
  }

  /// Returns a module's interface.
  func interface(of module: String) throws -> String {
    try String(
      contentsOfFile: "\(resources)/linux/\(module).swiftmodule/\(triple).swiftinterface", encoding: .utf8)
  }

  /// Returns an interface as it would be in the SDK of another target.
  ///
  /// Its conditions are resolved already: what is in it is what Linux has. Availability is written for Apple's systems,
  /// for which alone it counts. Bodies, of which there are so many, matter to a program that runs, and are skipped; so
  /// what is back-deployed, which has to have one, is as available without.
  static func retargeted(_ interface: String, for target: String) -> String {
    var replacements = [
      ("(?m)^(// swift-module-flags:.*) -target [\\w.-]+", "$1 -target \(target) \(skipped)"),
      ("(?m)^(// swift-module-flags:.*) -O ", "$1 -Onone "),
      ("(?m)^(// swift-module-flags:.*) -target-min-inlining-version min", "$1"),
      ("(?m)^(// swift-module-flags:.*) -library-level api", "$1"),
      ("(?m)^((?:@_\\w+ )?(?:public )?import) Glibc$", "$1 Darwin"),
      ("@backDeployed\\([^)]*\\)", ""),
    ]
    if target.contains("-xros") { replacements += visionVersions }
    return replacements.reduce(interface) { text, replacement in
      // Foundation's, since it takes a hundredth of the time of the standard library's in code that is not optimized.
      text.replacingOccurrences(of: replacement.0, with: replacement.1, options: .regularExpression)
    }
  }

  private static let skipped = "-experimental-skip-all-function-bodies"

  /// The versions of visionOS that go with those of iOS: an SDK's table says so, which is not here.
  private static let visionVersions = [
    ("@available\\((?![^)]*visionOS)([^)]*\\biOS (?:1[0-7]|[1-9])\\b[.\\d]*)", "@available($1, visionOS 1.0"),
    ("@available\\((?![^)]*visionOS)([^)]*\\biOS 18\\b[.\\d]*)", "@available($1, visionOS 2.0"),
    ("@available\\((?![^)]*visionOS)([^)]*\\biOS (2\\d)\\b[.\\d]*)", "@available($1, visionOS $2.0"),
  ]
}
