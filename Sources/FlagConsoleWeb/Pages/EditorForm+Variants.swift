import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagReview

extension EditorForm {
  /// Takes the variants of the form under the names that the rest of the form has for them.
  ///
  /// - Returns: The reason why a value cannot be used; then the variant keeps the one in the document.
  mutating func takeVariants() -> FlagError? {
    var problem: FlagError?
    draft.variantDrafts = rows.map { row in
      let old = row.written.flatMap { name in stored.variantDrafts.first { $0.name.isIdentical(to: name) } }
      var value = old?.value ?? stored.variantKind.usualValue(named: row.was)
      do throws(FlagError) { value = try row.variant(stored.variantKind, before: old?.value).value } catch {
        problem = problem ?? error
      }
      return VariantDraft(writtenAs: row.written, row.was, value)
    }
    return problem
  }

  /// Gives the variants their new names, also wherever the form has the old ones.
  mutating func renameVariants() throws(FlagError) {
    try draft.rewriteUses(rows.filter { !$0.was.isIdentical(to: $0.name) }.map { ($0.was, $0.name) })
    for (index, row) in rows.enumerated() { draft.variantDrafts[index].name = row.name }
  }

  /// Changes the variants as the pressed button says, if it is one for variants.
  mutating func changeVariants(_ form: ConsoleForm) throws(FlagError) {
    let words = (form["do"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("add-variant", nil):
      draft.addVariant()
      focus = VariantFields.name(draft.variantDrafts.count - 1)
    case ("remove-variant", let number?):
      guard let index = Int(number), draft.variantDrafts.indices.contains(index) else { return }
      draft.variantDrafts.remove(at: index)
    case ("replace-variant", let name?):
      guard let replacement = form[Self.replacement(of: name)], draft.variants.contains(replacement) else { return }
      try draft.rewriteUses([(name, replacement)])
    default: break
    }
  }

  /// Returns the name of the field with the variant that is given instead of a removed one.
  static func replacement(of name: String) -> String { "replacement-\(name)" }

  mutating func readAbout(_ form: ConsoleForm) {
    for field in AboutField.allCases {
      if let text = form["about-\(field.rawValue)"] { draft.about[field] = text.isEmpty ? nil : text }
    }
  }
}
