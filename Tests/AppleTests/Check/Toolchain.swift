import Foundation
import TestSupport

/// The compiler that is here, and the textual interfaces of its own modules.
struct Toolchain {
  /// The folder of the compiler's resources.
  let resources: String
  /// This machine's target triple.
  let triple: String

  var architecture: String { String(triple.prefix { $0 != "-" }) }

  /// The modules that Apple's SDKs have, too, and whose interfaces are read for them.
  static let modules = [
    "Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_RegexParser", "RegexBuilder",
    "Synchronization", "Observation", "Testing",
  ]

  init() throws {
    struct Information: Decodable {
      let target: Target
      let paths: Paths

      struct Target: Decodable { let triple: String }
      struct Paths: Decodable { let runtimeResourcePath: String }
    }
    let run = try ChildProcess.run(URL(filePath: "/usr/bin/env"), ["swiftc", "-print-target-info"])
    let information = try JSONDecoder().decode(Information.self, from: Data(run.output.utf8))
    (resources, triple) = (information.paths.runtimeResourcePath, information.target.triple)
  }

  /// Returns a module's interface as it would be in the SDK of another target.
  func interface(of module: String, for target: String) throws -> String {
    let path = "\(resources)/linux/\(module).swiftmodule/\(triple).swiftinterface"
    return Self.retargeted(try String(contentsOfFile: path, encoding: .utf8), for: target)
  }

  /// Returns an interface for another target.
  ///
  /// Its conditions are resolved already: what is in it is what Linux has. Availability is written for Apple's systems,
  /// for which alone it counts.
  static func retargeted(_ interface: String, for target: String) -> String {
    var lines = interface.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for index in lines.indices {
      if lines[index].hasPrefix("// swift-module-flags:") {
        lines[index] = lines[index].replacing(/-target [\w.-]+/, with: "-target \(target) \(skipped)")
          .replacing(" -O ", with: " -Onone ")
          .replacing("-target-min-inlining-version min", with: "").replacing("-library-level api", with: "")
      } else if let systemImport = lines[index].wholeMatch(of: /((?:@_exported )?(?:public )?import) Glibc/) {
        lines[index] = "\(systemImport.1) Darwin"
      } else if lines[index].contains("@backDeployed("), !hasBody(declarationAt: index, in: lines) {
        // The compiler wants a body of what is back-deployed, which an interface for Linux may do without.
        lines[index].replace(/@backDeployed\([^)]*\)/, with: "")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Bodies, of which there are so many, matter to a program that runs, and not to one that is checked.
  private static let skipped = "-experimental-skip-all-function-bodies"

  private static func hasBody(declarationAt index: Int, in lines: [String]) -> Bool {
    let declaration = lines[index...].first { line in
      line.replacing(/@\w+(?:\([^)]*\))?/, with: "").contains(/\b(?:func|var|init|subscript)\b/)
    }
    return declaration?.contains("{") ?? false
  }
}
