public import FlagDomain

/// A change of one flag in a document's text.
///
/// ```swift
/// let text = try DefinitionEdit.make(NewFlag("new-search", defaultVariant: "off")).applying(to: text)
/// ```
///
/// Everything that an edit does not name keeps its bytes. Keys and names are compared by code points.
public enum DefinitionEdit: Hashable, Sendable {
  /// Makes a flag, after all others.
  case make(NewFlag)
  /// Copies a flag with everything in it to another key, right after the flag.
  case copy(String, to: String)
  /// Gives a flag another key; it keeps its place.
  case rename(String, to: String)
  /// Switches a flag off for everyone, and marks it as one to delete after a day.
  case retire(String, gone: CalendarDay)
  /// Deletes a flag.
  case delete(String)
  /// Adds a variant after all others of a flag.
  case addVariant(FlagVariant, of: String)
  /// Sets the value of a variant.
  case setVariant(FlagVariant, of: String)
  /// Renames a variant; what uses it is rewritten, or else refuses it.
  case renameVariant(String, to: String, of: String, rewritesUses: Bool)
  /// Removes a variant; what uses it gets the replacement, or refuses it if there is none.
  case removeVariant(String, of: String, replacement: String?)
  /// Sets a member of a flag's metadata; nil removes it.
  case setMetadata(String, FlagValue?, of: String)

  /// Returns a document with the edit.
  ///
  /// The time is proportional to the text.
  ///
  /// - Parameter text: The document in the in-house format: JSON in UTF-8.
  /// - Returns: The edited document.
  /// - Throws: An error if the text is not JSON with an object of flags, if there is no such flag or variant, if a new
  ///   key or name is invalid or taken, if a value has another type than the other variants', or if something uses a
  ///   variant that is to go.
  public func applying(to text: [UInt8]) throws(FlagError) -> [UInt8] {
    var document = try FlagText(text)
    try document.apply(self)
    return document.text
  }

  /// The keys of the flags that the edit is about; the last one is the flag's key after it.
  public var keys: [String] {
    switch self {
    case .make(let flag): [flag.key]
    case .copy(_, let key), .retire(let key, _), .delete(let key): [key]
    case .rename(let key, let name): [key, name]
    case .addVariant(_, let key), .setVariant(_, let key), .renameVariant(_, _, let key, _),
      .removeVariant(_, let key, _), .setMetadata(_, _, let key):
      [key]
    }
  }

  /// The edit as a phrase for the history, such as "retired new-search".
  public var title: String {
    switch self {
    case .make(let flag): "made \(flag.key)"
    case .copy(let key, let copy): "copied \(key) to \(copy)"
    case .rename(let key, let name): "renamed \(key) to \(name)"
    case .retire(let key, _): "retired \(key)"
    case .delete(let key): "deleted \(key)"
    case .addVariant(_, let key), .setVariant(_, let key), .renameVariant(_, _, let key, _),
      .removeVariant(_, let key, _):
      "variants of \(key)"
    case .setMetadata(_, _, let key): "metadata of \(key)"
    }
  }
}

extension FlagText {
  /// Applies an edit.
  ///
  /// - Throws: The errors of ``DefinitionEdit/applying(to:)``.
  package mutating func apply(_ edit: DefinitionEdit) throws(FlagError) {
    switch edit {
    case .make(let flag): try make(flag)
    case .copy(let key, let copy): try self.copy(key, to: copy)
    case .rename(let key, let name): try rename(key, to: name)
    case .retire(let key, let day): try retire(key, gone: day)
    case .delete(let key): try delete(key)
    case .addVariant(let variant, let key): try add(variant, to: key)
    case .setVariant(let variant, let key): try set(variant, of: key)
    case .renameVariant(let name, let newName, let key, let rewrites):
      try renameVariant(name, to: newName, of: key, rewritesUses: rewrites)
    case .removeVariant(let name, let key, let replacement):
      try removeVariant(name, of: key, replacement: replacement)
    case .setMetadata(let name, let value, let key): try setMetadata(name, value, of: key)
    }
  }
}
