import FlagDefinitions
package import FlagDomain
import FlagJSON

/// A change that was saved, and all that takes it back.
public struct SavedChange: Sendable {
  /// A flag, a shared rule, or another member of the document, before and after.
  struct Part: Sendable {
    /// The path of the part in the document.
    let path: DocumentPath
    /// The name of the member before it; nil if it was the first one.
    let predecessor: String?
    /// Its text before and after; nil if it was not there.
    let old: ArraySlice<UInt8>?
    let new: ArraySlice<UInt8>?
  }

  /// The change as a phrase, such as "edited new-profile".
  public let title: String
  /// The keys of the changed flags, sorted.
  public let keys: [String]
  let parts: [Part]
  /// The document before and after.
  private let old: DocumentSources
  private let new: DocumentSources
}

extension SavedChange {
  init(_ title: String, from old: DocumentSources, to new: DocumentSources) {
    (self.title, self.old, self.new) = (title, old, new)
    keys = new.differing(from: old)
    let predecessors = old.predecessors
    parts = (keys.map { .flags.appending($0) } + new.differingParts(from: old)).map { path in
      Part(path: path, predecessor: predecessors[path], old: old.source(at: path), new: new.source(at: path))
    }
  }

  /// Returns a document with the old text of the parts; everything else stays as it is.
  package func undone(in text: [UInt8]) throws(FlagError) -> [UInt8] {
    if text == new.text { return old.text }
    let restored = try DocumentSources(text).replacing(parts.compactMap { part in part.old.map { (part.path, $0) } })
    let current = try DocumentSources(restored)
    var editor = try JSONEditor(restored)
    // Flags and rules come back in their order, each after the one that it followed.
    for part in parts where (part.old == nil) != (current.source(at: part.path) == nil) {
      if let old = part.old {
        try Self.insert(String(decoding: old, as: UTF8.self), part, into: &editor)
      } else {
        try editor.remove(part.path)
      }
    }
    if !old.hasSharedRules, editor.source(of: .evaluators).map(Self.isEmptyObject) == true {
      try editor.remove(.evaluators)
    }
    return editor.text
  }

  private static func insert(_ source: String, _ part: Part, into editor: inout JSONEditor) throws(FlagError) {
    guard let name = part.path.name else { return }
    let object = part.path.prefix(part.path.count - 1)
    if let name = object.name, editor.range(of: object) == nil {
      try editor.insertMember(name, "{}", after: "flags", in: .root)
    }
    let predecessor = part.predecessor.flatMap { editor.range(of: object.appending($0)) == nil ? nil : $0 }
    try editor.insertMember(name, source.unindented, after: predecessor, in: object)
  }

  private static func isEmptyObject(_ text: String) -> Bool { text.filter { !$0.isWhitespace } == "{}" }

  /// Returns what others changed after this change: the keys of flags, and then other parts in words.
  package func changedAgain(in text: [UInt8]) throws(FlagError) -> [String] {
    let current = try DocumentSources(text)
    return parts.filter { part in current.source(at: part.path) != part.new }.map(\.words)
  }
}

extension SavedChange.Part {
  /// The key of the flag, or the part in words.
  fileprivate var words: String { path.isFlag ? path.name ?? "" : path.partWords }
}
