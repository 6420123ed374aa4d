import FlagConsole
import FlagDomain
import FlagEditing

extension RuleCard {
  /// Returns the fields of a condition; the root of a branch cannot be removed alone.
  func condition(_ condition: EditableRule.Condition, isRoot: Bool = false) -> HTML {
    let id = condition.id
    let remove = isRoot ? nil : tool(.removeCondition(id), Icon.no, "Remove the condition", id: "remove-\(id)")
    let fields =
      switch condition.content {
      case .test(let test): self.test(test, id, remove)
      case .group(let group, let conditions): self.group(group, conditions, id, remove)
      case .shared(let name): shared(name, id, remove)
      case .json(let text): json(RuleField.json.name(id), text, "Condition as JSON", remove)
      }
    if case .group = condition.content { return fields }
    return isRoot ? "\(fields)\(adds(id))" : fields
  }

  private func group(
    _ group: EditableRule.Condition.Group, _ conditions: [EditableRule.Condition], _ id: String, _ remove: HTML?
  ) -> HTML {
    let name = RuleField.group.name(id)
    let chosen = form.text(in: name, group.rawValue)
    return """
      <div class="together" role="group" aria-label="Group of conditions"><div class="test"><div class="line"><select name="\(name)" id="\(name)" aria-label="Number of conditions that must hold"\
      \(form.autofocus(name))>
      \(EditableRule.Condition.Group.allCases.map { option($0.rawValue, $0.title, chosen) })</select></div>\(remove)</div>
      <ul class="tests">\(conditions.map { "<li>\(condition($0))</li>" as HTML })</ul>\(adds(id))</div>
      """
  }

  private func adds(_ id: String) -> HTML {
    """
    <div class="adds">\(button(.addCondition(inside: id), "Add condition", id: "add-condition-\(id)", class: "add"))
    \(button(.addGroup(inside: id), "Add group", id: "add-group-\(id)", class: "add"))
    \(suggestions?.evaluators.first.map {
      button(.addShared($0, inside: id), "Add shared condition", id: "add-shared-\(id)", class: "add")
    })</div>
    """
  }

  private func shared(_ name: String, _ id: String, _ remove: HTML?) -> HTML {
    let field = RuleField.shared.name(id)
    let chosen = form.text(in: field, name)
    let known = suggestions?.evaluators ?? []
    let names = known.contains { $0.isIdentical(to: name) } ? known : [name] + known
    return """
      <div class="test" role="group" aria-label="Condition"><div class="line"><span>the shared condition</span>
      <select name="\(field)" id="\(field)" aria-label="Shared condition"\(form.autofocus(field))>
      \(names.map { option($0, $0.shortened(), chosen) })</select><span>holds</span></div>\(remove)</div>
      """
  }

  /// Returns a field for what no other field can show.
  func json(_ name: String, _ text: String, _ title: String, _ remove: HTML? = nil) -> HTML {
    let text = form.text(in: name, text)
    let rows = min(12, text.utf8.count { $0 == 0x0A } + 1)
    return """
      <div class="test json"><label class="line">\(title)<textarea name="\(name)" id="\(name)" rows="\(rows)" spellcheck="false" \
      \(described(name))\(form.autofocus(name))>
      \(exact: text)</textarea></label>\(remove)\(problem(name))</div>
      """
  }

  // MARK: - Tests

  private func test(_ test: EditableRule.Test, _ id: String, _ remove: HTML?) -> HTML {
    var fields = TestFields(test)
    form.refill(&fields, id)
    let name = TestFields.Part.attribute.name(id)
    return """
      <div class="test" role="group" aria-label="Condition"><div class="line">
      <input class="attribute" name="\(name)" id="\(name)" value="\(exact: fields.attribute)" list="attributes" \
      aria-label="Attribute" autocomplete="off" spellcheck="false" \(described(name))\(form.autofocus(name))>
      \(comparisons(fields, id))\(operand(fields, id))\(kinds(fields, id))</div>\(remove)\
      \([TestFields.Part.attribute, .operand, .until].map { problem($0.name(id)) })</div>
      """
  }

  private func comparisons(_ fields: TestFields, _ id: String) -> HTML {
    let name = TestFields.Part.comparison.name(id)
    return """
      <select class="comparison" name="\(name)" id="\(name)" aria-label="Comparison">
      \(Self.comparisons.map { title, comparisons in
        """
        <optgroup label="\(title)">\
        \(comparisons.map { option($0.rawValue, $0.title, fields.comparison.rawValue) })</optgroup>
        """
      })</select>
      """
  }

  /// The comparisons in the order and the groups in which people look for them.
  private static let comparisons: [(String, [EditableRule.Comparison])] = {
    let groups: [(String, [EditableRule.Comparison.Input])] = [
      ("Text", [.value, .text]), ("List", [.list]), ("Number", [.number, .range]), ("Version", [.version]),
      ("Date", [.date]), ("Presence", [.none]),
    ]
    return groups.map { title, inputs in
      (title, EditableRule.Comparison.allCases.filter { inputs.contains($0.input) })
    }
  }()

  private func operand(_ fields: TestFields, _ id: String) -> HTML? {
    let name = TestFields.Part.operand.name(id)
    switch fields.comparison.input {
    case .none: return nil
    case .value where fields.kind == .truth:
      return """
        <select class="operand" name="\(name)" id="\(name)" aria-label="Value">
        \(["true", "false"].map { option($0, $0, fields.operand == "false" ? "false" : "true") })</select>
        """
    case .value, .text: return input(name, fields.operand, "Value", "list=\"\(list(of: fields))\"")
    case .list: return list(name, fields)
    case .number: return input(name, fields.operand, "Number", "inputmode=\"decimal\"")
    case .range:
      let until = TestFields.Part.until.name(id)
      return """
        \(input(name, fields.operand, "From", "inputmode=\"decimal\""))<span>and</span>\
        \(input(until, fields.until, "To", "inputmode=\"decimal\""))
        """
    case .version: return input(name, fields.operand, "Version", "placeholder=\"2.1.0\"")
    case .date: return date(name, fields.operand)
    }
  }

  /// Returns the id of the list with the values of a test's attribute; empty if there is none.
  private func list(of fields: TestFields) -> String { suggestions?.listID(of: fields.attribute) ?? "" }

  private func input(_ name: String, _ text: String, _ title: String, _ more: HTML) -> HTML {
    """
    <input class="operand" name="\(name)" id="\(name)" value="\(exact: text)" aria-label="\(title)" autocomplete="off" \
    spellcheck="false" \(more) \(described(name))\(form.autofocus(name))>
    """
  }

  /// Returns the field of a list, a value a line, of which the script makes chips.
  private func list(_ name: String, _ fields: TestFields) -> HTML {
    let rows = min(8, max(2, fields.operand.utf8.count { $0 == 0x0A } + 1))
    return """
      <textarea class="operand" name="\(name)" id="\(name)" rows="\(rows)" aria-label="Values, one a line" \
      data-chips="\(list(of: fields))" spellcheck="false" \(described(name))\(form.autofocus(name))>
      \(exact: fields.operand)</textarea>
      """
  }

  /// Returns the field of a date; any other text stays as it was typed.
  private func date(_ name: String, _ text: String) -> HTML {
    let isDate = text.isEmpty || InstantText.isInstant(text)
    let step: HTML? = text.utf8.count > 16 ? " step=\"1\"" : nil
    let kind: HTML = isDate ? "type=\"datetime-local\"\(step)" : "placeholder=\"2026-01-31T09:00\""
    return "\(input(name, text, "Date and time in UTC", kind))<span class=\"muted\">UTC</span>"
  }

  private func kinds(_ fields: TestFields, _ id: String) -> HTML? {
    guard fields.comparison.input == .value || fields.comparison.input == .list else { return nil }
    let name = TestFields.Part.kind.name(id)
    return """
      <label class="kind"\(fields.showsKind ? nil : " hidden" as HTML)>as <select name="\(name)" id="\(name)" \
      aria-label="Type of the value">
      \(fields.kinds.map { option($0.rawValue, $0.rawValue, fields.kind.rawValue) })</select></label>
      """
  }

  // MARK: - Parts of fields

  func option(_ value: String, _ title: String, _ chosen: String) -> HTML {
    "<option value=\"\(exact: value)\"\(value.isIdentical(to: chosen) ? " selected" as HTML : nil)>\(title)</option>"
  }

  /// Returns the attributes that lead from a field to its problem.
  func described(_ name: String) -> HTML {
    """
    aria-describedby="problem-\(name)"\(form.problems[name] == nil ? nil : " aria-invalid=\"true\"" as HTML)
    """
  }

  /// Returns the problem of a field; hidden if there is none.
  func problem(_ name: String) -> HTML {
    let text = form.problems[name]
    return """
      <p class="problem" id="problem-\(name)"\(text == nil ? " hidden" as HTML : nil)>\(text ?? "")</p>
      """
  }
}

extension EditableRule.Condition.Group {
  fileprivate var title: String {
    switch self {
    case .all: "all of these hold"
    case .any: "at least one of these holds"
    case .none: "none of these holds"
    }
  }
}
