/// Something that is wrong in a document, or probably not meant.
public struct Finding: Hashable, Sendable {
  /// How much a finding weighs.
  public enum Severity: String, Hashable, Sendable {
    /// The document, or the flag, cannot be served as it is.
    case error
    /// The document can be served, but hardly means what it says.
    case warning
  }

  /// How much it weighs.
  public let severity: Severity
  /// Where it is, as the way from the outermost value.
  public let path: JSONPath
  /// Where it is, as a place in the text.
  public let position: TextPosition
  /// What was expected there, and what was found.
  public let message: String
}

extension Finding: CustomStringConvertible {
  /// The finding in one line: line and column, severity, path and message.
  public var description: String {
    "\(position.line):\(position.column): \(severity.rawValue): \(path): \(message)"
  }
}

extension Finding {
  /// Creates a finding of a remark, whose place is looked up.
  init(_ remark: Remark, _ locator: JSONLocator) {
    self.init(
      severity: remark.severity, path: remark.path, position: locator.position(of: remark.path),
      message: remark.message)
  }

  /// Creates a finding about text that is not JSON.
  init(_ error: JSONError, _ locator: JSONLocator) {
    self.init(severity: .error, path: .root, position: locator.position(of: error.offset), message: "\(error)")
  }
}
