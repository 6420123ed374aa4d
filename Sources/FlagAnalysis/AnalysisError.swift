/// Why an analysis cannot go on: what was found in the data, and what was expected instead.
package struct AnalysisError: Error, Hashable, Sendable {
  /// What was expected and what was found, in one line.
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension AnalysisError: CustomStringConvertible {
  package var description: String { message }
}
