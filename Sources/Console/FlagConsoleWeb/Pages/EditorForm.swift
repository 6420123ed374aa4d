import FlagConsole
import FlagDomain
import FlagEditing
import FlagHTTP

/// A definition as a form describes it, and what a person entered into the form.
///
/// The shares of a split are in the form three times: as percentages to type in, on sliders, and as the weights that
/// both were made from. What differs from those weights was edited, with a script, by keys and without a script alike.
struct EditorForm {
  /// The definition that the form describes, as far as it is well-formed.
  var draft: DefinitionDraft
  /// The reason why the shares cannot be used; nil if they can.
  var problem: FlagError?
  /// The problems of single fields, by their names.
  var problems: [String: String] = [:]
  /// The rule that the fields were made from, if that is not the draft's.
  var fieldsRule: String?
  /// The id of the element with which a person goes on; nil for none.
  var focus: String?
  /// The tab of the rule that was shown; nil for the usual one.
  private(set) var tab: String?
  private var entered: ConsoleForm?
  private var sent: ConsoleForm?
  /// The variants as they are in the form.
  var rows: [VariantRow]
  /// The definition in the document.
  let stored: DefinitionDraft

  /// Creates the form of a definition that nobody has edited.
  init(_ draft: DefinitionDraft) { (self.draft, stored, rows) = (draft, draft, VariantRow.rows(of: draft)) }

  /// Reads a form that was sent for a definition.
  init(_ form: ConsoleForm, over stored: DefinitionDraft) {
    self.stored = stored
    sent = form
    let written = VariantRow.rows(of: stored)
    rows = VariantRow.rows(in: form, over: written) ?? written
    draft = stored.based(on: form["version"] ?? "")
    draft.isEnabled = ["ENABLED": true, "DISABLED": false][form["state"] ?? ""] ?? stored.isEnabled
    draft.defaultVariant = form["default"].flatMap { $0.isEmpty ? nil : $0 }
    readAbout(form)
    let invalid = takeVariants(form)
    tab = form["rule-tab"]
    let isText = takeRule(form)
    // A form that is refused keeps what its fields show.
    let shown = draft
    do throws(FlagError) {
      try changeRule(form, isText: isText)
      if let invalid { throw invalid }
      if form["variants"] != nil { try renameVariants() }
      try changeVariants(form)
      rows = VariantRow.rows(of: draft)
    } catch {
      (draft, problem, entered) = (shown, error, form)
    }
  }

  /// Returns the text in a field: the entered one if the form was refused.
  func text(in name: String, _ usual: String) -> String { entered?[name] ?? usual }

  /// Returns the variant that was chosen in place of a missing one; nil if nothing was sent.
  func chosenReplacement(of name: String) -> String? { sent?[Self.replacement(of: name)] }

  /// Puts the entered text into the fields of a test if the form was refused.
  func refill(_ fields: inout TestFields, _ id: String) {
    if let entered { fields.take(id, from: entered) }
  }

  /// Returns the attribute of the element with which a person goes on; nil for every other one.
  func autofocus(_ id: String) -> HTML? { id == focus ? " autofocus" : nil }
}
