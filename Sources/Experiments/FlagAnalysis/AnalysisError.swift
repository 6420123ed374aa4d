import FlagDomain
import FlagSupport

/// An error of an analysis, with a message of the expected and the found data.
package struct AnalysisError: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }

  /// Creates the error for a flag that is not among the known ones, with the first twenty of these.
  package init(noSuchFlag flag: String, among known: some Collection<String>) {
    let names = known.sorted().prefix(20).map(\.quoted).joined(separator: ", ")
    let rest = known.count > 20 ? " and more" : ""
    self.init("no flag is named \(flag.quoted): " + (known.isEmpty ? "there are none" : "there are \(names)\(rest)"))
  }
}

extension AnalysisError: CustomStringConvertible {
  package var description: String { message }
}

extension String {
  /// The text in quotation marks, shortened if it is long.
  var quoted: String { "\"\(excerpt.visible)\"" }

  /// The text with what nobody sees escaped: a control character could move a terminal's cursor.
  var visible: String { escapingHidden() }
}
