import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview

extension EditorForm {
  /// Takes the variants of the form under the names that the rest of the form has for them.
  ///
  /// - Parameter form: The form, whose button may remove a variant: then its value need not be one.
  /// - Returns: The reason why a value cannot be used; then the variant keeps the one in the document.
  mutating func takeVariants(_ form: ConsoleForm) -> FlagError? {
    var (variants, problem): ([VariantDraft], FlagError?) = ([], nil)
    let written = Dictionary(stored.variantDrafts.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    for (index, row) in rows.enumerated() {
      let old = row.written.flatMap { written[Array($0.utf8)] }
      var value = old ?? stored.variantKind.usualValue(named: row.was)
      do throws(FlagError) { value = try row.variant(stored.variantKind, before: old).value } catch {
        if form["do"] != "remove-variant:\(index)" {
          problem = problem ?? error
          problems[VariantFields.value(index)] = error.message
        }
      }
      variants.append(VariantDraft(writtenAs: row.written, row.was, value))
    }
    draft.variantDrafts = variants
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
