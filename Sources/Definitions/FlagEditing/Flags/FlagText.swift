import FlagDefinitions
package import FlagDomain
import FlagJSON
import FlagReview

/// A document's text in which flags are found and edited.
///
/// A flag is found in one pass over the text, and edited within its own text.
package struct FlagText: Sendable {
  /// The text in UTF-8.
  package private(set) var text: [UInt8]
  /// The flag that was looked up last, and its offsets; nil offsets if there is no such flag.
  private var known: (key: String, range: Range<Int>?)?

  static let flags = DocumentPath.root.appending("flags")

  /// Reads a document's text.
  ///
  /// - Parameters:
  ///   - text: The text in UTF-8.
  ///   - key: The key of a flag that is looked up in the same pass; nil for none.
  /// - Throws: An error if it is not JSON with an object of flags.
  package init(_ text: [UInt8], of key: String? = nil) throws(FlagError) {
    self.text = text
    known = (key ?? "", try Self.range(of: key, in: text))
  }

  /// Returns the offsets of a flag's text; nil if there is no such flag.
  private func range(of key: String) throws(FlagError) -> Range<Int>? {
    if let known, known.key.isIdentical(to: key), known.range != nil { return known.range }
    return try Self.range(of: key, in: text)
  }

  /// Returns the offsets of the last flag with a key, after reading the whole text.
  private static func range(of key: String?, in text: [UInt8]) throws(FlagError) -> Range<Int>? {
    var (found, hasFlags): (Range<Int>?, Bool) = (nil, false)
    do throws(JSONError) {
      try JSONReader.read(text) { reader throws(JSONError) in
        if reader.kind == .object { try reader.enterObject() } else { return try reader.finish() }
        while let name = try reader.nextName() {
          guard name == "flags" else { continue }
          (found, hasFlags) = (nil, reader.kind == .object)
          guard hasFlags else { continue }
          try reader.enterObject()
          while let name = try reader.nextName() {
            if let key, name.isIdentical(to: key) { found = try reader.skipValue() }
          }
        }
        try reader.finish()
      }
    } catch {
      throw FlagError(error, in: text)
    }
    guard hasFlags else {
      let isInside = KubernetesResource.document(in: text) != nil
      throw FlagError(
        .parseError,
        "\(flags): expected an object with the flags by their keys"
          + (isInside ? ", found a resource of Kubernetes, which is read and not changed" : ""))
    }
    return found
  }

  // MARK: - One flag

  /// Returns a flag's definition as it is written.
  ///
  /// - Throws: `FLAG_NOT_FOUND`, or an error if the flag is not an object.
  package func source(of key: String) throws(FlagError) -> [UInt8] {
    guard let range = try range(of: key) else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.excerpt)”")
    }
    guard text[range.lowerBound] == UInt8(ascii: "{") else {
      throw FlagError(
        .general, "\(Self.flags.appending(key)): expected an object with a flag's \"state\" and \"variants\"")
    }
    return Array(text[range])
  }

  /// Returns a member of a flag; nil if there is none.
  ///
  /// - Throws: An error if there is no such flag, or the value cannot be represented.
  func value(of name: String, in key: String) throws(FlagError) -> FlagValue? {
    let editor = try JSONEditor(source(of: key))
    guard let range = editor.range(of: DocumentPath.root.appending(name)) else { return nil }
    return try Self.value(editor.text[range], at: Self.flags.appending(key).appending(name))
  }

  private static func value(_ text: ArraySlice<UInt8>, at path: DocumentPath) throws(FlagError) -> FlagValue {
    do throws(JSONError) {
      return try FlagValue(json: text)
    } catch {
      throw FlagError(.general, "\(path): \(error)")
    }
  }

  /// The document's shared rules by name; empty if there are none.
  var evaluators: [String: FlagValue] {
    get throws(FlagError) {
      let editor = try JSONEditor(text)
      guard let range = editor.range(of: EvaluatorIndex.path) else { return [:] }
      return try Self.value(text[range], at: EvaluatorIndex.path).fields ?? [:]
    }
  }

  /// Changes the text of a flag by an editor, whose root is the flag.
  mutating func edit(_ key: String, _ body: (inout JSONEditor) throws(FlagError) -> Void) throws(FlagError) {
    var editor = try JSONEditor(source(of: key))
    guard let range = try range(of: key) else { return }
    try body(&editor)
    text.replaceSubrange(range, with: editor.text)
    known = (key, range.lowerBound..<range.lowerBound + editor.text.count)
  }

  /// Sets a member of a flag; a new member comes first.
  ///
  /// - Parameters:
  ///   - name: The member's name.
  ///   - json: The value as it is written, with the indentation of its lines.
  ///   - key: The flag's key.
  /// - Throws: An error if there is no such flag.
  package mutating func setMember(_ name: String, _ json: String, of key: String) throws(FlagError) {
    try edit(key) { editor throws(FlagError) in
      guard let range = editor.range(of: DocumentPath.root.appending(name)) else {
        return try editor.insertMember(name, json, after: nil, in: .root)
      }
      var text = editor.text
      text.replaceSubrange(range, with: json.utf8)
      editor = try JSONEditor(text)
    }
  }

  mutating func setMetadata(_ name: String, _ value: FlagValue?, of key: String) throws(FlagError) {
    let old = try self.value(of: "metadata", in: key)?.fields?.member(name)
    if let old, let value, old.isIdentical(to: value) { return }
    if old == nil, value == nil { return }
    let metadata = DocumentPath.root.appending("metadata")
    let json = try value.map { value throws(FlagError) in try value.jsonString() }
    try edit(key) { editor throws(FlagError) in
      guard let json else {
        try editor.remove(metadata.appending(name))
        if editor.names(in: metadata).isEmpty { try editor.remove(metadata) }
        return
      }
      if editor.range(of: metadata) == nil {
        try editor.setMember("metadata", "{\(name.jsonLiteral): \(json)}", in: .root)
      } else {
        try editor.setMember(name, json, in: metadata)
      }
    }
  }

  mutating func retire(_ key: String, gone day: CalendarDay) throws(FlagError) {
    try edit(key) { editor throws(FlagError) in try editor.setMember("state", "\"DISABLED\"", in: .root) }
    try setMetadata(FlagMetadataName.retired, true, of: key)
    try setMetadata(FlagMetadataName.gone, .string("\(day)"), of: key)
  }

  // MARK: - All flags

  mutating func make(_ flag: NewFlag) throws(FlagError) {
    var editor = try JSONEditor(text)
    try Self.checkNew(flag.key, in: editor)
    let isOnLines = text.contains(UInt8(ascii: "\n"))
    let json = try flag.json(isOnLines: isOnLines)
    if isOnLines, editor.source(of: Self.flags) == "{}" {
      let member = "\(flag.key.jsonLiteral): \(json)".replacing("\n", with: "\n  ")
      try editor.replace(Self.flags, with: "{\n  \(member)\n}")
    } else {
      try editor.setMember(flag.key, json, in: Self.flags)
    }
    take(editor)
  }

  mutating func copy(_ key: String, to copy: String) throws(FlagError) {
    let source = String(decoding: try source(of: key), as: UTF8.self).unindented
    var editor = try JSONEditor(text)
    try Self.checkNew(copy, in: editor)
    try editor.insertMember(copy, source, after: key, in: Self.flags)
    take(editor)
  }

  mutating func rename(_ key: String, to name: String) throws(FlagError) {
    _ = try source(of: key)
    if key.isIdentical(to: name) { return }
    var editor = try JSONEditor(text)
    try Self.checkNew(name, in: editor, besides: key)
    try editor.renameMember(Self.flags.appending(key), to: name)
    take(editor)
    try checkAbsent(key)
  }

  /// Deletes a flag, which may be malformed.
  mutating func delete(_ key: String) throws(FlagError) {
    guard try range(of: key) != nil else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.excerpt)”")
    }
    var editor = try JSONEditor(text)
    try editor.remove(Self.flags.appending(key))
    take(editor)
    try checkAbsent(key)
  }

  private mutating func take(_ editor: JSONEditor) { (text, known) = (editor.text, nil) }

  /// Checks that a key is valid and new; a key that only looks like another one's is refused, too.
  private static func checkNew(
    _ key: String, in editor: JSONEditor, besides old: String? = nil
  ) throws(FlagError) {
    guard FlagKey.isValid(key) else {
      let found = key.isEmpty ? "nothing" : key.utf8.count > FlagKey.maximumLength ? "a longer one" : key.quoted
      throw FlagError(
        .general,
        "expected a key of 1 to \(FlagKey.maximumLength) bytes without white space and control characters, "
          + "found \(found)")
    }
    // Strings are equal if they look the same, whatever their code points are.
    let others = editor.names(in: flags).filter { name in name == key && old?.isIdentical(to: name) != true }
    guard let other = others.first(where: key.isIdentical) ?? others.first else { return }
    let reason =
      other.isIdentical(to: key)
      ? "which a flag has already" : "which looks like the key of another flag, and has other code points"
    throw FlagError(.general, "expected a new key, found \(key.quoted), \(reason)")
  }

  /// Checks that no second flag of a key comes to light, which the first one hid.
  private func checkAbsent(_ key: String) throws(FlagError) {
    guard try range(of: key) != nil else { return }
    throw FlagError(.general, "expected one flag with the key \(key.quoted), found several; remove the others by hand")
  }
}
