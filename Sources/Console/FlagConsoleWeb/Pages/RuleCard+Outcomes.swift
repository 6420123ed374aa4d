import FlagConsole
import FlagDomain
import FlagEditing
import FlagSupport

extension RuleCard {
  /// Returns the fields of an outcome.
  func outcome(_ outcome: EditableRule.Outcome, _ title: String) -> HTML {
    let name = RuleField.outcome.name(outcome.id)
    let usual = RuleField.choice(of: outcome.content)
    let chosen = form.text(in: name, usual)
    return """
      <div class="outcome-field"><select name="\(name)" id="\(name)" aria-label="\(title)"\(form.autofocus(name))>
      \(choices(outcome.content).map { option($0.value, $0.title, chosen) })</select>
      \(chosen.isIdentical(to: usual) ? details(outcome) : nil)</div>
      """
  }

  private func choices(_ outcome: EditableRule.Outcome.Content) -> [(value: String, title: String)] {
    let variants = form.draft.variants
    var choices = variants.map { ("variant:\($0)", $0.shortened()) }
    choices += [("", "the default variant"), ("shares", "shares")]
    switch outcome {
    case .variant(let name) where !variants.contains { $0.isIdentical(to: name) }:
      choices.append(("variant:\(name)", "\(name.shortened()) (no such variant)"))
    case .branches: choices.append(("branches", "by another rule"))
    case .json: choices.append(("json", "JSON"))
    default: break
    }
    return choices
  }

  private func details(_ outcome: EditableRule.Outcome) -> HTML? {
    switch outcome.content {
    case .variant, .defaultVariant: return nil
    case .shares(let shares):
      return splits[outcome.id].map { SplitFields(split: $0.split, number: $0.number, form: form).html }
        ?? "<p class=\"muted\" data-text>\(shares.words)</p>"
    case .branches(let list, let otherwise):
      return "<div class=\"nested\">\(branches(list))\(self.otherwise(otherwise, isAlone: false))</div>"
    case .json(let text): return json(RuleField.outcomeJSON.name(outcome.id), text, "Result as JSON")
    }
  }
}

extension EditableRule.Shares {
  /// The shares as a phrase: `10 % on, 90 % off`.
  fileprivate var words: String {
    let sum = Int(clamping: entries.reduce(Int128(0)) { $0 + Int128(max(0, $1.weight)) })
    guard sum > 0 else { return "no shares" }
    return entries.map { "\($0.weight.percent(of: sum)) \($0.variant)" }.joined(separator: ", ")
  }
}

extension EditableRule {
  /// Returns the splits that are outcomes, and their numbers, by the ids of the outcomes.
  func splits(in form: EditorForm) -> [String: (number: Int, split: WeightedSplit)] {
    // Fields of another text have other splits.
    guard form.fieldsRule == nil else { return [:] }
    let splits = form.draft.shares
    guard !splits.isEmpty else { return [:] }
    return outcomes.reduce(into: [:]) { found, outcome in
      if case .shares = outcome.content { found[outcome.id] = splits.first { outcome.isSplit($0.split) } }
    }
  }
}
