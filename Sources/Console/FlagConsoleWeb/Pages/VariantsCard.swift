import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing

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
      \(HTML.options(form.draft.variants, chosen: form.chosenReplacement(of: name)))
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
  let text: (AboutField) -> String

  var html: HTML {
    """
    <section class="card" id="about" aria-labelledby="about-title"><h2 id="about-title">About</h2>
    <label>Description<textarea name="about-description" rows="2">
    \(exact: text(.description))</textarea></label>
    <label>Owner<input name="about-owner" value="\(exact: text(.owner))" autocomplete="off"></label>
    <label>Expires, the last day in the code<input name="about-expires" value="\(exact: text(.expires))" \
    placeholder="2027-01-31" autocomplete="off"></label></section>
    """
  }
}

/// A variant in a form: a name and a value as a person enters them.
struct VariantRow {
  /// The name in the document; nil for a new variant.
  let written: String?
  /// The name that the rest of the form has for the variant.
  let was: String
  var name: String
  var text: String

  /// The number of variants that have fields; a flag with more is edited as text.
  static let maximum = 1000
}

extension VariantRow {
  static func rows(of draft: DefinitionDraft) -> [VariantRow] {
    draft.variantDrafts.map { VariantRow(written: $0.writtenName, was: $0.name, FlagVariant($0.name, $0.value)) }
  }

  init(written: String? = nil, was: String? = nil, _ variant: FlagVariant) {
    (self.written, self.was, name) = (written, was ?? variant.name, variant.name)
    text = variant.value.variantKind.map { FlagControl($0).text(of: variant.value) } ?? variant.value.description
  }

  /// Reads the rows that a form has; nil if it is a form without variants, or with more than have fields.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - stored: The rows of the document, whose values those without one keep.
  /// - Returns: The rows.
  static func rows(in form: ConsoleForm, over stored: [VariantRow] = []) -> [VariantRow]? {
    guard let count = form["variants"].flatMap({ Int($0) }), (0...maximum).contains(count) else { return nil }
    return (0..<count).compactMap { index in
      form["variant-\(index)-name"].map { name in
        let written = form["variant-\(index)-written"]
        let text = form["variant-\(index)-value"] ?? stored.first { $0.written == written }?.text
        return VariantRow(written: written, was: form["variant-\(index)-was"] ?? name, name: name, text: text ?? "")
      }
    }
  }

  /// Returns the variant; a value whose text is that of an old value is the old value.
  func variant(_ kind: VariantKind, before old: FlagValue? = nil) throws(FlagError) -> FlagVariant {
    let control = FlagControl(old?.variantKind ?? kind)
    if let old, control.text(of: old).withoutReturns.isIdentical(to: text.withoutReturns) {
      return FlagVariant(name, old)
    }
    do throws(FlagError) {
      return FlagVariant(name, try control.value(of: text.withoutReturns))
    } catch {
      throw FlagError(error.code, "variant \(name.isEmpty ? "without a name" : name.excerpt): \(error.message)")
    }
  }
}

/// The fields of a form's variants.
struct VariantFields {
  let rows: [VariantRow]
  let kind: VariantKind
  /// The address that a button which changes the rows sends the form to.
  let action: String
  /// The id of the field with which a person goes on; nil for none.
  var focus: String?
  /// The problems of fields, by their names.
  var problems: [String: String] = [:]
  /// Returns the parts that use a variant, as a sentence; nil for nothing to say.
  var uses: (VariantRow) -> String? = { _ in nil }

  static func name(_ index: Int) -> String { "variant-\(index)-name" }
  static func value(_ index: Int) -> String { "variant-\(index)-value" }

  var html: HTML {
    """
    <input type="hidden" name="variants" value="\(rows.count)">
    \(rows.enumerated().map { row($0, $1) })
    <div class="buttons"><button class="plain" id="add-variant" formnovalidate formaction="\(action)#variants" name="do" \
    value="add-variant">Add a variant</button></div>
    """
  }

  private func row(_ index: Int, _ row: VariantRow) -> HTML {
    let name = Self.name(index)
    let (uses, problem) = (uses(row), problems[Self.value(index)])
    return """
      <fieldset class="variant"><legend class="sr">Variant \(index + 1)</legend>
      \(row.written.map { HTML.hidden("variant-\(index)-written", $0) })
      \(HTML.hidden("variant-\(index)-was", row.was))
      <label>Name<input name="\(name)" id="\(name)" value="\(exact: row.name)" autocomplete="off" spellcheck="false"\
      \(focus == name ? " autofocus" as HTML : nil)></label>
      <label>Value\(value(index, row))</label>
      <button class="icon-button remove" id="remove-variant-\(index)" formnovalidate formaction="\(action)#variants" name="do" \
      value="remove-variant:\(index)" aria-label="Remove the variant \(row.name.shortened())">\(Icon.no)</button>
      <p class="problem" id="\(Self.value(index))-problem"\(problem == nil ? " hidden" as HTML : nil)>\(problem ?? "")</p>
      <p class="muted" data-text\(uses == nil ? " hidden" as HTML : nil)>\(uses ?? "")</p>
      </fieldset>
      """
  }

  private func value(_ index: Int, _ row: VariantRow) -> HTML {
    let name = Self.value(index)
    let isInvalid: HTML? = problems[name] == nil ? nil : " aria-invalid=\"true\" aria-describedby=\"\(name)-problem\""
    switch kind {
    case .boolean where ["true", "false"].contains(row.text):
      return """
        <select name="\(name)" id="\(name)"\(isInvalid)>\(HTML.options(["true", "false"], chosen: row.text))</select>
        """
    case .object:
      return """
        <textarea name="\(name)" id="\(name)" rows="3" spellcheck="false"\(isInvalid)>
        \(exact: row.text)</textarea>
        """
    case .string where row.text.contains(where: \.isNewline):
      return """
        <textarea name="\(name)" id="\(name)" rows="3"\(isInvalid)>
        \(exact: row.text)</textarea>
        """
    case .boolean, .number, .string:
      return """
        <input name="\(name)" id="\(name)" value="\(exact: row.text)"\
        \(kind == .number ? " inputmode=\"decimal\"" as HTML : nil) autocomplete="off"\(isInvalid)>
        """
    }
  }
}
