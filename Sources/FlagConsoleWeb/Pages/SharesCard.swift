import FlagConsole

/// The editor of the shares of a rule's splits.
struct SharesCard {
  let form: EditorForm

  private var draft: DefinitionDraft { form.draft }

  var html: HTML {
    let splits = draft.splits.filter { $0.sum > 0 }
    return """
      <section class="card" id="shares"\(splits.isEmpty ? " hidden" as HTML : nil)><h2>Shares</h2>
      \(draft.splits.enumerated().filter { $1.sum > 0 }.map(split))</section>
      """
  }

  private func split(_ number: Int, _ split: WeightedSplit) -> HTML {
    """
    <fieldset class="split"><legend class="sr">Shares of split \(number + 1)</legend>
    \(split.entries.enumerated().map { index, entry in
      let (typed, slid) = (EditorForm.typed(number, index), EditorForm.slid(number, index))
      let percent = RuleExplanation.percentNumber(entry.weight, of: split.sum)
      let position = "\(EditorForm.position(of: entry.weight, in: split.sum))"
      return """
        <div class="share"><label class="ellipsis" for="\(typed)">\(entry.variant.shortened())</label>\
        <input type="range" name="\(slid)" min="0" max="1000" value="\(form.text(in: slid, position))" \
        aria-label="Share of \(entry.variant.shortened())" aria-valuetext="\(percent) %">\
        <span class="percent"><input name="\(typed)" id="\(typed)" value="\(exact: form.text(in: typed, percent))" \
        inputmode="decimal" autocomplete="off"> %</span>\
        <input type="hidden" name="\(EditorForm.weight(number, index))" value="\(entry.weight)"></div>
        """
    })
    </fieldset>
    """
  }
}
