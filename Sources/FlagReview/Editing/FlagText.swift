import FlagDefinitions
package import FlagDomain
package import FlagJSON

/// A document's text in which flags are found and edited.
package struct FlagText {
  /// The text's editor.
  package private(set) var editor: JSONEditor

  private static let flags = DocumentPath.root.appending("flags")

  /// Reads a document's text.
  ///
  /// - Throws: An error if it is not JSON with an object of flags.
  package init(_ text: [UInt8]) throws(FlagError) {
    editor = try JSONEditor(text)
    guard let range = editor.range(of: Self.flags), text[range.lowerBound] == UInt8(ascii: "{") else {
      throw FlagError(.parseError, "\(Self.flags): expected an object with the flags by their keys")
    }
  }

  /// The text in UTF-8.
  package var text: [UInt8] { editor.text }

  /// Returns the path of a flag.
  ///
  /// - Throws: `FLAG_NOT_FOUND`, or an error if the flag is not an object.
  package func path(of key: String) throws(FlagError) -> DocumentPath {
    let path = Self.flags.appending(key)
    guard let range = editor.range(of: path) else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.excerpt)”")
    }
    guard text[range.lowerBound] == UInt8(ascii: "{") else {
      throw FlagError(.general, "\(path): expected an object with a flag's \"state\" and \"variants\"")
    }
    return path
  }

  /// Returns the value at a path; nil if there is none.
  ///
  /// - Throws: An error if the value cannot be represented.
  func value(at path: DocumentPath) throws(FlagError) -> FlagValue? {
    guard let range = editor.range(of: path) else { return nil }
    do throws(JSONError) {
      return try FlagValue(json: text[range])
    } catch {
      throw FlagError(.general, "\(path): \(error)")
    }
  }

  /// Sets a member of a flag; a new member comes first.
  ///
  /// - Parameters:
  ///   - name: The member's name.
  ///   - json: The value as it is written, with the indentation of its lines.
  ///   - key: The flag's key.
  /// - Throws: An error if there is no such flag.
  package mutating func setMember(_ name: String, _ json: String, of key: String) throws(FlagError) {
    let path = try path(of: key)
    guard let range = editor.range(of: path.appending(name)) else {
      return try editor.insertMember(name, json, after: nil, in: path)
    }
    var text = text
    text.replaceSubrange(range, with: json.utf8)
    editor = try JSONEditor(text)
  }

  /// Changes the text by its editor.
  mutating func edit(_ body: (inout JSONEditor) throws(FlagError) -> Void) throws(FlagError) { try body(&editor) }
}

// MARK: - The life of a flag

extension FlagText {
  mutating func make(_ flag: NewFlag) throws(FlagError) {
    try checkNew(flag.key)
    let isOnLines = text.contains(UInt8(ascii: "\n"))
    let json = try flag.json(isOnLines: isOnLines)
    if isOnLines, editor.source(of: Self.flags) == "{}" {
      let member = "\(flag.key.jsonLiteral): \(json)".replacing("\n", with: "\n  ")
      return try editor.replace(Self.flags, with: "{\n  \(member)\n}")
    }
    try editor.setMember(flag.key, json, in: Self.flags)
  }

  mutating func copy(_ key: String, to copy: String) throws(FlagError) {
    let path = try path(of: key)
    try checkNew(copy)
    try editor.insertMember(copy, (editor.source(of: path) ?? "").unindented, after: key, in: Self.flags)
  }

  mutating func rename(_ key: String, to name: String) throws(FlagError) {
    let path = try path(of: key)
    if key.isIdentical(to: name) { return }
    try checkNew(name, besides: key)
    try editor.renameMember(path, to: name)
    try checkAbsent(key)
  }

  mutating func delete(_ key: String) throws(FlagError) {
    // A malformed flag can be deleted, too.
    let path = Self.flags.appending(key)
    guard editor.range(of: path) != nil else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.excerpt)”")
    }
    try editor.remove(path)
    try checkAbsent(key)
  }

  mutating func retire(_ key: String, gone day: CalendarDay) throws(FlagError) {
    try editor.setMember("state", "\"DISABLED\"", in: path(of: key))
    try setMetadata(FlagMetadataName.retired, true, of: key)
    try setMetadata(FlagMetadataName.gone, .string("\(day)"), of: key)
  }

  mutating func setMetadata(_ name: String, _ value: FlagValue?, of key: String) throws(FlagError) {
    let flag = try path(of: key)
    let path = flag.appending("metadata")
    if try self.value(at: path.appending(name)).map({ old in value.map(old.isIdentical) ?? false }) ?? (value == nil) {
      return
    }
    guard let value else {
      try editor.remove(path.appending(name))
      if editor.names(in: path).isEmpty { try editor.remove(path) }
      return
    }
    let json = try value.jsonString()
    if editor.range(of: path) == nil {
      try editor.setMember("metadata", "{\(name.jsonLiteral): \(json)}", in: flag)
    } else {
      try editor.setMember(name, json, in: path)
    }
  }
}

// MARK: - Keys

extension FlagText {
  /// Checks that a key is valid and new; a key that only looks like another one's is refused, too.
  private func checkNew(_ key: String, besides old: String? = nil) throws(FlagError) {
    guard FlagKey.isValid(key) else {
      let found = key.isEmpty ? "nothing" : key.utf8.count > FlagKey.maximumLength ? "a longer one" : key.quoted
      throw FlagError(
        .general,
        "expected a key of 1 to \(FlagKey.maximumLength) bytes without white space and control characters, "
          + "found \(found)")
    }
    // Strings are equal if they look the same, whatever their code points are.
    let others = editor.names(in: Self.flags).filter { name in name == key && old?.isIdentical(to: name) != true }
    guard let other = others.first(where: key.isIdentical) ?? others.first else { return }
    let reason =
      other.isIdentical(to: key)
      ? "which a flag has already" : "which looks like the key of another flag, and has other code points"
    throw FlagError(.general, "expected a new key, found \(key.quoted), \(reason)")
  }

  /// Checks that no second flag of a key comes to light, which the first one hid.
  private func checkAbsent(_ key: String) throws(FlagError) {
    guard editor.range(of: Self.flags.appending(key)) != nil else { return }
    throw FlagError(.general, "expected one flag with the key \(key.quoted), found several; remove the others by hand")
  }
}
