public import FlagDefinitions
public import FlagDomain
public import FlagReview

extension DocumentChange {
  /// Creates the change of a document by an edit of a flag.
  public init(_ edit: DefinitionEdit, over version: DefinitionVersion) {
    self.init(edit.title, of: edit.keys, over: version) { text throws(FlagError) in try edit.applying(to: text) }
  }
}

extension ConsoleModel {
  /// Whether flags can be made here: the definitions are in the in-house format, and may be edited.
  public var canMakeFlags: Bool { permission >= .edit && ports.definitions?.current?.document is FlagDocument }

  /// Returns a change of the current document by an edit of a flag.
  ///
  /// - Throws: An error if there is no document, or it cannot be edited here.
  public func change(_ edit: DefinitionEdit) throws(FlagError) -> DocumentChange {
    let stored = try storedDefinitions
    _ = try stored.editable
    return DocumentChange(edit, over: stored.version)
  }

  /// Returns the places in code that read a flag; nil if it is not known.
  public func readers(of key: String) async -> [String]? { await options.readers?(key) }
}
