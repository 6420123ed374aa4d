package import FlagDefinitions
package import FlagDomain
import FlagJSON

/// A problem in the text of a rule, as a draft has it.
package struct RuleProblem: Hashable, Sendable {
  /// The severity.
  package let severity: DocumentDiagnostic.Severity
  /// The line of the rule's text, counted from 1.
  package let line: Int
  /// The character of the line, counted from 1.
  package let column: Int
  /// The message, with the expected and the found value.
  package let message: String
  /// The diagnostic with the location in the document; nil if the rule is not JSON, and so in no document.
  package let diagnostic: DocumentDiagnostic?
}

extension RuleProblem {
  /// Returns the problems of a draft that are in its rule, in the order of the text.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - error: The parse error of the draft's rule; nil if it is JSON.
  ///   - diagnostics: The problems of the draft's document.
  ///   - document: Returns the text of the document, which is needed for diagnostics alone.
  /// - Returns: The problems.
  /// - Throws: The error of the document's text.
  package static func all(
    of draft: DefinitionDraft, _ error: FlagError?, _ diagnostics: [DocumentDiagnostic],
    in document: () throws(FlagError) -> [UInt8]
  ) throws(FlagError) -> [RuleProblem] {
    if let problem = error.flatMap({ RuleProblem($0, in: draft.rule) }) { return [problem] }
    guard error == nil, !diagnostics.isEmpty else { return [] }
    let place = try RulePlace(of: draft, in: document())
    return diagnostics.compactMap { diagnostic in
      place?.location(of: diagnostic).map { location in
        RuleProblem(
          severity: diagnostic.severity, line: location.line, column: location.column, message: diagnostic.message,
          diagnostic: diagnostic)
      }
    }
  }

  /// Locates the parse error of a rule; nil if it is an error of something else.
  fileprivate init?(_ error: FlagError, in rule: String) {
    // The message of such an error begins with its location in the rule.
    let words = error.message.split(separator: ": ", maxSplits: 1)
    guard error.code == .parseError, words.count == 2, words[0].hasPrefix("line ") else { return nil }
    var location = JSONSourceLocation(line: 1, column: 1)
    do throws(JSONError) {
      _ = try FlagValue(json: rule.utf8)
    } catch {
      location = JSONSourceLocation(of: error.offset, in: Array(rule.utf8))
    }
    self.init(
      severity: .error, line: location.line, column: location.column, message: String(words[1]), diagnostic: nil)
  }
}

/// The place of a draft's rule in its document.
private struct RulePlace {
  private let start: JSONSourceLocation
  private let end: JSONSourceLocation
  /// The number of characters that each line of the document has before the line of the rule.
  private let margins: [Int]

  /// Finds the rule; nil if the document has none.
  init?(of draft: DefinitionDraft, in document: [UInt8]) throws(FlagError) {
    let editor = try JSONEditor(try draft.text(in: document))
    let path = DocumentPath.root.appending("flags").appending(draft.key).appending("targeting")
    guard let range = editor.range(of: path) else { return nil }
    let locations = JSONSourceLocation.locations(of: [range.lowerBound, range.upperBound], in: editor.text)
    (start, end) = (locations[0], locations[1])
    func indentations(_ text: some Collection<UInt8>) -> [Int] {
      let lines = text.split(maxSplits: .max, omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
      return lines.map { $0.prefix { $0 == UInt8(ascii: " ") }.count }
    }
    margins = zip(indentations(editor.text[range]), indentations(draft.rule.utf8)).map { $0 - $1 }
  }

  /// Returns the location in the rule; nil if the diagnostic is about another part of the document.
  func location(of diagnostic: DocumentDiagnostic) -> JSONSourceLocation? {
    let location = JSONSourceLocation(line: diagnostic.line, column: diagnostic.column)
    guard location >= start, location < end else { return nil }
    let line = location.line - start.line
    let margin = line == 0 ? start.column - 1 : line < margins.count ? margins[line] : 0
    return JSONSourceLocation(line: line + 1, column: max(1, location.column - margin))
  }
}
