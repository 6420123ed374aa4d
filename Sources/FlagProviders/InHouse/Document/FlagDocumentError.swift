/// Why a document cannot be served at all.
public struct FlagDocumentError: Error, Hashable, Sendable {
  /// Everything that is wrong, in the order of the document.
  public let findings: [Finding]
}

extension FlagDocumentError: CustomStringConvertible {
  /// The findings, a line each.
  public var description: String { findings.map(\.description).joined(separator: "\n") }
}
