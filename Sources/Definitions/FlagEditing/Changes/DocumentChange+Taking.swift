package import FlagDefinitions
package import FlagDomain
package import FlagJSON

extension DocumentChange {
  /// Creates the change that takes parts of a document from another one: those that it lacks are removed.
  package init(
    _ title: String, of keys: [String], taking parts: [DocumentPath], from source: DocumentSources,
    over version: DefinitionVersion
  ) {
    self.init(title, of: keys, over: version) { text throws(FlagError) in
      try DocumentSources(text).taking(parts, from: source)
    }
  }

  /// Creates the change back from a document to an older one; what others change elsewhere meanwhile stays.
  package init(
    _ title: String, from new: DocumentSources, backTo old: DocumentSources, over version: DefinitionVersion
  ) {
    self.init(title, of: new.differing(from: old), over: version) { text throws(FlagError) in
      text == new.text ? old.text : try DocumentSources(text).taking(new.changedParts(from: old), from: old)
    }
  }
}

/// A change that was saved, and can be taken back.
package struct SavedChange: Sendable {
  /// The change as a phrase, such as "edited new-profile".
  package let title: String
  /// The keys of the changed flags, sorted.
  package let keys: [String]
  /// The document before and after.
  private let old: DocumentSources
  private let new: DocumentSources

  init(_ title: String, from old: DocumentSources, to new: DocumentSources) {
    (self.title, self.old, self.new) = (title, old, new)
    keys = new.differing(from: old)
  }

  /// Returns the change that takes it back.
  package func undoing(over version: DefinitionVersion) -> DocumentChange {
    let title = title.hasPrefix("undid: ") ? String(title.dropFirst(7)) : "undid: \(title)"
    return DocumentChange(title, from: new, backTo: old, over: version)
  }
}

extension DocumentSources {
  /// Returns a document with a change that was made to this one, of which others have changed other flags meanwhile.
  ///
  /// - Parameters:
  ///   - mine: The text of this document with the change.
  ///   - theirs: The text of this document with the changes of others.
  /// - Returns: The text with both; nil if others changed the same flag differently, or what flags share.
  /// - Throws: A parse error if a text is not JSON.
  package func merging(_ mine: [UInt8], into theirs: [UInt8]) throws(FlagError) -> [UInt8]? {
    let (mine, theirs) = (try DocumentSources(mine), try DocumentSources(theirs))
    let parts = mine.changedParts(from: self)
    guard theirs.differingParts(from: self).isEmpty,
      parts.allSatisfy({ [source(at: $0), mine.source(at: $0)].contains(theirs.source(at: $0)) })
    else { return nil }
    return try theirs.taking(parts, from: mine)
  }

  /// Returns the paths of the flags and of the parts between them that differ from those of another document.
  fileprivate func changedParts(from other: DocumentSources) -> [DocumentPath] {
    differing(from: other).map { .flags.appending($0) } + differingParts(from: other)
  }

  /// Returns the document with parts as another one has them; everything else keeps its bytes.
  ///
  /// A part that is new here follows the nearest one that it follows there.
  fileprivate func taking(_ parts: [DocumentPath], from other: DocumentSources) throws(FlagError) -> [UInt8] {
    var editor = try JSONEditor(text)
    let blocks = parts.map { ($0, other.block(at: $0)) }
    editor.replace(blocks.compactMap { path, block in block.flatMap { block in range(of: path).map { ($0, block) } } })
    for (path, block) in blocks where (block == nil) != (range(of: path) == nil) {
      guard let name = path.name, let block else {
        try editor.remove(path)
        continue
      }
      let object = path.prefix(path.count - 1)
      if let name = object.name, editor.range(of: object) == nil {
        try editor.insertMember(name, "{}", after: "flags", in: .root)
      }
      let names = object == .flags ? other.keys : object == .evaluators ? other.ruleNames : []
      let present = StringMap(editor.names(in: object).map { ($0, ()) })
      let predecessor = names[..<(names.lastIndex(of: name) ?? 0)].last { present[$0] != nil }
      try editor.insertMember(name, block, after: predecessor, in: object)
    }
    return editor.text
  }

  /// Returns a part as it is written, without the indentation of the line that it begins in; nil if there is none.
  private func block(at path: DocumentPath) -> String? {
    guard let source = source(at: path) else { return nil }
    let feed = UInt8(ascii: "\n")
    guard source.contains(feed) else { return String(decoding: source, as: UTF8.self) }
    let start = text[..<source.startIndex].lastIndex(of: feed).map { $0 + 1 } ?? 0
    let margin = text[start..<source.startIndex].prefix { [0x20, 0x09].contains($0) }
    let lines = source.split(separator: feed, omittingEmptySubsequences: false)
    let rest = lines.dropFirst().map { $0.starts(with: margin) ? $0.dropFirst(margin.count) : $0 }
    return String(decoding: Array((lines.prefix(1) + rest).joined(separator: [feed])), as: UTF8.self)
  }
}
