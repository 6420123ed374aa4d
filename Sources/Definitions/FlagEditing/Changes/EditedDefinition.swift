package import FlagDefinitions
package import FlagDomain
import FlagJSON
import FlagReview

/// A definition that a person edited, and others may have edited meanwhile.
package struct EditedDefinition: Sendable {
  /// The edited definition; with the edits of others, if they touch no part that was edited here.
  package let draft: DefinitionDraft
  /// The flag's text that the draft was made from.
  package let base: String
  /// The change that saves it.
  package let change: DocumentChange
  /// The edits of others since the draft was made; nil if there are none.
  package let others: Others?

  /// The differences from the text that two people edited.
  package struct Others: Sendable {
    /// The differences in words and in lines: mine, and theirs.
    package let mine: (words: [String], lines: LineDifference)
    package let theirs: (words: [String], lines: LineDifference)
    /// The parts that both edited.
    package let conflicts: [DefinitionMerge.Conflict]
  }
}

extension EditedDefinition {
  /// Creates the edited definition of a flag in the current document.
  ///
  /// - Parameters:
  ///   - draft: The draft, made from the base.
  ///   - base: The flag's text when it was edited first; nil for the current one.
  ///   - taken: The ids of the conflicts of which the side of the others is taken.
  ///   - current: The flag's text in the current document.
  ///   - version: The version of the current document.
  /// - Throws: An error if the draft's rule is not JSON.
  package init(
    _ draft: DefinitionDraft, base: String?, takingTheirsOf taken: Set<String>, over current: String,
    version: DefinitionVersion
  ) throws(FlagError) {
    let key = draft.key
    guard let base, base != current else {
      (self.draft, self.base, change, others) = (draft, current, DocumentChange(draft), nil)
      return
    }
    let mine = try draft.source(over: base)
    let merge = try DefinitionMerge(base: base, mine: mine, theirs: current, takingTheirsOf: taken)
    others = Others(
      mine: try Self.difference(key, base, mine), theirs: try Self.difference(key, base, current),
      conflicts: merge.conflicts)
    if merge.conflicts.isEmpty {
      self.draft = try DefinitionDraft(key, over: merge.text, version: version)
      self.base = current
      change = DocumentChange(self.draft)
    } else {
      (self.draft, self.base) = (draft, base)
      change = DocumentChange("edited \(key)", of: [key], over: version) { text throws(FlagError) in
        let document = try DocumentSources(text)
        let theirs = try document.flag(key)
        let merge = try DefinitionMerge(base: base, mine: mine, theirs: theirs, takingTheirsOf: taken)
        return try document.replacing(key, with: merge.text)
      }
    }
  }

  private static func difference(
    _ key: String, _ old: String, _ new: String
  ) throws(FlagError) -> (words: [String], lines: LineDifference) {
    let words = try DefinitionChangeDescriber.phrases(from: old, to: new)
    return (words, try LineDifference(ofDefinitions: old, new))
  }
}

extension DefinitionDraft {
  /// Reads a draft of a flag's definition from the definition alone.
  package init(_ key: String, over source: String, version: DefinitionVersion) throws(FlagError) {
    try self.init(key, in: FlagText(Self.document(key, source), of: key), version: version)
  }

  /// Returns the definition that the draft makes of another one.
  func source(over base: String) throws(FlagError) -> String {
    try DocumentSources(text(in: Self.document(key, base))).flag(key)
  }

  private static func document(_ key: String, _ source: String) -> [UInt8] {
    Array("{\"flags\": {\(FlagValue.string(key).description): \(source)}}".utf8)
  }
}
