import FlagDefinitions
package import FlagDomain
package import FlagEditing

extension ConsoleModel {
  /// Whether flags can be made here: the definitions are in the in-house format, and may be edited.
  package var canMakeFlags: Bool { permission >= .edit && ports.definitions?.current?.document is FlagDocument }

  /// Returns a change of the current document by an edit of a flag.
  ///
  /// - Throws: An error if there is no document, or it cannot be edited here.
  package func change(_ edit: DefinitionEdit) throws(FlagError) -> DocumentChange {
    let stored = try storedDefinitions
    _ = try stored.editable
    return DocumentChange(edit, over: stored.version)
  }

  /// Returns the places in code that read a flag; nil if it is not known.
  package func readers(of key: String) async -> [String]? { await options.readers?(key) }

  /// Returns a flag's definition as the current document has it.
  ///
  /// - Throws: An error if there is no such flag.
  package func source(of key: String) throws(FlagError) -> String {
    try sources(of: storedDefinitions.text).flag(key)
  }

  /// Returns an edited definition over the current document.
  ///
  /// - Throws: An error if the flag is gone, or if the draft's rule is not JSON.
  package func edited(
    _ draft: DefinitionDraft, base: String?, takingTheirsOf taken: Set<String> = []
  ) throws(FlagError) -> EditedDefinition {
    let stored = try storedDefinitions
    return try EditedDefinition(
      draft, base: base, takingTheirsOf: taken, over: sources(of: stored.text).flag(draft.key),
      version: stored.version)
  }
}
