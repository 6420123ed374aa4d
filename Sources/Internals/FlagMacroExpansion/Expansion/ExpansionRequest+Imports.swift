import FlagSyntax
import Foundation

extension ExpansionRequest {
  /// Returns a problem if the declaration's file can be read and imports no module that could export the domain.
  ///
  /// The compiler does not pass a file's imports to plugins, and would report the missing import once for each line of
  /// generated code. A module that is not listed here may re-export the domain, so nothing is reported then, nor if the
  /// file differs from the source that the compiler sees.
  func missingImport(_ readFile: (String) -> Data?) -> Problem? {
    guard let file = readFile(declSyntax.location.fileName), file.range(of: Data("FlagDomain".utf8)) == nil,
      file.dropFirst(declSyntax.location.offset).starts(with: declSyntax.source.utf8),
      let imports = imports(in: file),
      imports.contains("FlagMacros"), imports.isSubset(of: Self.knownModules)
    else { return nil }
    // Whitespace and comments may precede the declaration.
    return Problem(.noImport, at: SourceText(Array(declSyntax.source.utf8)).tokens.first?.range ?? 0..<0)
  }

  /// Returns the modules that a file imports; nil for a malformed file, which the compiler cannot read either.
  private func imports(in file: Data) -> Set<String>? {
    let source = SourceText(Array(file))
    guard source.flaw == nil else { return nil }
    let words = source.tokens.map(\.text)
    return Set(zip(words, words.dropFirst()).filter { $0.0 == "import" }.map(\.1))
  }

  /// Modules that do not export the domain.
  private static let knownModules: Set = [
    "AppKit", "Combine", "Darwin", "Dispatch", "FlagMacros", "Foundation", "FoundationEssentials", "Glibc", "Musl",
    "Observation", "Swift", "SwiftUI", "Synchronization", "Testing", "UIKit", "XCTest", "os",
  ]
}
