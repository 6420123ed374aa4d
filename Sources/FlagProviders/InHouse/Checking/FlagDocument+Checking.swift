public import Foundation

extension FlagDocument {
  /// Returns everything that is wrong with a document, or probably not meant, in the order of its text.
  ///
  /// It is stricter than reading: what the format's schema refuses is an error here, although it may be served.
  public static func findings(in data: Data) -> [Finding] {
    let bytes = [UInt8](data)
    do {
      let outline = try DocumentOutline(reading: bytes)
      return outline.findings(DocumentChecker(outline, of: bytes).remarks, in: bytes)
    } catch {
      return error.findings
    }
  }
}
