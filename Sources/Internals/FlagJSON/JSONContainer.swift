/// An object or array in a text, and the offsets of its members or elements.
package struct JSONContainer {
  /// A member with its name, or an element.
  package struct Part {
    /// A member's name; nil for an element, and for a name that cannot be represented.
    package let name: String?
    /// The offsets of a member's name with its quotation marks.
    package let nameRange: Range<Int>?
    package let value: Range<Int>

    package var start: Int { nameRange?.lowerBound ?? value.lowerBound }
  }

  package let kind: JSONKind
  package let range: Range<Int>
  package private(set) var parts: [Part] = []

  /// Finds the object or array at a path; nil if there is none.
  package init?(at path: DocumentPath, in text: [UInt8]) {
    guard let range = Self.valueRange(of: path.steps, in: text) else { return nil }
    self.init(in: range, of: text)
  }

  /// Finds the parts of the object or array with these offsets; nil if the value there is neither.
  package init?(in range: Range<Int>, of text: [UInt8]) {
    guard let kind = JSONKind(text[range.lowerBound]), kind == .object || kind == .array else { return nil }
    (self.kind, self.range) = (kind, range)
    parts = Self.parts(of: text[range], kind).map { part in
      func moved(_ inner: Range<Int>) -> Range<Int> {
        inner.lowerBound + range.lowerBound..<inner.upperBound + range.lowerBound
      }
      return Part(name: part.name, nameRange: part.nameRange.map(moved), value: moved(part.value))
    }
  }

  /// Returns the offsets of the outermost value.
  package static func valueRange(in text: some Collection<UInt8>) -> Range<Int>? { valueRange(of: [], in: text) }

  package func index(of step: DocumentPath.Step) -> Int? {
    switch step {
    case .member(let name): parts.lastIndex { $0.name?.utf8.elementsEqual(name.utf8) == true }
    case .element(let index): kind == .array && parts.indices.contains(index) ? index : nil
    }
  }

  /// Returns the comma and the white space between parts, next to an index, as they are written there.
  package func separator(around index: Int, in text: [UInt8]) -> [UInt8] {
    guard let first = parts.first else { return [] }
    if parts.count > 1 {
      let after = min(max(index, 1), parts.count - 1)
      return Array(text[parts[after - 1].value.upperBound..<parts[after].start])
    }
    let margin = text[range.lowerBound + 1..<first.start]
    if margin.contains(UInt8(ascii: "\n")) { return [UInt8(ascii: ",")] + margin }
    let isTight = first.nameRange.map {
      text[$0.upperBound] == UInt8(ascii: ":") && $0.upperBound + 1 == first.value.lowerBound
    }
    return Array((isTight == true ? "," : ", ").utf8)
  }

  private static func valueRange(of steps: [DocumentPath.Step], in text: some Collection<UInt8>) -> Range<Int>? {
    var range: Range<Int>?
    do throws(JSONError) {
      range = try JSONReader.read(text, depth: .max) { reader throws(JSONError) in
        for step in steps where try !reader.enter(step) { return nil }
        return try reader.skipValue()
      }
    } catch {
      return nil
    }
    return range
  }

  private static func parts(of text: ArraySlice<UInt8>, _ kind: JSONKind) -> [Part] {
    var parts: [Part] = []
    do throws(JSONError) {
      try JSONReader.read(text, depth: .max) { reader throws(JSONError) in
        if kind == .array {
          try reader.enterArray()
          while try reader.nextElement() {
            parts.append(Part(name: nil, nameRange: nil, value: try reader.skipValue()))
          }
        } else {
          try reader.enterObject()
          while let name = try reader.nextName() {
            let start = reader.nameOffset ?? 0
            let value = try reader.skipValue()
            let bytes = text[text.startIndex + start..<text.startIndex + value.lowerBound]
            let end = bytes.lastIndex(of: UInt8(ascii: "\"")) ?? bytes.startIndex
            parts.append(Part(name: name, nameRange: start..<end + 1 - text.startIndex, value: value))
          }
        }
      }
    } catch {
      return parts
    }
    return parts
  }
}

extension JSONReader {
  /// Moves to the next member, and returns its name: an inner nil if it cannot be represented, an outer one at the end.
  fileprivate mutating func nextName() throws(JSONError) -> String?? {
    do throws(JSONError) {
      return try nextMember().map(Optional.some)
    } catch {
      guard error.code == .range else { throw error }
      return .some(nil)
    }
  }

  /// Enters the next value, and moves to the value of a step; returns whether there is one.
  fileprivate mutating func enter(_ step: DocumentPath.Step) throws(JSONError) -> Bool {
    switch step {
    case .element(let index):
      guard kind == .array else { return false }
      try enterArray()
      for _ in 0...index where try !nextElement() { return false }
      return true
    case .member(let name):
      guard kind == .object else { return false }
      try enterObject()
      var found: Mark?
      while let member = try nextName() {
        if member?.utf8.elementsEqual(name.utf8) == true { found = mark }
      }
      if let found { reset(to: found) }
      return found != nil
    }
  }
}
