import FlagDomain

/// Why an analysis cannot go on: what was found in the data, and what was expected instead.
package struct AnalysisError: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension AnalysisError: CustomStringConvertible {
  package var description: String { message }
}

extension String {
  /// The text in quotation marks, and of long ones the beginning.
  var quoted: String { "\"\(excerpt.visible)\"" }

  /// The text without control characters, which could move a terminal's cursor.
  var visible: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
