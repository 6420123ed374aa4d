extension Finding {
  /// The line of output from which GitHub makes an annotation in the changed files.
  var workflowCommand: String {
    var properties: [(String, String)] = []
    if let place {
      properties = [("file", place.file), ("line", "\(place.line)"), ("col", "\(place.column)")]
    }
    properties.append(("title", "flagctl: \(rule)"))
    let list = properties.map { "\($0)=\(Self.escaped($1, [":", ","]))" }.joined(separator: ",")
    return "::\(severity.rawValue) \(list)::\(Self.escaped(message))\n"
  }

  /// Returns a text with the characters escaped that would end a command, or one of its properties.
  private static func escaped(_ text: String, _ delimiters: Set<Unicode.Scalar> = []) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if ["%", "\r", "\n"].contains(scalar) || delimiters.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "%" + (digits.count < 2 ? "0" : "") + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
