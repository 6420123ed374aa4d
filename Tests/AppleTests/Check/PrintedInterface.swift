import Foundation
import TestSupport

/// The interfaces of libraries that the toolchain has in binary form alone: made of what it prints of them for people,
/// and of the stand-ins of what only Apple's systems have.
enum PrintedInterface {
  /// The modules, each with the libraries that it is made of, and with what it brings along.
  ///
  /// The essentials have another name, since Apple's systems have no module of theirs.
  private static let modules = [
    ("Dispatch", of: ["Dispatch"], with: ["Darwin", "_Concurrency"]),
    ("_FoundationEssentials", of: ["FoundationEssentials"], with: ["Darwin", "_Concurrency", "_StringProcessing"]),
    ("Foundation", of: ["Foundation", "FoundationNetworking"], with: ["Dispatch", "_FoundationEssentials"]),
  ]

  /// The interfaces, by the names of modules.
  static let all = Result { () throws -> [(module: String, text: String)] in
    let toolchain = try Toolchain()
    return try modules.map { name, libraries, imports in
      let head = """
        // swift-interface-format-version: 1.0
        // swift-compiler-version: \(toolchain.compiler)
        // swift-module-flags: -target \(toolchain.triple) -module-name \(name) \(flags)

        """
      let standIn = StandInSDK.sources.appending(path: "\(name).swift")
      let isThere = FileManager.default.fileExists(atPath: standIn.path)
      return (
        name,
        head + imports.map { "@_exported import \($0)\n" }.joined()
          + (try libraries.map { try declarations(of: $0, printedBy: toolchain) }.joined())
          + (isThere ? try String(contentsOf: standIn, encoding: .utf8) : "")
      )
    }
  }

  private static let flags = "-enable-library-evolution -swift-version 5 -enable-experimental-feature Lifetimes"

  private static func declarations(of library: String, printedBy toolchain: Toolchain) throws -> String {
    let run = try ChildProcess.run(
      URL(filePath: "/usr/bin/env"),
      ["swift-synthesize-interface", "-print-fully-qualified-types", "-target", toolchain.triple]
        + ["-module-name", library])
    guard run.status == 0 else { throw CheckFailure("\(library) cannot be printed: \(run.errors)") }
    return mends.reduce(run.output) { text, mend in
      text.replacingOccurrences(of: mend.0, with: mend.1, options: .regularExpression)
    }
  }

  /// What an interface spells in another way, in this order: patterns, and what takes their place.
  private static let mends = [
    // Modules, by the names that they have here, and types of C by those of Swift.
    ("(?m)^import .*\n", ""),
    ("\\bCDispatch\\.dispatch_time_t\\b", "UInt64"),
    ("\\bCDispatch\\.dispatch_fd_t\\b", "Int32"),
    ("\\b(?:CDispatch|Glibc)\\.", ""),
    ("\\bFoundationEssentials\\.", "_FoundationEssentials."),
    ("\\bFoundationNetworking\\.", "Foundation."),
    ("(?m)^public typealias NSRange$", "public struct NSRange {}"),
    // Variables of a module are printed twice, and the second time constants as variables and the other way round.
    ("(?m)^(?:@available.*\n)?public (?:let \\w+: .*\\{ get \\}|var \\w+: [^{\n]*)\n", ""),
    // What extends types that are not printed, and what overrides initialisers that are not.
    ("(?m)^extension \\S*URL\\.Template\\.Element (?:.*\n)*?\\}\n", ""),
    ("(class (?:DispatchGroup|NSKeyedArchiver) (?:.*\n)+?) *override (public (?:convenience )?init\\(\\))", "$1$2"),
    // Properties and subscripts are computed; those whose setter is not public have none.
    ("\\b(?:internal|private|fileprivate|package)\\(set\\) ", ""),
    ("(?m)^([^\n(]*)\\blet (\\w+: [^{\n]*?)(?: \\{.*\\})?$", "$1var $2 { get }"),
    ("(?m)^([^\n(]*\\bvar `?\\w+`?: [^{\n]*|.*\\bsubscript *[(<][^{\n]*)$", "$1 { get set }"),
    // What Apple has on computers alone.
    ("(?m)^(?=(?:open class|extension) (?:Foundation\\.)?Process\\b)", onMacAlone),
    ("(?m)^(?= *public (?:static )?var (?:userName|homeDirectory):)", onMacAlone),
  ]

  private static let onMacAlone = ["iOS", "tvOS", "watchOS", "visionOS"]
    .map { "@available(\($0), unavailable)\n" }.joined()
}
