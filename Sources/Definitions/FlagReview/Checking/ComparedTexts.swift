import FlagDefinitions
import FlagDomain
import FlagJSON

/// The texts that a document's rules compare a user's own fields with, to find those that differ in letter case alone.
struct ComparedTexts {
  /// A text that a rule compares a field with.
  struct Comparison {
    let field: String
    let text: String
    let path: DocumentPath
  }

  private static let fields: Set = ["countryCode", "segments"]
  private static let operators: Set = ["==", "===", "!=", "!==", "in"]

  /// The first spelling of each text, by the field and the text in small letters.
  private var spellings: [[String]: String] = [:]

  /// Adds a comparison; returns a warning if an earlier one has the text with other capitals.
  mutating func add(_ comparison: Comparison) -> UnlocatedDiagnostic? {
    let (field, text) = (comparison.field, comparison.text)
    let key = [field, text.lowercased()]
    guard let first = spellings[key] else {
      spellings[key] = text
      return nil
    }
    guard !first.isIdentical(to: text) else { return nil }
    return UnlocatedDiagnostic(
      severity: .warning, path: comparison.path,
      message: "\(field) is compared with \(text.quoted) here and with \(first.quoted) elsewhere: "
        + "capital and small letters differ")
  }

  /// Returns the comparisons of fields that an operator with an argument makes.
  static func comparisons(by name: String, _ argument: FlagValue, at path: DocumentPath) -> [Comparison] {
    guard operators.contains(name), let operands = argument.elements, operands.count == 2,
      let index = operands.firstIndex(where: { $0.variable.map(fields.contains) == true }),
      let field = operands[index].variable
    else { return [] }
    let path = path.appending(1 - index)
    switch operands[1 - index] {
    case .string(let text): return [Comparison(field: field, text: text, path: path)]
    case .array(let elements):
      return elements.enumerated().compactMap { number, element in
        element.text.map { Comparison(field: field, text: $0, path: path.appending(number)) }
      }
    default: return []
    }
  }
}

extension FlagValue {
  /// The name of the variable that a rule reads; nil for any other rule.
  fileprivate var variable: String? {
    guard case .object(let members) = self, members.count == 1, let name = members["var"] else { return nil }
    return name.text ?? name.elements?.first?.text
  }
}
