package import FlagConsole
package import FlagDefinitions

extension FlagControl {
  /// Creates the control that edits the value of a variant.
  package init(_ kind: VariantKind) {
    self =
      switch kind {
      case .boolean: .toggle
      case .number: .number(isWhole: false, range: nil, step: nil)
      case .string: .text(suggestions: [])
      case .object: .json
      }
  }
}
