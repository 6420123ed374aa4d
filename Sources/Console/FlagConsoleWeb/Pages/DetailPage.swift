import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagPublishing
import FlagSupport

struct DetailPage {
  let site: Site
  let detail: FlagDetail
  var refused: (text: String, error: String)?
  /// The flag's own history, or the reason why it cannot be read; nil without a history.
  var history: Result<[PublishedRevision], any Error>?
  /// The places in code that read the flag; nil if this is not known.
  var readers: [String]?

  var row: FlagRow { detail.row }
  private var path: String { site.path(ofFlag: row.key.name) }

  var console: ConsoleModel { site.console }

  static func response(_ site: Site, _ key: String) async throws -> HTTPResponse {
    if site.console.row(key) == nil {
      // A flag that is only in the definitions, or that was just added to them, is shown in their editor.
      if site.console.explanation(of: key) != nil {
        return HTTPResponse(seeing: site.path(ofFlag: key, "/edit"))
      }
      if let page = MissingFlagPage(site, key) { return page.response }
    }
    var page = DetailPage(site: site, detail: try site.console.existingDetail(key))
    if let editor = site.console.editor, page.detail.definition != nil {
      if editor.hasHistory {
        do { page.history = .success(try await editor.history(of: key)) } catch { page.history = .failure(error) }
      }
      page.readers = await editor.readers(of: key)
    }
    return page.response
  }

  var response: HTTPResponse {
    Page(
      title: "\(row.title.shortened()) · Flags", kind: "detail",
      content: """
        \(HTML.crumbs(site.home, "All flags", "<span class=\"muted crumb\">\(row.groups.joined(separator: " → "))</span>"))
        <div class="title"><span class="glyph">\(Icon.named(row.metadata.presentation.icon ?? row.dataType.icon))</span>
        <div><h1\(row.title.count > 60 ? " class=\"long\"" as HTML : nil)>\(row.title.shortened(to: 2000))</h1>\
        <p class="key"><code>\(row.key.name)</code></p></div></div>
        \(row.summary.isEmpty ? nil : "<p class=\"lead\">\(row.summary)</p>" as HTML)
        <div class="columns">
        <div class="column">\(everyone)\(value)\(editor)\(environments)</div>
        <div class="column" id="live" data-live>\(ownHistory)\(reads)\(answers)\(explanation)\(facts)</div>
        </div>
        """
    ).response(site, refused == nil ? .ok : .unprocessableContent)
  }

  // MARK: - What everyone gets

  private var everyone: HTML {
    """
    <section class="card" id="everyone" data-live aria-labelledby="everyone-title">
    <div class="stack" data-item="\(path)"><h2 id="everyone-title">For everyone</h2>
    <p class="live\(row.reach.map { " \($0.rawValue)" } ?? "")"><strong class="\(row.reach == .partly ? "sr" : "big")">\
    \(row.everyone)</strong> \(rule)\(row.defaultView)</p>
    \(plan)\(HTML.badges(row.lifeViews(all: true)))\(variants)\(definition)</div></section>
    """
  }

  /// The rule, which is the largest text if it decides what everyone gets.
  private var rule: HTML? {
    row.rule.map { rule in
      let size = rule.unicodeScalars.count <= 40 ? "big" : "big rather"
      return "<span class=\"\(row.reach == .partly ? size : "muted")\">\(rule)</span>"
    }
  }

  /// The changes at times to come.
  private var plan: HTML? {
    guard let editor = console.editor else { return nil }
    let steps = editor.plan(of: row.key.name, for: console.users, isReviewed: false)
    return PlanView(steps: steps, now: editor.options.now()).html
  }

  private var variants: HTML? {
    let variants = console.editor?.store.current?.document.listing(of: row.key.name)?.variants ?? []
    guard !variants.isEmpty else { return nil }
    return """
      <dl class="facts">\(variants.prefix(20).map { variant in
        let isDefault = variant.name == detail.definition?.defaultVariant
        let (name, value) = (variant.name.shortened(), variant.value.shortText.shortened())
        return "<div><dt>\(name)\(isDefault ? ", the default" : "")</dt><dd>\(value)</dd></div>" as HTML
      })</dl>\(HTML.more(variants.count - 20, "more variants"))
      """
  }

  private var ownHistory: HTML? {
    history.map { history in
      let content: HTML =
        switch history {
        case .success([]): "<p class=\"muted\">None of the last revisions changed this flag.</p>"
        case .success(let revisions): "<ul class=\"revisions\">\(revisions.map { $0.item(site) })</ul>"
        case .failure(let error):
          "<p class=\"problem\">The history cannot be read: \("\(error)".shortened(to: 600))</p>"
        }
      return "<section class=\"card\" id=\"own-history\"><h2>History</h2>\(content)</section>"
    }
  }

  private var reads: HTML? { readers.map { ReadersCard(readers: $0, limit: 5).html } }

  // MARK: - The value, and changing it

  private var value: HTML {
    """
    <section class="card mine" id="value" data-live aria-labelledby="value-title">
    <h2 id="value-title">For me</h2>
    \(heading)
    <p class="muted">\(row.source), \(row.reasonText)\(row.resolution.variant.map { ", variant \($0)" } ?? "")</p>
    \(HTML.badges(row.tagViews))\(row.errors.map { "<p class=\"problem\">\($0.message)</p>" as HTML })
    \(row.needsUser ? "<p class=\"muted\">The rollout needs a user id, and nobody is signed in.</p>" as HTML : nil)
    \(clear)\(kept)
    </section>
    """
  }

  /// The variant that the user keeps, which ends by a button.
  private var kept: HTML? {
    guard let variant = detail.keptVariants.first else { return nil }
    return """
      <form method="post" action="\(path)/assign" data-in-place>\
      <p class="muted">This user keeps the variant \(variant.shortened()). The next change or start assigns one anew.</p>\
      <button class="plain" id="assign">\(Icon.reset)Assign anew</button></form>
      """
  }

  /// The whole value, or its beginning with a link to the whole if it is too long for a page.
  private var heading: HTML {
    let text = row.valueText
    let size = text.unicodeScalars.count
    if size <= 60 { return "<p class=\"big\">\(text)</p>" }
    if size <= Self.longestValue { return "<p class=\"big long\">\(text)</p>" }
    return """
      <p class="big long">\(text.shortened(to: Self.longestValue))</p>
      <p><a href="\(path)/value">The whole value, \(size) characters</a></p>
      """
  }

  private static let longestValue = 2000

  private var clear: HTML? {
    guard row.storedOverride != nil, row.isEditable else { return nil }
    let value = row.original.map { ": back to \($0.shortText.shortened())" } ?? ""
    return HTML.post(
      "\(path)/clear", "<button class=\"plain\" id=\"clear\">\(Icon.reset)Clear the override\(value)</button>")
  }

  private var editor: HTML {
    let reason = row.lockReason.map { "<p class=\"muted\">\(Icon.lock) \($0)</p>" as HTML }
    guard row.isEditable || !detail.writableProviders.isEmpty else {
      return """
        <section class="card mine"><h2>Override for me</h2>\(reason)</section>
        """
    }
    return """
      <section class="card mine" data-item aria-labelledby="override-title">
      <h2 id="override-title">\(row.isEditable ? "Override for me" : "Value")</h2>\(reason)
      <form method="post" action="\(path)/override" class="stack" data-in-place>
      \(field)
      <p class="problem" role="alert"\(refused == nil ? " hidden" as HTML : nil)>\(refused?.error ?? "")</p>
      <div class="buttons">\(overrides)
      \(writes)</div>
      </form>
      \(row.changingQuestion.map { "<p class=\"muted\">\($0.message)</p>" as HTML })
      \(console.storageNotice.map { "<p class=\"muted\">\($0)</p>" as HTML })
      </section>
      """
  }

  private var overrides: HTML? {
    guard row.isEditable else { return nil }
    return """
      <button class="primary" id="override">Override</button>
      \(row.offersNone ? "<button class=\"plain\" id=\"none\" name=\"none\" value=\"1\">Override with none</button>" as HTML : nil)
      """
  }

  private var writes: HTML {
    HTML(
      detail.writableProviders.map { name in
        """
        <button class="plain" formaction="\(path)/write" name="provider" value="\(exact: name)">Write to \(name)</button>
        """
      }
        + detail.removableProviders.map { name in
          """
          <button class="plain" formaction="\(path)/remove" name="provider" value="\(exact: name)">Remove from \(name)</button>
          """
        })
  }

  private var field: HTML {
    let current: FlagValue? = row.isValueUnknown ? row.storedOverride : row.storedOverride ?? row.value
    let text = refused?.text ?? current.map(row.control.text) ?? ""
    let type = row.dataType.readableName
    switch row.control {
    case .toggle, .choice: return choices(row.control.options, text)
    case .number(let isWhole, let range, let step):
      // A text field, so that malformed input is sent and comes back with an error message.
      return """
        <label>\(type)<input name="value" id="value-field" value="\(exact: text)" inputmode="\(isWhole ? "numeric" : "decimal")" \
        autocomplete="off"></label>\(slider(range, step))
        """
    case .text(let suggestions):
      return """
        <label>\(type)<input name="value" id="value-field" value="\(exact: text)" list="suggestions" autocomplete="off"></label>
        <datalist id="suggestions">\(suggestions.filter { $0.utf8.count <= 200 }.prefix(100).map { "<option value=\"\(exact: $0)\"></option>" as HTML })</datalist>
        """
    case .json:
      return """
        <label>\(type)<textarea name="value" id="value-field" rows="8" spellcheck="false" data-json>
        \(exact: text)</textarea></label>
        """
    }
  }

  private func slider(_ range: ClosedRange<Double>?, _ step: Double?) -> HTML? {
    guard let range else { return nil }
    let bounds = [range.lowerBound, range.upperBound, step ?? (range.upperBound - range.lowerBound) / 100]
      .map { FlagValue.double($0).description.replacing(/\.0$/, with: "") }
    return """
      <input type="range" hidden data-for="value-field" aria-label="Value" min="\(bounds[0])" max="\(bounds[1])" step="\(bounds[2])">
      """
  }

  private func choices(_ values: [FlagValue], _ current: String) -> HTML {
    """
    <fieldset class="segments"><legend class="sr">Value</legend>
    \(values.map { value in
      let title = row.choiceText(of: value).shortened()
      return HTML.segment("value", value.description, title, isChosen: value.description == current)
    })
    </fieldset>
    """
  }

  private var definition: HTML? {
    guard detail.definition?.isEditable == true else { return definitionNotice }
    return """
      <div class="buttons">\(row.switchLink(site))
      <a class="plain" id="edit" href="\(path)/edit">Edit the definition</a></div>
      <ul class="life">\(LifecycleAction.listed.map { action in
        "<li><a id=\"\(action.rawValue)\" href=\"\(path)/\(action.rawValue)\">\(action.title)</a></li>" as HTML
      })</ul>
      """
  }

  /// The reason why a person cannot edit the definition that there is.
  private var definitionNotice: HTML? {
    guard detail.definition != nil, console.access.permission < .edit, let notice = console.access.notice else {
      return nil
    }
    return "<p class=\"muted\">\(Icon.lock) \(notice)</p>"
  }

  /// The other environments, which the flag can be promoted to.
  private var environments: HTML? {
    guard let environments = site.environments, let current = environments.current, detail.definition != nil else {
      return nil
    }
    let others = environments.all.all.indices.filter { $0 != current }
    return """
      <section class="card"><h2>Environments</h2>
      <p class="muted">The definition can be brought to another environment, after a review.</p>
      <div class="buttons">\(others.map { number in
        let name = environments.all.all[number].name
        guard environments.mayEdit(number, in: console) else {
          return "<span class=\"muted\">\(Icon.lock) You may not edit \(name).</span>"
        }
        let path = environments.path(promoting: row.key.name, from: current, to: number)
        return "<a class=\"plain\" href=\"\(path)\">Promote to \(name)</a>"
      })</div></section>
      """
  }
}

extension ConsoleModel {
  /// Returns the flag of a key.
  ///
  /// - Throws: `FLAG_NOT_FOUND`.
  func existingDetail(_ key: String) throws(FlagError) -> FlagDetail {
    guard let detail = detail(key) else {
      throw FlagError(.flagNotFound, "No flag has the key “\(key.shortened(to: 100))”.")
    }
    return detail
  }
}

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
    for (name, value) in metadata.presentation.userInfo.inOrder {
      facts.append((name, value.shortText))
    }
    let shown = [
      "description": metadata.description, "owner": metadata.owner, "expires": metadata.expires?.description,
    ]
    for (name, value) in row.resolution.metadata.inOrder where shown[name] != value.shortText {
      facts.append((name, value.shortText))
    }
    return """
      <section class="card" aria-labelledby="facts-title"><h2 id="facts-title">About</h2><dl class="facts">
      \(facts.map { "<div><dt>\($0.shortened())</dt><dd>\($1.shortened(to: 600))</dd></div>" as HTML })</dl></section>
      """
  }
}
