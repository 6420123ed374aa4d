import FlagEditing

/// The editor of the shares of a rule's splits, and of a rollout with times.
struct SharesCard {
  let form: EditorForm
  let plan: PlanFields
  /// The names of attributes that users may be kept together by.
  var attributes: [String] = []
  /// The numbers of the splits that have fields in the form of the rule.
  var elsewhere: Set<Int> = []

  var html: HTML {
    let shares = form.draft.shares.filter { !elsewhere.contains($0.number) }
    return """
      <section class="card" id="shares" data-fields>\(shares.isEmpty ? nil : "<h2>Shares</h2>" as HTML)
      \(shares.map { SplitFields(split: $0.split, number: $0.number, form: form).html })
      <datalist id="sticky-names">\(attributes.map { "<option value=\"\(exact: $0)\"></option>" as HTML })</datalist>
      \(plan.html)</section>
      """
  }
}

/// The fields of a split: a slider and a percentage for each share, and the attribute by which users keep theirs.
struct SplitFields {
  let split: WeightedSplit
  /// The number of the split in the rule.
  let number: Int
  let form: EditorForm

  var html: HTML {
    """
    <fieldset class="split" id="split-\(number)"><legend class="sr">Shares of split \(number + 1)</legend>
    \(split.entries.enumerated().map(share))
    <div class="buttons"><button class="plain" name="do" value="equal-shares:\(number)" id="equal-\(number)">\
    Equal shares</button>\(adding)</div>
    \(stickiness)
    </fieldset>
    """
  }

  private func share(_ index: Int, _ entry: WeightedSplit.Entry) -> HTML {
    let (typed, slid) = (EditorForm.typed(number, index), EditorForm.slid(number, index))
    let percent = RuleExplanation.percentNumber(entry.weight, of: split.sum)
    let position = "\(EditorForm.position(of: entry.weight, in: split.sum))"
    let name = entry.variant.shortened()
    let was = EditorForm.weight(number, index)
    return """
      <div class="share"><label class="ellipsis" for="\(typed)">\(name)</label>\
      <input type="range" name="\(slid)" min="0" max="1000" value="\(form.text(in: slid, position))" \
      aria-label="Share of \(name)" aria-valuetext="\(percent) %">\
      <span class="percent"><input name="\(typed)" id="\(typed)" value="\(exact: form.text(in: typed, percent))" \
      inputmode="decimal" autocomplete="off"> %</span>\
      <input type="hidden" name="\(was)" value="\(entry.weight)">\(removal(index, name))</div>
      """
  }

  private func removal(_ index: Int, _ name: String) -> HTML? {
    guard split.entries.count > 1 else { return nil }
    let place = "\(number)-\(index)"
    return """
      <button class="icon-button" name="do" value="remove-share:\(place)" id="remove-share-\(place)" \
      aria-label="Remove the share of \(name)">\(Icon.no)</button>
      """
  }

  /// The choice of a variant to add; nil if the split has all of them.
  private var adding: HTML? {
    let taken = Set(split.entries.map(\.variant))
    let others = form.draft.variants.filter { !taken.contains($0) }
    guard !others.isEmpty else { return nil }
    return """
      <select name="add-\(number)" aria-label="Variant to add to split \(number + 1)">\
      \(HTML.options(others))</select>\
      <button class="plain" name="do" value="add-share:\(number)" id="add-share-\(number)">Add</button>
      """
  }

  private var stickiness: HTML {
    let name = EditorForm.sticky(number)
    return """
      <label>Same users by<input name="\(name)" id="\(name)" value="\(exact: form.text(in: name, split.stickiness))" \
      list="sticky-names" placeholder="user id" autocomplete="off" spellcheck="false" aria-describedby="\(name)-help">\
      </label><input type="hidden" name="sticky-was-\(number)" value="\(exact: split.stickiness)">
      <p class="muted" id="\(name)-help" data-text>\(help)</p>
      """
  }

  private var help: String {
    if split.stickiness.isEmpty {
      return "A user always gets the same variant. By another attribute, such as company, all of a company do."
    }
    let others = split.groupsUsersWithoutAttribute ? "all users without it do, too" : "users without it are in no share"
    return "Users with the same \(split.stickiness.shortened()) get the same variant; \(others)."
  }
}
