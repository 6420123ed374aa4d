public import FlagConsole
package import FlagDefinitions
public import FlagDomain
package import FlagEditing

extension ConsoleModel {
  /// Creates a console of flags, overrides, and the definitions behind the flags.
  ///
  /// - Parameters:
  ///   - catalogs: The flags that it shows; ignored if the ports have a registry.
  ///   - ports: The ports that it reads from and writes to.
  ///   - editor: The editor of the definitions; nil to show flags and overrides alone.
  ///   - options: The settings.
  /// - Throws: ``/FlagDomain/DuplicateFlagKeys`` if two flags share a key.
  public convenience init(
    catalogs: [FlagCatalog], _ ports: Ports, editor: DefinitionEditor?, options: Options = Options()
  ) throws(DuplicateFlagKeys) {
    try self.init(catalogs: catalogs, ports, definitions: editor, options: options)
  }

  /// The editor of the definitions; nil if the console shows flags and overrides alone.
  package var editor: DefinitionEditor? { definitions as? DefinitionEditor }

  /// The editor of the definitions.
  ///
  /// - Throws: An error if the console shows flags and overrides alone.
  package var existingEditor: DefinitionEditor {
    get throws(FlagError) {
      guard let editor else { throw FlagError(.general, "this console has no definitions to edit") }
      return editor
    }
  }

  /// Returns the explanation of a flag's definition for the user whom the console asks as; nil if it has none.
  package func explanation(of key: String) -> RuleExplanation? { editor?.explanation(of: key, in: context) }
}

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
