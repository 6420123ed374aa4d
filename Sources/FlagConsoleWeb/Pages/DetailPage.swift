import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP

struct DetailPage {
  let site: Site
  let detail: FlagDetail
  var refused: (text: String, error: String)?

  private var row: FlagRow { detail.row }
  private var path: String { site.path(ofFlag: row.key.name) }

  private var console: ConsoleModel { site.console }

  var response: HTTPResponse {
    Page(
      title: "\(row.title) · Flags", kind: "detail",
      content: """
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(site.home)">\(Icon.back)All flags</a>\
        <span class="muted">\(row.groups.joined(separator: " → "))</span></nav>
        <div class="title"><span class="glyph">\(Icon.named(row.metadata.presentation.icon ?? row.dataType.icon))</span>
        <div><h1>\(row.title)</h1><p class="key"><code>\(row.key.name)</code></p></div></div>
        \(row.summary.isEmpty ? nil : "<p class=\"lead\">\(row.summary)</p>" as HTML)
        <div class="columns">
        <div class="column">\(value)\(editor)\(definition)</div>
        <div class="column" id="live" data-live>\(answers)\(explanation)\(facts)</div>
        </div>
        """
    ).response(site, refused == nil ? .ok : .unprocessableContent)
  }
}

// MARK: - The value, and changing it

extension DetailPage {
  private var value: HTML {
    """
    <section class="card" id="value" data-live aria-labelledby="value-title">
    <h2 id="value-title">Value</h2>
    <p class="big ellipsis">\(row.value.shortText)</p>
    <p class="muted">\(row.source), \(row.reasonText)\(row.resolution.variant.map { ", variant \($0)" } ?? "")</p>
    <p class="badges">\(row.tagViews)</p>
    \(row.resolution.errors.map { "<p class=\"problem\">\($0.message)</p>" as HTML })
    \(clear)
    </section>
    """
  }

  private var clear: HTML? {
    guard row.storedOverride != nil, row.isEditable else { return nil }
    return """
      <form method="post" action="\(path)/clear" data-in-place\(row.clearingQuestion?.attribute)>\
      <button class="plain" id="clear">\
      \(Icon.reset)Clear the override\(row.original.map { ": back to \($0.shortText)" } ?? "")</button></form>
      """
  }

  private var editor: HTML {
    guard row.isEditable else {
      return """
        <section class="card"><h2>Override</h2><p class="muted">\(Icon.lock) \(row.lockReason ?? "")</p></section>
        """
    }
    return """
      <section class="card" data-item aria-labelledby="override-title">
      <h2 id="override-title">Override</h2>
      <form method="post" action="\(path)/override" class="stack" data-in-place\(row.changingQuestion?.attribute)>
      \(field)
      <p class="problem" role="alert"\(refused == nil ? " hidden" as HTML : nil)>\(refused?.error ?? "")</p>
      <div class="buttons"><button class="primary" id="override">Override</button>
      \(row.offersNone ? "<button class=\"plain\" id=\"none\" name=\"none\" value=\"1\">Override with none</button>" as HTML : nil)
      \(writes)</div>
      </form>
      \(row.changingQuestion.map { "<p class=\"muted\">\($0.message)</p>" as HTML })
      </section>
      """
  }

  private var writes: HTML {
    HTML(
      detail.writableProviders.map { name in
        """
        <button class="plain" formaction="\(path)/write" name="provider" value="\(name)">Write to \(name)</button>
        """
      }
        + detail.removableProviders.map { name in
          """
          <button class="plain" formaction="\(path)/remove" name="provider" value="\(name)">Remove from \(name)</button>
          """
        })
  }

  private var field: HTML {
    let text = refused?.text ?? row.editor.text(of: row.storedOverride ?? row.value)
    let type = row.dataType.readableName
    switch row.editor {
    case .toggle, .choice: return choices(row.editor.options, text)
    case .number(let isWhole, let range, let step):
      // A text field, so that malformed input is sent and comes back with an error message.
      return """
        <label>\(type)<input name="value" id="value-field" value="\(text)" inputmode="\(isWhole ? "numeric" : "decimal")" \
        autocomplete="off"></label>\(slider(range, step))
        """
    case .text(let suggestions):
      return """
        <label>\(type)<input name="value" id="value-field" value="\(text)" list="suggestions" autocomplete="off"></label>
        <datalist id="suggestions">\(suggestions.map { "<option value=\"\($0)\"></option>" as HTML })</datalist>
        """
    case .json:
      return """
        <label>\(type)<textarea name="value" id="value-field" rows="8" spellcheck="false" data-json>\(text)</textarea></label>
        """
    }
  }

  private func slider(_ range: ClosedRange<Double>?, _ step: Double?) -> HTML? {
    guard let range else { return nil }
    let bounds = [range.lowerBound, range.upperBound, step ?? (range.upperBound - range.lowerBound) / 100]
      .map { FlagValue.double($0).description.replacing(/\.0$/, with: "") }
    return """
      <input type="range" data-for="value-field" aria-label="Value" min="\(bounds[0])" max="\(bounds[1])" step="\(bounds[2])">
      """
  }

  private func choices(_ values: [FlagValue], _ current: String) -> HTML {
    """
    <fieldset class="segments"><legend class="sr">Value</legend>
    \(values.map { value in
      """
      <label><input type="radio" name="value" value="\(value.description)"\
      \(value.description == current ? " checked" as HTML : nil)><span>\(value.shortText)</span></label>
      """
    })
    </fieldset>
    """
  }

  private var definition: HTML? {
    guard detail.canEditDefinition else { return nil }
    return """
      <section class="card"><h2>Definition</h2><p class="muted">State, default, shares and rule, for everyone.</p>
      <div class="buttons"><a class="plain" id="edit" href="\(path)/edit">Edit the definition</a></div></section>
      """
  }
}

// MARK: - Why it is so

extension DetailPage {
  private var answers: HTML {
    let isOverride = row.isOverridden
    var steps: [HTML] = [
      step("Override", row.storedOverride?.shortText ?? "none", decides: isOverride, note: nil)
    ]
    for answer in detail.answers {
      let decides = !isOverride && row.resolution.provider == answer.provider
      let text = detail.answerText(of: answer.provider)
      steps.append(step(answer.provider, text, decides: decides, note: Self.note(answer)))
    }
    steps.append(
      step("Default", row.defaultValue.shortText, decides: !isOverride && row.resolution.provider == nil, note: nil))
    return """
      <section class="card" aria-labelledby="why-title"><h2 id="why-title">Sources</h2>
      <p class="muted">The first source that has a value decides.</p><ol class="chain">\(steps)</ol></section>
      """
  }

  private func step(_ name: String, _ text: String, decides: Bool, note: String?) -> HTML {
    """
    <li\(decides ? " class=\"decides\"" as HTML : nil)><span class="ellipsis">\(name)</span>\
    <span class="ellipsis answer">\(text)\(decides ? "<span class=\"sr\"> decides</span>" as HTML : nil)</span>\
    \(note.map { "<span class=\"note\">\($0)</span>" as HTML })</li>
    """
  }

  private static func note(_ answer: ProviderAnswer<FlagValue>) -> String? {
    switch answer.outcome {
    case .success(let resolution): resolution?.reason == .disabled ? "Switched off: the default is used." : nil
    case .failure(let error): error.message
    }
  }

  private var explanation: HTML? {
    guard let explanation = detail.explanation else { return nil }
    return """
      <section class="card" aria-labelledby="how-title"><h2 id="how-title">How the rule decides</h2>
      <p>\(explanation.summary) <span class="muted">For \(console.user.map { "user \($0.id)" } ?? "a visitor").</span></p>
      \(explanation.error.map { "<p class=\"problem\">\($0.message)</p>" as HTML })
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
      case .value(let value): ("gives", Icon.value, value == .null ? "gives nothing" : "gives \(value.shortText)")
      case .failed: ("failed", Icon.no, "failed")
      }
    return """
      <li class="\(name)"><div class="step"><span class="mark">\(icon)</span><span class="phrase">\(step.phrase)</span>\
      <span class="outcome">\(text)\(step.share.map { ", \($0)" } ?? "")</span></div>\
      \(step.parts.isEmpty ? nil : "<ul>\(step.parts.map(tree))</ul>" as HTML)</li>
      """
  }

  private var facts: HTML {
    let metadata = row.metadata
    var facts: [(String, String)] = [("Type", row.dataType.readableName), ("Default", row.defaultValue.shortText)]
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
      \(facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" as HTML })</dl></section>
      """
  }
}
