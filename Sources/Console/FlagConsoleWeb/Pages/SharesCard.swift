import FlagConsole
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
