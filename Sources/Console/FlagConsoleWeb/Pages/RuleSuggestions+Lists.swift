import FlagConsole
import FlagDomain
import FlagEditing

extension RuleSuggestions {
  /// Returns lists of the attributes, and of the values of those that a rule reads; fields refer to them by their ids.
  func lists(for rule: EditableRule?) -> HTML {
    let read = Set(rule?.tests.map(\.attribute) ?? [])
    return """
      <datalist id="attributes">\(attributes.map { option(AttributeName.shown($0.name)) })</datalist>
      \(attributes.enumerated().filter { read.contains($1.name) }.map { index, attribute in
        "<datalist id=\"values-\(index)\">\(attribute.values.map { option($0.text ?? $0.description) })</datalist>" as HTML
      })
      """
  }

  /// Returns the id of the list for an attribute, which is named as a field shows it; empty if there is none.
  func listID(of attribute: String) -> String {
    let name = AttributeName.read(attribute)
    return attributes.firstIndex { $0.name.isIdentical(to: name) }.map { "values-\($0)" } ?? ""
  }

  private func option(_ text: String) -> HTML { "<option value=\"\(exact: text.singleLine)\"></option>" }
}

extension EditableRule {
  /// All conditions, and those inside of them.
  var allConditions: [Condition] { lists.joined().flatMap(\.condition.all) }

  fileprivate var tests: [Test] {
    allConditions.compactMap { if case .test(let test) = $0.content { test } else { nil } }
  }

  /// The number of conditions and branches.
  var size: Int { allConditions.count + lists.count }
}
