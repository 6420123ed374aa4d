package import FlagDomain
package import FlagJSON

/// A JSON text in which single values are replaced, inserted and removed, and everything else stays as it is written.
///
/// Inserted values are laid out like their neighbours: on one line, or on lines with the same indentation. Each edit
/// takes time proportional to the text. If several members of an object have one name, the last one is meant.
package struct JSONEditor: Sendable {
  /// The text in UTF-8.
  package private(set) var text: [UInt8]

  /// Creates an editor of a text.
  ///
  /// - Throws: A parse error with line and column if the text is not JSON.
  package init(_ text: [UInt8]) throws(FlagError) {
    do throws(JSONError) {
      try JSONReader.read(text) { reader throws(JSONError) in try reader.finish() }
    } catch {
      throw FlagError(error, in: text)
    }
    self.text = text
  }

  // MARK: - Reading

  /// Returns the offsets of a value's bytes; nil if the path leads to nothing.
  package func range(of path: DocumentPath) -> Range<Int>? {
    guard let last = path.last else { return JSONContainer.valueRange(in: text) }
    let container = JSONContainer(at: path.prefix(path.count - 1), in: text)
    return container?.index(of: last.step).flatMap { container?.parts[$0].value }
  }

  /// Returns a value as it is written; nil if the path leads to nothing.
  package func source(of path: DocumentPath) -> String? {
    range(of: path).map { String(decoding: text[$0], as: UTF8.self) }
  }

  /// Returns the offset after a value that begins at an offset; nil if none does.
  package static func end(ofValueAt start: Int, in text: [UInt8]) -> Int? {
    JSONContainer.valueRange(in: text[start...]).map { start + $0.upperBound }
  }

  /// Returns the names of an object's members in the order of the text; empty if the path leads to no object.
  package func names(in object: DocumentPath) -> [String] {
    JSONContainer(at: object, in: text)?.parts.compactMap(\.name) ?? []
  }

  // MARK: - Editing

  /// Replaces a value.
  ///
  /// - Parameters:
  ///   - path: The path of the value.
  ///   - json: The new value's text; its further lines get the indentation of the line that the value begins in.
  /// - Throws: An error if the path leads to nothing.
  package mutating func replace(_ path: DocumentPath, with json: String) throws(FlagError) {
    guard let range = range(of: path) else { throw Self.missing(path) }
    replace([(range, json)])
  }

  /// Replaces the values at ranges that do not overlap, in one pass over the text.
  package mutating func replace(_ values: [(range: Range<Int>, json: String)]) {
    var (result, end, line): ([UInt8], Int, Int) = ([], 0, 0)
    for (range, json) in values.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      line = text[end..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? line
      result += text[end..<range.lowerBound] + json.indented(by: text[line..<range.lowerBound].prefix { $0.isBlank })
      end = range.upperBound
    }
    text = result + text[end...]
  }

  /// Inserts an element into an array.
  ///
  /// - Parameters:
  ///   - json: The element's text.
  ///   - index: The index that it will have, from zero to the number of elements.
  ///   - array: The path of the array.
  /// - Throws: An error if there is no such array, or if the index is beyond its end.
  package mutating func insert(_ json: String, at index: Int, in array: DocumentPath) throws(FlagError) {
    let container = try container(at: array, .array)
    guard (0...container.parts.count).contains(index) else { throw Self.missing(array.appending(index)) }
    insert(json, at: index, of: container)
  }

  /// Inserts a member into an object.
  ///
  /// - Parameters:
  ///   - name: The member's name.
  ///   - json: The value's text.
  ///   - predecessor: The name of the member that it follows; nil if it comes first.
  ///   - object: The path of the object.
  /// - Throws: An error if there is no such object or predecessor, or if the object has a member of that name.
  package mutating func insertMember(
    _ name: String, _ json: String, after predecessor: String?, in object: DocumentPath
  ) throws(FlagError) {
    let container = try container(at: object, .object)
    guard container.index(of: .member(name)) == nil else {
      throw FlagError(.general, "\(object.appending(name)): expected a new name, found one that is taken")
    }
    var index = 0
    if let predecessor {
      guard let found = container.index(of: .member(predecessor)) else {
        throw Self.missing(object.appending(predecessor))
      }
      index = found + 1
    }
    insert("\(name.jsonLiteral): \(json)", at: index, of: container)
  }

  /// Replaces a member's value, or appends the member if the object has none of that name.
  ///
  /// - Throws: An error if there is no such object.
  package mutating func setMember(_ name: String, _ json: String, in object: DocumentPath) throws(FlagError) {
    let container = try container(at: object, .object)
    if container.index(of: .member(name)) != nil { return try replace(object.appending(name), with: json) }
    insert("\(name.jsonLiteral): \(json)", at: container.parts.count, of: container)
  }

  /// Removes an element, or a member with its name, and one comma.
  ///
  /// - Throws: An error if the path leads to nothing, or to the whole text.
  package mutating func remove(_ path: DocumentPath) throws(FlagError) {
    guard let last = path.last, let container = JSONContainer(at: path.prefix(path.count - 1), in: text),
      let index = container.index(of: last.step)
    else { throw Self.missing(path) }
    text.removeSubrange(container.removal(of: index))
  }

  /// Gives a member another name; its value and its place stay.
  ///
  /// - Throws: An error if the path does not lead to a member, or if the object has a member of the new name.
  package mutating func renameMember(_ path: DocumentPath, to name: String) throws(FlagError) {
    guard let last = path.last, let container = JSONContainer(at: path.prefix(path.count - 1), in: text),
      let index = container.index(of: last.step), let old = container.parts[index].nameRange
    else { throw Self.missing(path) }
    guard container.index(of: .member(name)) == nil else {
      throw FlagError(.general, "\(path): expected a new name, found “\(name.excerpt)”, which is taken")
    }
    text.replaceSubrange(old, with: name.jsonLiteral.utf8)
  }

  private mutating func insert(_ json: String, at index: Int, of container: JSONContainer) {
    let separator = container.separator(around: index, in: text)
    let indentation = separator.lastLine
    let isOnLines = separator.contains(UInt8(ascii: "\n"))
    let item = json.indented(by: isOnLines ? indentation : [])
    if container.parts.isEmpty {
      text.insert(contentsOf: item, at: container.range.lowerBound + 1)
    } else if index < container.parts.count {
      text.insert(contentsOf: item + separator, at: container.parts[index].start)
    } else {
      text.insert(contentsOf: separator + item, at: container.parts[index - 1].value.upperBound)
    }
  }

  private func container(at path: DocumentPath, _ kind: JSONKind) throws(FlagError) -> JSONContainer {
    guard let container = JSONContainer(at: path, in: text), container.kind == kind else {
      throw FlagError(.general, "\(path): expected \(kind)")
    }
    return container
  }

  private static func missing(_ path: DocumentPath) -> FlagError {
    FlagError(.general, "\(path): expected a value, found none")
  }
}

extension JSONContainer {
  /// Finds the object or array at a path; nil if there is none.
  fileprivate init?(at path: DocumentPath, in text: [UInt8]) {
    guard var range = Self.valueRange(in: text) else { return nil }
    for step in path.steps {
      guard let container = Self(in: range, of: text), let index = container.index(of: step) else { return nil }
      range = container.parts[index].value
    }
    self.init(in: range, of: text)
  }

  fileprivate func index(of step: DocumentPath.Step) -> Int? {
    switch step {
    case .member(let name): parts.lastIndex { $0.name?.utf8.elementsEqual(name.utf8) == true }
    case .element(let index): kind == .array && parts.indices.contains(index) ? index : nil
    }
  }

  /// Returns the offsets to remove with a part: one comma, and the white space that separates it from its neighbour.
  fileprivate func removal(of index: Int) -> Range<Int> {
    if parts.count == 1 { return range.lowerBound + 1..<range.upperBound - 1 }
    if index + 1 < parts.count { return parts[index].start..<parts[index + 1].start }
    return parts[index - 1].value.upperBound..<parts[index].value.upperBound
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
