public import FlagDefinitions
public import FlagDomain
public import FlagEditing

extension ConsoleModel {
  /// Returns the problems of a draft that are in its rule, with lines of the rule.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - error: The parse error of the draft's rule; nil if it is JSON.
  ///   - diagnostics: The problems of the draft's document.
  /// - Returns: The problems, in the order of the text.
  /// - Throws: An error if there are no definitions.
  public func ruleProblems(
    of draft: DefinitionDraft, _ error: FlagError?, _ diagnostics: [DocumentDiagnostic]
  ) throws(FlagError) -> [RuleProblem] {
    try RuleProblem.all(of: draft, error, diagnostics) { () throws(FlagError) in try storedDefinitions.text }
  }
}

extension ConsoleModel {
  /// Returns the words for a flag's rule.
  ///
  /// - Throws: An error if there are no definitions.
  public func vocabulary(of draft: DefinitionDraft) throws(FlagError) -> RuleVocabulary {
    RuleVocabulary(of: draft, suggestions(for: try storedDefinitions))
  }
}
