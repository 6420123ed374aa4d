package import FlagDefinitions
package import FlagDomain

/// An edit of the definitions' document that can be reviewed and then saved.
package struct DocumentChange: Sendable {
  /// The change as a phrase for the history, such as "edited new-profile".
  package let title: String
  /// The keys of the flags that it is about.
  package let keys: [String]
  /// The version of the document that it is based on.
  package let version: DefinitionVersion
  private let edit: @Sendable ([UInt8]) throws(FlagError) -> [UInt8]

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - title: The change as a phrase for the history.
  ///   - keys: The keys of the flags that it is about.
  ///   - version: The version of the document that it is based on.
  ///   - text: Returns the text of the changed document. It may be called several times, with a document that someone
  ///     else changed since.
  package init(
    _ title: String, of keys: [String], over version: DefinitionVersion,
    text: @escaping @Sendable ([UInt8]) throws(FlagError) -> [UInt8]
  ) {
    (self.title, self.keys, self.version) = (title, keys, version)
    edit = text
  }

  /// Creates the change of a flag's definition to a draft.
  package init(_ draft: DefinitionDraft) {
    self.init("edited \(draft.key)", of: [draft.key], over: draft.version) { text throws(FlagError) in
      try draft.text(in: text)
    }
  }

  /// Returns the text of the changed document.
  ///
  /// - Throws: A parse error if an edited part is not JSON, or an error if the document cannot be changed so.
  package func text(in document: [UInt8]) throws(FlagError) -> [UInt8] { try edit(document) }

  /// Creates the change of a document by an edit of a flag.
  package init(_ edit: DefinitionEdit, over version: DefinitionVersion) {
    self.init(edit.title, of: edit.keys, over: version) { text throws(FlagError) in try edit.applying(to: text) }
  }
}
