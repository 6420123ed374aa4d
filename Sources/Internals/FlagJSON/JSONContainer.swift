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

  /// Finds the parts of the object or array with these offsets; nil if the value there is neither.
  package init?(in range: Range<Int>, of text: [UInt8]) {
    guard let kind = JSONKind(text[range.lowerBound]), kind == .object || kind == .array else { return nil }
    (self.kind, self.range) = (kind, range)
    do throws(JSONError) {
      try JSONReader.read(text[range], depth: .max) { reader throws(JSONError) in try readParts(&reader, text) }
    } catch {
      // The parts before the error count.
    }
  }

  private mutating func readParts(_ reader: inout JSONReader, _ text: [UInt8]) throws(JSONError) {
    if kind == .array {
      try reader.enterArray()
      while try reader.nextElement() {
        parts.append(Part(name: nil, nameRange: nil, value: try reader.skipValue().moved(by: range.lowerBound)))
      }
    } else {
      try reader.enterObject()
      while let name = try reader.nextName() {
        let start = range.lowerBound + (reader.nameOffset ?? 0)
        let value = try reader.skipValue().moved(by: range.lowerBound)
        let end = text[start..<value.lowerBound].lastIndex(of: UInt8(ascii: "\"")) ?? start
        parts.append(Part(name: name, nameRange: start..<end + 1, value: value))
      }
    }
  }

  /// Returns the offsets of the outermost value; nil if the text has none.
  package static func valueRange(in text: some Collection<UInt8>) -> Range<Int>? {
    do throws(JSONError) {
      return try JSONReader.read(text, depth: .max) { reader throws(JSONError) in try reader.skipValue() }
    } catch {
      return nil
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
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Self { lowerBound + distance..<upperBound + distance }
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
}
