import FlagConsole
import FlagDomain

/// The names and values that the fields of a rule suggest.
struct RuleSuggestions {
  /// An attribute of the document's rules or of known users, and values of it that were seen.
  struct Attribute {
    let name: String
    let values: [String]
  }

  var attributes: [Attribute] = []
  /// The names of the shared conditions.
  var evaluators: [String] = []
}

extension RuleSuggestions {
  /// Returns the suggestions for a rule, each a list that fields refer to by its id.
  func lists(for rule: EditableRule?) -> HTML {
    let read = Set(rule?.tests.map(\.attribute) ?? [])
    return """
      <datalist id="attributes">\(attributes.map { option(AttributeName.shown($0.name)) })</datalist>
      \(attributes.enumerated().filter { read.contains($1.name) }.map { index, attribute in
        "<datalist id=\"values-\(index)\">\(attribute.values.map(option))</datalist>" as HTML
      })
      """
  }

  /// Returns the id of the list for an attribute as a field shows it; empty if there is none.
  func id(of attribute: String) -> String {
    let name = AttributeName.read(attribute)
    return attributes.firstIndex { $0.name.isIdentical(to: name) }.map { "values-\($0)" } ?? ""
  }

  private func option(_ text: String) -> HTML { "<option value=\"\(exact: text)\"></option>" }
}

extension EditableRule {
  /// All conditions, and those inside of them.
  var conditions: [Condition] { lists.joined().flatMap(\.condition.all) }

  fileprivate var tests: [Test] {
    conditions.compactMap { if case .test(let test) = $0.content { test } else { nil } }
  }

  /// The number of conditions and branches.
  var size: Int { conditions.count + lists.count }
}
