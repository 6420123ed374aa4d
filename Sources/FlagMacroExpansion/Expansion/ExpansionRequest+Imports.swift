import FlagSyntax
import Foundation

extension ExpansionRequest {
  /// Returns a problem where the file of the declaration can be read and imports nothing that could be the domain.
  ///
  /// The compiler does not say what a file imports, and would report the missing import once for each line that is
  /// generated. A module that is not known here may export the domain again; then, as for a file that differs from
  /// what the compiler sees, nothing is said.
  func missingImport(_ readFile: (String) -> Data?) -> Problem? {
    guard let file = readFile(declSyntax.location.fileName), file.range(of: Data("FlagDomain".utf8)) == nil,
      file.dropFirst(declSyntax.location.offset).starts(with: declSyntax.source.utf8),
      let imports = imports(in: file),
      imports.contains("FlagMacros"), imports.isSubset(of: Self.knownModules)
    else { return nil }
    // Space and comments may come before the declaration.
    return Problem(.noImport, at: SourceText(Array(declSyntax.source.utf8)).tokens.first?.range ?? 0..<0)
  }

  /// Returns the modules that a file imports; nil for a file that the compiler cannot read either.
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
