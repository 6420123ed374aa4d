import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagReview

extension EditorForm {
  /// Reads the variants of a form, and writes new names wherever the form has old ones; then does what the pressed
  /// button says.
  mutating func readVariants(_ form: ConsoleForm) throws(FlagError) {
    guard form["variants"] != nil else { return }
    var drafts: [VariantDraft] = []
    for row in rows {
      let old = row.written.flatMap { name in stored.variantDrafts.first { $0.name.isIdentical(to: name) } }
      let variant = try row.variant(stored.variantKind, before: old?.value)
      drafts.append(VariantDraft(writtenAs: row.written, variant.name, variant.value))
    }
    draft.variantDrafts = drafts
    try draft.rewriteUses(rows.filter { !$0.was.isIdentical(to: $0.name) }.map { ($0.was, $0.name) })
    try changeVariants(form)
    rows = VariantRow.rows(of: draft)
  }

  /// Changes the variants as the pressed button says, if it is one for variants.
  private mutating func changeVariants(_ form: ConsoleForm) throws(FlagError) {
    let words = (form["do"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("add-variant", nil): draft.addVariant()
    case ("remove-variant", let name):
      guard let index = rows.firstIndex(where: { $0.was.isIdentical(to: name ?? "") }) else { return }
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
