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
    \(HTML.segment("state", "ENABLED", "On", isChosen: draft.isEnabled == true))
    \(HTML.segment("state", "DISABLED", "Off", isChosen: draft.isEnabled == false))
    \(asWritten)
    </fieldset>
    <p class="muted">Off: everyone gets the default in the code.</p>
    <label class="select wide">Default variant<select name="default"><option value="">None: the code's default</option>
    \(HTML.options(names, chosen: draft.defaultVariant))
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
    let title = "As written: \(written.map { $0.description.shortened() } ?? "none")"
    return HTML.segment("state", "", title, isChosen: draft.isEnabled == nil)
  }
}
