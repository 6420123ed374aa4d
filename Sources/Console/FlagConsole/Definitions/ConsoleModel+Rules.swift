package import FlagDefinitions
package import FlagDomain
package import FlagEditing

extension ConsoleModel {
  /// Returns the problems of a draft that are in its rule, with lines of the rule.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - error: The parse error of the draft's rule; nil if it is JSON.
  ///   - diagnostics: The problems of the draft's document.
  /// - Returns: The problems, in the order of the text.
  /// - Throws: An error if there are no definitions.
  package func ruleProblems(
    of draft: DefinitionDraft, _ error: FlagError?, _ diagnostics: [DocumentDiagnostic]
  ) throws(FlagError) -> [RuleProblem] {
    try RuleProblem.all(of: draft, error, diagnostics) { () throws(FlagError) in try storedDefinitions.text }
  }
}
