import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP

/// The page that makes a flag.
struct NewFlagPage {
  let site: Site
  let form: NewFlagForm
  /// The reason why the key cannot be; nil if it can.
  var keyProblem: String?
  let card: ReviewCard

  private var action: String { site.path("/new") }

  var response: HTTPResponse {
    ChangePage(
      site: site, kind: "new", title: "New flag", heading: "New flag", back: (site.home, "All flags"), action: action,
      fields: """
        <button class="sr" tabindex="-1" aria-hidden="true">\(card.action)</button>\(names)\(variants)\
        \(AboutCard { form.about[$0] ?? "" }.html)
        """, card: card
    ).response
  }

  private var names: HTML {
    """
    <section class="card"><h2>Flag</h2>
    \(KeyField(label: "Key, as code reads it", text: form.key, placeholder: "search.new-results", problem: keyProblem).html)
    <p class="muted">A dot makes a group: search.new-results is in the group search.</p>
    <fieldset class="segments"><legend class="sr">State</legend>
    \(HTML.segment("state", "ENABLED", "On", isChosen: form.isEnabled))
    \(HTML.segment("state", "DISABLED", "Off", isChosen: !form.isEnabled))
    </fieldset></section>
    """
  }

  private var variants: HTML {
    """
    <section class="card" id="variants" aria-labelledby="variants-title"><h2 id="variants-title">Variants</h2>
    <input type="hidden" name="type" value="\(form.kind.rawValue)">
    <div class="types" role="group" aria-label="Type of the variants">\(VariantKind.allCases.map { kind in
      """
      <button class="plain" formnovalidate formaction="\(action)#variants" name="do" value="type:\(kind.rawValue)" \
      aria-pressed="\(kind == form.kind ? "true" : "false")">\(kind.title)</button>
      """
    })</div>
    \(VariantFields(rows: form.rows, kind: form.kind, action: action).html)
    <label class="select wide">Default variant, for everyone until a rule chooses<select name="default">
    <option value="">None: the code's default</option>
    \(HTML.options(form.rows.map(\.name), chosen: form.defaultVariant))</select></label></section>
    """
  }
}

/// The field of a new key, with what is wrong with it.
struct KeyField {
  let label: String
  let text: String
  var placeholder = ""
  let problem: String?

  var html: HTML {
    """
    <label>\(label)<input name="key" id="key" value="\(exact: text)" maxlength="1024" required autocomplete="off" \
    autocapitalize="none" spellcheck="false" placeholder="\(placeholder)"\
    \(problem == nil ? nil : " aria-invalid=\"true\" aria-describedby=\"key-problem\" autofocus" as HTML)></label>
    \(problem.map { "<p class=\"problem\" id=\"key-problem\">\($0)</p>" as HTML })
    """
  }

  /// Returns the reason why a key cannot be that of a new flag, as a sentence; nil if it can.
  static func problem(_ key: String, in editor: DefinitionEditor, besides old: String? = nil) -> String? {
    if key.isEmpty { return "A flag needs a key." }
    if key.contains(where: \.isWhitespace) { return "No spaces." }
    if key.utf8.count > FlagKey.maximumLength { return "At most \(FlagKey.maximumLength) bytes." }
    if !FlagKey.isValid(key) { return "No control characters." }
    let isTaken = old?.isIdentical(to: key) != true && editor.store.current?.document.listing(of: key) != nil
    return isTaken ? "Another flag has this key." : nil
  }
}

extension VariantKind {
  /// The type's name for people.
  fileprivate var title: String {
    switch self {
    case .boolean: "On or off"
    case .number: "Number"
    case .string: "Text"
    case .object: "JSON"
    }
  }
}

/// A flag as the form of a new one describes it.
struct NewFlagForm {
  var key = ""
  var kind = VariantKind.boolean
  var rows = Self.rows(of: .boolean)
  var defaultVariant = "off"
  var isEnabled = true
  var about: [AboutField: String] = [:]

  init() {}

  /// Reads a form, and does what the pressed button says.
  init(_ form: ConsoleForm) {
    key = form["key"] ?? ""
    kind = form["type"].flatMap(VariantKind.init) ?? .boolean
    rows = VariantRow.rows(in: form) ?? Self.rows(of: kind)
    defaultVariant = form["default"] ?? ""
    isEnabled = form["state"] != "DISABLED"
    for field in AboutField.allCases { about[field] = form["about-\(field.rawValue)"] }
    // The default follows its variant's new name.
    if let row = rows.first(where: { $0.was.isIdentical(to: defaultVariant) }) { defaultVariant = row.name }
    change(form["do"] ?? "")
  }

  private mutating func change(_ button: String) {
    let words = button.split(separator: ":", maxSplits: 1).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("type", let name?):
      if let kind = VariantKind(rawValue: name), kind != self.kind { change(to: kind) }
    case ("add-variant", nil):
      let names = (rows.count + 1...2 * rows.count + 1).map { "variant-\($0)" }
      let name = names.first { name in !rows.contains { $0.name == name } } ?? ""
      rows.append(VariantRow(FlagVariant(name, kind.usualValue(named: name))))
    case ("remove-variant", let number?):
      if let index = Int(number), rows.indices.contains(index) { rows.remove(at: index) }
    default: break
    }
    rows = rows.map { row in row.renamed }
  }

  /// Changes the type: variants keep their names, and the values that fit, unless they are those of a switch.
  private mutating func change(to kind: VariantKind) {
    let isNamed = self.kind != .boolean && kind != .boolean
    rows = isNamed ? rows.map { $0.fitting(kind) } : Self.rows(of: kind)
    self.kind = kind
    guard !rows.contains(where: { $0.name == defaultVariant }) else { return }
    defaultVariant = kind == .boolean ? "off" : rows.first?.name ?? ""
  }

  /// The usual variants of a type.
  private static func rows(of kind: VariantKind) -> [VariantRow] {
    let variants: [FlagVariant] =
      switch kind {
      case .boolean: NewFlag.switchVariants
      case .number: [FlagVariant("low", 1), FlagVariant("high", 2)]
      case .string: [FlagVariant("a", "a"), FlagVariant("b", "b")]
      case .object: [FlagVariant("a", [:]), FlagVariant("b", [:])]
      }
    return variants.map { VariantRow($0) }
  }

  /// The flag.
  ///
  /// - Throws: An error if a value is not of the type, or the day is none.
  var flag: NewFlag {
    get throws(FlagError) {
      var variants: [FlagVariant] = []
      for row in rows { variants.append(try row.variant(kind)) }
      var flag = NewFlag(
        key, variants: variants, defaultVariant: defaultVariant.isEmpty ? nil : defaultVariant, isEnabled: isEnabled)
      flag.description = (about[.description] ?? "").withoutReturns
      flag.owner = about[.owner] ?? ""
      if let day = about[.expires], !day.isEmpty {
        guard let expires = CalendarDay(validating: day) else {
          throw FlagError(.general, "expires: expected a day such as 2027-01-31, found “\(day.excerpt)”")
        }
        flag.expires = expires
      }
      return flag
    }
  }
}

extension VariantRow {
  /// Returns the row, with the usual value of a type if its own is not one.
  fileprivate func fitting(_ kind: VariantKind) -> VariantRow {
    do throws(FlagError) {
      _ = try variant(kind)
      return self
    } catch {
      return VariantRow(written: written, was: was, FlagVariant(name, kind.usualValue(named: name)))
    }
  }

  /// The row in a form that has its name everywhere.
  fileprivate var renamed: VariantRow { VariantRow(written: written, was: name, name: name, text: text) }
}
