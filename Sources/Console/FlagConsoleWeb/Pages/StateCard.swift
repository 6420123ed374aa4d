import FlagConsole
import FlagDomain
import FlagEditing

/// The editor of a flag's state and default variant.
struct StateCard {
  let form: EditorForm

  private var draft: DefinitionDraft { form.draft }

  var html: HTML {
    """
    <section class="card" id="state" data-fields><h2>State</h2>
    <fieldset class="segments"><legend class="sr">State</legend>
    <label><input type="radio" name="state" value="ENABLED"\
    \(draft.isEnabled == true ? " checked" as HTML : nil)><span>On</span></label>
    <label><input type="radio" name="state" value="DISABLED"\
    \(draft.isEnabled == false ? " checked" as HTML : nil)><span>Off</span></label>
    \(asWritten)
    </fieldset>
    <p class="muted">Off: everyone gets the default in the code.</p>
    <label class="select wide">Default variant<select name="default"><option value="">None: the code's default</option>
    \(names.map { name in
      """
      <option value="\(exact: name)"\(name == draft.defaultVariant ? " selected" as HTML : nil)>\
      \(name.shortened())</option>
      """
    })
    </select></label></section>
    """
  }

  /// The variants, and the default if it is none of them.
  private var names: [String] {
    draft.variants + [draft.defaultVariant].compactMap { $0 }.filter { name in !draft.variants.contains(name) }
  }

  /// The choice to leave a malformed state as it is.
  private var asWritten: HTML? {
    let written = draft.writtenState
    guard written != "ENABLED", written != "DISABLED" else { return nil }
    return """
      <label><input type="radio" name="state" value=""\(draft.isEnabled == nil ? " checked" as HTML : nil)>\
      <span>As written: \(written.map { $0.description.shortened() } ?? "none")</span></label>
      """
  }
}
