import FlagConsole
import FlagEditing

/// The edits of two people of one flag, and the choice of a side for each part that both edited.
struct MergeView {
  let others: EditedDefinition.Others
  /// The ids of the conflicts of which their side is chosen.
  let taken: Set<String>

  var html: HTML {
    """
    <section id="conflict" aria-label="Changes of someone else">\(banner)
    <div class="columns even">\(side("Yours", others.mine))\(side("Theirs, saved", others.theirs))</div>
    \(others.conflicts.map(choice))</section>
    """
  }

  private var banner: HTML {
    if others.conflicts.isEmpty {
      return """
        <p class="banner" role="alert">Someone else saved this flag while you were editing. Both changes are in the form \
        now: look at the effect, and save again.</p>
        """
    }
    return """
      <p class="banner" role="alert">Someone else saved this flag while you were editing, and both of you changed the \
      same. Choose a side for each part; all else of both is kept. Yours is chosen until you do.</p>
      """
  }

  private func side(_ title: String, _ side: (words: [String], lines: LineDifference)) -> HTML {
    """
    <div class="card"><h2>\(title)</h2>\
    \(DifferenceView(words: side.words.isEmpty ? ["no change"] : side.words, lines: side.lines).html)</div>
    """
  }

  private func choice(_ conflict: DefinitionMerge.Conflict) -> HTML {
    let isTheirs = taken.contains(conflict.id)
    func option(_ value: String, _ title: String, _ text: String?, _ isChosen: Bool) -> HTML {
      """
      <label class="side"><input type="radio" name="side-\(exact: conflict.id)" value="\(value)"\
      \(isChosen ? " checked" as HTML : nil)><span><b>\(title)</b> <code>\((text ?? "removed").shortened(to: 600))</code>\
      </span></label>
      """
    }
    return """
      <fieldset class="card sides"><legend>\(conflict.part)</legend>
      \(option("mine", "Yours:", conflict.mine, !isTheirs))\(option("theirs", "Theirs:", conflict.theirs, isTheirs))</fieldset>
      """
  }
}
