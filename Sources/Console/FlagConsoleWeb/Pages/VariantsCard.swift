import FlagConsole
import FlagEditing
import FlagReview

/// The editor of a flag's variants.
struct VariantsCard {
  let form: EditorForm
  /// The flag's address.
  let path: String

  private var action: String { "\(path)/review" }

  var html: HTML {
    guard form.rows.count <= VariantRow.maximum else { return tooMany }
    let uses = form.draft.usesOfVariants
    return """
      <section class="card" id="variants" data-fields aria-labelledby="variants-title"><h2 id="variants-title">Variants</h2>
      \(VariantFields(
        rows: form.rows, kind: form.stored.variantKind, action: action, focus: form.focus, problems: form.problems
      ) { row in
        VariantUse.words(uses(row.name)).map { "Used by \($0)." }
      }.html)
      \(form.draft.missingVariants.prefix(20).map { missing($0, uses($0)) })
      </section>
      """
  }

  private var tooMany: HTML {
    """
    <section class="card" id="variants"><h2>Variants</h2>
    <p class="muted">The flag has \(form.rows.count) variants. More than \(VariantRow.maximum) are edited in the document.</p>
    </section>
    """
  }

  /// A name that the flag gives and no variant has, as after one was removed, and the choice of another one.
  private func missing(_ name: String, _ uses: [VariantUse]) -> HTML {
    let uses = VariantUse.words(uses) ?? ""
    return """
      <fieldset class="variant missing"><legend class="sr">Missing: \(name.shortened())</legend>
      <p class="warning">No variant is named “\(name.shortened())”, which is used by \(uses).</p>
      <label>Give instead<select name="\(exact: EditorForm.replacement(of: name))">
      \(form.draft.variants.map { other in
        let isChosen = other == form.chosenReplacement(of: name)
        return """
          <option value="\(exact: other)"\(isChosen ? " selected" as HTML : nil)>\(other.shortened())</option>
          """
      })
      </select></label>
      <button class="plain" formaction="\(action)#variants" name="do" value="replace-variant:\(exact: name)">\
      Replace everywhere</button></fieldset>
      """
  }
}

extension VariantUse {
  /// Returns uses as a phrase: "the default variant and 2 shares"; nil if there are none.
  static func words(_ uses: [VariantUse]) -> String? {
    func count(_ parts: Set<Part>, _ one: String, _ many: String) -> String? {
      let count = uses.count { parts.contains($0.part) }
      return count == 0 ? nil : count == 1 ? one : "\(count) \(many)"
    }
    let words = [
      count([.defaultVariant], "the default", "defaults"),
      count([.rule, .comparison], "the rule", "parts of the rule"),
      count([.share], "a share", "shares"),
    ].compactMap { $0 }
    guard let last = words.last else { return nil }
    return words.count == 1 ? last : "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }
}

/// The editor of a flag's description, owner and expiry.
struct AboutCard {
  let form: EditorForm

  var html: HTML {
    """
    <section class="card" id="about" aria-labelledby="about-title"><h2 id="about-title">About</h2>
    \(AboutFields { form.draft.about[$0] ?? "" }.html)</section>
    """
  }
}

/// The fields of a form with a flag's description, owner and expiry.
struct AboutFields {
  let text: (AboutField) -> String

  var html: HTML {
    """
    <label>Description<textarea name="about-description" rows="2">
    \(exact: text(.description))</textarea></label>
    <label>Owner<input name="about-owner" value="\(exact: text(.owner))" autocomplete="off"></label>
    <label>Expires, the last day in the code<input name="about-expires" value="\(exact: text(.expires))" \
    placeholder="2027-01-31" autocomplete="off"></label>
    """
  }
}
