import FlagConsole
import FlagDomain
import FlagHTTP

struct RowView {
  private let row: FlagRow
  private let path: String
  private let site: Site
  /// The query of the list.
  private let list: String
  private let showsStaleness: Bool

  init(_ row: FlagRow, _ site: Site, in list: String, showsStaleness: Bool = false) {
    (self.row, self.site, self.list, self.showsStaleness) = (row, site, list, showsStaleness)
    path = site.path(ofFlag: row.key.name)
  }

  var html: HTML {
    """
    <li class="row\(row.mark.map { " tint-\($0.tint.rawValue)" } ?? "")" data-item="\(path)">
    <div class="what"><p class="name"><a href="\(path)" id="\(path)">\(row.title.shortened(to: 200))</a>\
    <code class="key">\(row.key.name.shortened(to: 200))</code>\(tags)</p>
    <p class="live\(row.reach.map { " \($0.rawValue)" } ?? "")"><strong>\(row.everyone)</strong> \
    \(row.rule.map { "<span>\($0.shortened(to: 240))</span>" as HTML })\(row.defaultView)\
    \(row.switchLink(site, list: list))</p>
    \(row.summary.isEmpty ? nil : "<p class=\"summary\">\(row.summary.shortened(to: 300))</p>" as HTML)
    <p class="problem" role="alert" hidden></p></div>
    <p class="source"><span>For me</span><span class="reason">\(row.source), \(row.reasonText)</span></p>
    <div class="control">\(reset)\(control)</div>
    </li>
    """
  }

  private var tags: HTML {
    HTML(row.tagViews + row.lifeViews(all: showsStaleness) + row.metadataTags.prefix(8).map(topic))
  }

  /// A tag of the flag's metadata, which leads to the flags that have it.
  private func topic(_ tag: String) -> HTML {
    """
    <a class="tag topic" href="\(site.home)?tag=\(PercentEncoding.encode(tag))"><span class="sr">Tag </span>\
    \(tag.shortened(to: 40))</a>
    """
  }

  /// The button that clears the override; its space stays reserved without one, so that nothing moves.
  private var reset: HTML? {
    guard row.defaultAction != nil else { return nil }
    return """
      <form method="post" action="\(path)/clear" data-in-place>
      <button class="icon-button" id="\(path)/clear" title="Clear the override" aria-label="Clear the override of \(row.title.shortened())">\
      \(Icon.reset)</button></form>
      """
  }

  private var control: HTML {
    guard row.control == .toggle, let isOn = row.isOn else {
      return "<a class=\"value ellipsis\" href=\"\(path)\" tabindex=\"-1\">\(row.valueText.shortened())</a>"
    }
    let button: HTML = """
      <button class="switch" role="switch" aria-checked="\(isOn ? "true" : "false")" aria-label="\(row.title.shortened())" \
      id="\(path)/switch"\(row.isEditable ? nil : " disabled" as HTML)><span class="knob"></span></button>
      """
    guard row.isEditable else { return button }
    return """
      <form method="post" action="\(path)/override" data-in-place><input type="hidden" name="value" \
      value="\(isOn ? "false" : "true")">\(button)</form>
      """
  }
}

extension FlagRow {
  /// Returns the link to the change that switches the flag off for everyone, or on again; a script shows it below.
  ///
  /// From a list, the change leads back to it, by the list's query.
  func switchLink(_ site: Site, list: String? = nil) -> HTML? {
    guard let definition, definition.isEditable else { return nil }
    let action: LifecycleAction = definition.state == "On" ? .off : .on
    let path = site.path(ofFlag: key.name, "/\(action.rawValue)")
    return """
      <a class="\(list == nil ? "plain" : "act")" id="\(path)" href="\(path)\(LifecycleAction.query(list))" data-below>\
      \(action.title)<span class="sr">: \(title.shortened())</span></a>
      """
  }

  /// The marks of what is to come, and of what may be over: all reasons for the latter, or one word.
  func lifeViews(all: Bool) -> [HTML] {
    let reasons = staleness.filter { $0 != .expired }
    let isRetired = reasons.contains(.retired)
    let titles =
      all ? reasons.map(\.title) : isRetired ? [FlagStaleness.retired.title] : reasons.isEmpty ? [] : ["Stale"]
    let isScheduled = definition?.isScheduled == true
    return (isScheduled ? ["<span class=\"tag scheduled\">Scheduled</span>"] : [])
      + titles.map { title in
        "<span class=\"tag stale\" title=\"\(reasons.map(\.title).joined(separator: ", "))\">\(title)</span>"
      }
  }

  /// The rule in words, if it decides: not of a flag that is off.
  var rule: String? { definition?.state == "On" ? definition?.rule : nil }

  /// The default variant that a rule leaves users to.
  var defaultView: HTML? {
    guard rule != nil, definition?.usesDefault == true, let variant = definition?.defaultVariant else { return nil }
    return "<span class=\"muted\">, default \(variant.shortened(to: 60))</span>"
  }

  var tagViews: [HTML] {
    let mark: HTML? = mark.map { "<span class=\"tag mark tint-\($0.tint.rawValue)\">\($0.label.shortened())</span>" }
    return [mark].compactMap { $0 }
      + tags.map { tag in
        "<span class=\"tag \(tag.rawValue)\">\(tag == .locked ? Icon.lock : nil)\(tag.title)</span>"
      }
  }

  var reasonText: String {
    switch resolution.reason {
    case .static: "same for everyone"
    case .default: resolution.provider == nil ? "no provider has a value" : "no rule applies"
    case .error where needsUser: "needs a user id"
    case .targetingMatch: "a rule applies"
    case .split: "by percentage"
    case .cached: "cached"
    case .stale: "may be out of date"
    case .disabled: "switched off"
    case .override: "set by hand"
    case .computed: "computed in code"
    case .fallback: "no provider has a value"
    case .prerequisiteFailed: "a flag that it requires is off"
    case .error: "an error"
    default: resolution.reason.rawValue.lowercased()
    }
  }
}
