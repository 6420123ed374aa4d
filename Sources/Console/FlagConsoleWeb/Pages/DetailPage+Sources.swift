import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagSupport

/// The sources of the value, how its rule decides, and what else is known of the flag.
extension DetailPage {
  var answers: HTML {
    let isOverride = row.isOverridden
    var steps: [HTML] = [
      step("Override", row.storedOverride?.shortText ?? "none", decides: isOverride, note: nil)
    ]
    for answer in detail.answers {
      let decides = !isOverride && row.resolution.provider == answer.provider
      let text = detail.answerText(of: answer.provider)
      steps.append(step(answer.provider, text, decides: decides, note: note(answer)))
    }
    steps.append(
      step("Default", row.defaultText, decides: !isOverride && row.resolution.provider == nil, note: nil))
    return """
      <section class="card" aria-labelledby="why-title"><h2 id="why-title">Sources</h2>
      <p class="muted">The first source that has a value decides.</p><ol class="chain">\(steps)</ol></section>
      """
  }

  private func step(_ name: String, _ text: String, decides: Bool, note: HTML?) -> HTML {
    """
    <li\(decides ? " class=\"decides\"" as HTML : nil)><span class="ellipsis">\(name.shortened())</span>\
    <span class="ellipsis answer">\(text.shortened(to: 200))\(decides ? "<span class=\"sr\"> decides</span>" as HTML : nil)</span>\
    \(note)</li>
    """
  }

  private func note(_ answer: ProviderAnswer<FlagValue>) -> HTML? {
    switch answer.outcome {
    case .success(let resolution):
      resolution?.reason == .disabled && resolution?.variant == nil
        ? "<span class=\"note\">Switched off: the default is used.</span>" : nil
    case .failure(let error) where error.code == .targetingKeyMissing:
      "<span class=\"note\">Needs a user id, and nobody is signed in.</span>"
    case .failure(let error): "<span class=\"note error\">\(error.message.shortened(to: 600))</span>"
    }
  }

  var explanation: HTML? {
    guard let explanation = console.explanation(of: detail.row.key.name) else { return nil }
    return """
      <section class="card" aria-labelledby="how-title"><h2 id="how-title">How the rule decides</h2>
      <p>\(explanation.summary.shortened(to: 600)) <span class="muted">For \(console.user.map { "user \($0.id.shortened())" } ?? "a visitor").</span></p>
      \(explanation.error.flatMap { $0.code == .targetingKeyMissing ? nil : $0 }.map { "<p class=\"problem\">\($0.message)</p>" as HTML })
      \(explanation.steps.isEmpty ? nil : "<ul class=\"tree\">\(explanation.steps.map(Self.tree))</ul>" as HTML)
      \(explanation.omittedSteps > 0 ? "<p class=\"muted\">and \(explanation.omittedSteps) more steps</p>" as HTML : nil)
      </section>
      """
  }

  private static func tree(_ step: RuleExplanation.Step) -> HTML {
    let (name, icon, text): (HTML, HTML, String) =
      switch step.outcome {
      case .condition(true): ("yes", Icon.yes, "holds")
      case .condition(false): ("no", Icon.no, "does not hold")
      case .value(.null): ("gives", Icon.value, "gives nothing")
      case .value(let value): ("gives", Icon.value, "gives \(value.shortText.shortened())")
      case .failed: ("failed", Icon.no, "failed")
      }
    return """
      <li class="\(name)"><div class="step"><span class="mark">\(icon)</span><span class="phrase">\(step.phrase.shortened(to: 600))</span>\
      <span class="outcome">\(text)\(step.share.map { ", \($0)" } ?? "")</span></div>\
      \(step.parts.isEmpty ? nil : "<ul>\(step.parts.map(tree))</ul>" as HTML)</li>
      """
  }

  var facts: HTML {
    let metadata = row.metadata
    var facts: [(String, String)] = [("Type", row.dataType.readableName), ("Default", row.defaultText)]
    if let owner = metadata.owner { facts.append(("Owner", owner)) }
    if let expires = metadata.expires { facts.append(("Expires", "\(expires)")) }
    for (name, value) in metadata.presentation.userInfo.sorted(by: { $0.key < $1.key }) {
      facts.append((name, value.shortText))
    }
    let shown = [
      "description": metadata.description, "owner": metadata.owner, "expires": metadata.expires?.description,
    ]
    for (name, value) in row.resolution.metadata.sorted(by: { $0.key < $1.key }) where shown[name] != value.shortText {
      facts.append((name, value.shortText))
    }
    return """
      <section class="card" aria-labelledby="facts-title"><h2 id="facts-title">About</h2><dl class="facts">
      \(facts.map { "<div><dt>\($0.shortened())</dt><dd>\($1.shortened(to: 600))</dd></div>" as HTML })</dl></section>
      """
  }
}
