import FlagDefinitions
import FlagDomain

/// An error or a warning of a review, with its place if it has one in a file.
struct Finding {
  enum Severity: String {
    case error, warning
  }

  /// The kind of finding, in words that do not change: "expired".
  let rule: String
  let severity: Severity
  let place: Place?
  let message: String

  struct Place {
    /// The path of the file.
    let file: String
    let line: Int
    /// The character of the line, counted from 1.
    let column: Int
  }
}

extension Finding {
  /// Creates a finding of a diagnostic; one of a set is named in the message, because it is in no file.
  init(_ diagnostic: DocumentDiagnostic, of document: ReviewedText) {
    let message = "\(diagnostic.path): \(diagnostic.message)"
    self.init(
      rule: "definition", severity: diagnostic.severity == .error ? .error : .warning,
      place: document.place(line: diagnostic.line, column: diagnostic.column), message: document.message(message))
  }

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

extension ReviewedText {
  func place(line: Int, column: Int) -> Finding.Place? {
    isFile ? Finding.Place(file: name, line: line, column: column) : nil
  }

  func message(_ text: String) -> String { isFile ? text : "\(name): \(text)" }
}
