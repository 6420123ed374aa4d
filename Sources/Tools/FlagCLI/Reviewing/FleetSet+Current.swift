import FlagDefinitions
import FlagPublishing

/// The document that the servers of a set run.
struct PublishedText {
  /// The name for messages: "production at revision 7".
  let name: String
  let text: [UInt8]
}

extension FleetSet {
  /// Returns the document that servers run, without that of a candidate.
  func currentText() throws(ToolError) -> PublishedText {
    let number = try head().revision.number
    return PublishedText(name: "\(name) at revision \(number)", text: try text(of: number))
  }
}
