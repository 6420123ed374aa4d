package import FlagDomain

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
    let indentation = separator.suffix(while: { $0 != UInt8(ascii: "\n") })
    let isOnLines = separator.contains(UInt8(ascii: "\n"))
    let item = json.indented(by: isOnLines ? indentation[...] : [])
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

  // MARK: - Changing

  /// Returns a text in which those parts are replaced, inserted and removed in which two values differ.
  ///
  /// A new member comes before the first one with a later name. The time is proportional to the text and the new value,
  /// for each level of arrays and objects on the way to the deepest part that differs.
  ///
  /// - Parameters:
  ///   - text: The text in UTF-8.
  ///   - old: The value of the text.
  ///   - new: The value that the text shall have.
  ///   - layout: The layout of a whole text. A new part is on several lines if its neighbours and the layout are.
  /// - Returns: The changed text.
  /// - Throws: A type mismatch if JSON cannot hold the new value.
  package static func text(
    _ text: [UInt8], changedFrom old: FlagValue, to new: FlagValue, layout: JSONLayout
  ) throws(FlagError) -> [UInt8] {
    guard let range = JSONContainer.valueRange(in: text) else { return try new.json(layout) }
    var difference = Difference(text: text, layout: layout)
    try difference.collect(in: range, from: old, to: new)
    return difference.changedText
  }

  /// The edits that change the text of one value to that of another.
  private struct Difference {
    let text: [UInt8]
    let layout: JSONLayout
    /// The offsets that are replaced, which do not overlap, and the bytes to put there.
    private var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    /// The parts that are left to compare.
    private var rest: [(container: JSONContainer, old: FlagValue, new: FlagValue)] = []

    init(text: [UInt8], layout: JSONLayout) { (self.text, self.layout) = (text, layout) }

    mutating func collect(in range: Range<Int>, from old: FlagValue, to new: FlagValue) throws(FlagError) {
      try compare(range, old, new) { difference throws(FlagError) in
        Array(try new.json(difference.layout).trimmingLineFeed)
      }
      while let (container, old, new) = rest.popLast() { try compareParts(of: container, old, new) }
    }

    /// Compares the parts of two values later; if too little of the old one stays, replaces it now.
    private mutating func compare(
      _ range: Range<Int>, _ old: FlagValue, _ new: FlagValue, writing write: (Self) throws(FlagError) -> [UInt8]
    ) throws(FlagError) {
      if old.isIdentical(to: new) { return }
      if old.sharesPlaces(with: new), let container = JSONContainer(in: range, of: text) {
        rest.append((container, old, new))
      } else {
        edits.append((range, try write(self)))
      }
    }

    private mutating func compareParts(
      of container: JSONContainer, _ old: FlagValue, _ new: FlagValue
    ) throws(FlagError) {
      let parts = container.parts
      let steps = parts.indices.map { parts[$0].name.map(DocumentPath.Step.member) ?? .element($0) }
      let last = Dictionary(zip(steps, parts.indices)) { $1 }
      let kept = parts.indices.filter { new[steps[$0]] != nil }
      guard let end = kept.last else { return }
      let style = Style(of: container, in: text, layout)

      for index in kept where last[steps[index]] == index {
        guard let before = old[steps[index]], let after = new[steps[index]] else { continue }
        try compare(parts[index].value, before, after) { _ throws(FlagError) in try style.written(after) }
      }
      for index in parts.indices.prefix(end) where new[steps[index]] == nil {
        edits.append((parts[index].start..<parts[index + 1].start, []))
      }
      var (next, tail) = (kept.startIndex, [UInt8]())
      for (step, value) in new.places where old[step] == nil {
        while next < kept.endIndex, !step.isBefore(steps[kept[next]]) { next += 1 }
        let item = try step.prefix + style.written(value)
        if next < kept.endIndex {
          let start = parts[kept[next]].start
          edits.append((start..<start, item + style.separator))
        } else {
          tail += style.separator + item
        }
      }
      edits.append((parts[end].value.upperBound..<(parts.last?.value.upperBound ?? 0), tail))
    }

    var changedText: [UInt8] {
      var (changed, place) = ([UInt8](), 0)
      // Edits at one offset stay in their order.
      let inOrder = edits.enumerated().sorted {
        ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
      }
      for (range, bytes) in inOrder.map(\.element) {
        changed += text[place..<range.lowerBound] + bytes
        place = range.upperBound
      }
      return changed + text[place...]
    }
  }

  /// The way in which the parts of a container are written.
  private struct Style {
    let separator: [UInt8]
    private let indentation: ArraySlice<UInt8>
    private let layout: JSONLayout

    init(of container: JSONContainer, in text: [UInt8], _ layout: JSONLayout) {
      separator = container.separator(around: container.parts.count, in: text)
      indentation = separator.suffix { $0 != UInt8(ascii: "\n") }
      self.layout = layout == .indented && indentation.count < separator.count ? .indented : .compact
    }

    func written(_ value: FlagValue) throws(FlagError) -> [UInt8] {
      String(decoding: try value.json(layout).trimmingLineFeed, as: UTF8.self).indented(by: indentation)
    }
  }
}

extension FlagValue {
  fileprivate subscript(step: DocumentPath.Step) -> FlagValue? {
    switch (self, step) {
    case (.object(let fields), .member(let name)): fields[name]
    case (.array(let elements), .element(let index)): elements.indices.contains(index) ? .some(elements[index]) : .none
    default: nil
    }
  }

  /// The parts with the steps to them: elements in their order, members in that of their names.
  fileprivate var places: [(DocumentPath.Step, FlagValue)] {
    switch self {
    case .array(let elements): elements.enumerated().map { (.element($0.offset), $0.element) }
    case .object(let fields):
      fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { (.member($0.key), $0.value) }
    default: []
    }
  }

  /// Returns whether both values are arrays or both are objects, and a part of one has a counterpart in the other.
  fileprivate func sharesPlaces(with other: FlagValue) -> Bool {
    switch (self, other) {
    case (.array(let one), .array(let other)): !one.isEmpty && !other.isEmpty
    case (.object(let one), .object(let other)): one.keys.contains { other[$0] != nil }
    default: false
    }
  }
}

extension DocumentPath.Step {
  fileprivate func isBefore(_ other: DocumentPath.Step) -> Bool {
    switch (self, other) {
    case (.member(let name), .member(let other)): name.utf8.lexicographicallyPrecedes(other.utf8)
    case (.element(let index), .element(let other)): index < other
    default: false
    }
  }

  /// The bytes before a part's value: those of its name.
  fileprivate var prefix: [UInt8] {
    if case .member(let name) = self { Array("\(name.jsonLiteral): ".utf8) } else { [] }
  }
}

extension [UInt8] {
  fileprivate var trimmingLineFeed: ArraySlice<UInt8> { last == UInt8(ascii: "\n") ? dropLast() : self[...] }
}

extension String {
  fileprivate func indented(by indentation: some Sequence<UInt8>) -> [UInt8] {
    let indentation = Array(indentation)
    return utf8.reduce(into: []) { bytes, byte in
      bytes.append(byte)
      if byte == UInt8(ascii: "\n") { bytes += indentation }
    }
  }
}

extension BidirectionalCollection {
  /// Returns the last elements, from the end back to the first one that does not satisfy a condition.
  fileprivate func suffix(while predicate: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, predicate(self[index(before: start)]) { formIndex(before: &start) }
    return self[start...]
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
