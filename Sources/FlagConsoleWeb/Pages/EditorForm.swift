import FlagConsole
import FlagDomain
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
  private var entered: ConsoleForm?

  /// Creates the form of a definition that nobody has edited.
  init(_ draft: DefinitionDraft) { self.draft = draft }

  /// Reads a form that was sent for a definition.
  init(_ form: ConsoleForm, over stored: DefinitionDraft) {
    draft = stored.based(on: form["version"] ?? "")
    draft.isEnabled = ["ENABLED": true, "DISABLED": false][form["state"] ?? ""] ?? stored.isEnabled
    draft.defaultVariant = form["default"].flatMap { $0.isEmpty ? nil : $0 }
    draft.rule = form["rule"] ?? ""
    do throws(FlagError) {
      for number in Self.numbers(in: form) { try setShares(ofSplit: number, form) }
      try setPlan(form)
      try perform(form)
    } catch {
      (problem, entered) = (error, form)
    }
  }
}

extension EditorForm {
  /// Returns the text in a field: the entered one if the form was refused.
  func text(in name: String, _ usual: String) -> String { entered?[name] ?? usual }
}
