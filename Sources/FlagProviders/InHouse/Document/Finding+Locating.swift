extension Finding {
  /// Creates a finding about what stands at a path, whose place is looked up in the text.
  init(_ remark: Remark, in bytes: [UInt8]) {
    severity = remark.severity
    path = remark.path
    message = remark.message
    var scanner = JSONScanner(bytes, at: JSONText.start(of: bytes))
    do {
      position = TextPosition(of: try scanner.locate(remark.path), in: bytes)
    } catch {
      // The text was scanned before, and nothing was found to be wrong with it.
      position = TextPosition(of: error.offset, in: bytes)
    }
  }

  /// Creates a finding about text that is not JSON.
  init(_ error: JSONError, in bytes: [UInt8]) {
    severity = .error
    path = .root
    message = "\(error)"
    position = TextPosition(of: error.offset, in: bytes)
  }
}
