import FlagConsole

/// The editor of the shares of a rule's splits, and of a rollout with times.
struct SharesCard {
  let form: EditorForm
  let plan: PlanFields
  /// The names of attributes that users may be kept together by.
  var attributes: [String] = []

  var html: HTML {
    """
    <section class="card" id="shares"><h2>Shares</h2>
    \(form.draft.shares.map { SplitFields(split: $0.split, number: $0.number, form: form).html })
    <datalist id="sticky-names">\(attributes.map { "<option value=\"\(exact: $0)\"></option>" as HTML })</datalist>
    \(plan.html)</section>
    """
  }
}
