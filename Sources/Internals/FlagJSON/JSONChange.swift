package import FlagDomain

/// A JSON text that is changed to have another value; everything else stays as it is written.
package enum JSONChange {
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
    try difference.compare(range, old, new, Style(layout: layout))
    while let (container, old, new) = difference.rest.popLast() {
      try difference.compareParts(of: container, old, new)
    }
    return difference.changedText
  }

  /// The edits that change the text of one value to that of another.
  private struct Difference {
    let text: [UInt8]
    let layout: JSONLayout
    /// The offsets that are replaced, which do not overlap, and the bytes to put there.
    private var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    /// The parts that are left to compare.
    var rest: [(container: JSONContainer, old: FlagValue, new: FlagValue)] = []

    init(text: [UInt8], layout: JSONLayout) { (self.text, self.layout) = (text, layout) }

    /// Compares the parts of two values later; if too little of the old one stays, replaces it now.
    mutating func compare(
      _ range: Range<Int>, _ old: FlagValue, _ new: FlagValue, _ style: Style
    ) throws(FlagError) {
      if old.isIdentical(to: new) { return }
      if old.sharesPlaces(with: new), let container = JSONContainer(in: range, of: text) {
        rest.append((container, old, new))
      } else {
        edits.append((range, try style.written(new)))
      }
    }

    mutating func compareParts(
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
        try compare(parts[index].value, before, after, style)
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
    private(set) var separator: [UInt8] = []
    private var indentation: ArraySlice<UInt8> = []
    private let layout: JSONLayout

    init(layout: JSONLayout) { self.layout = layout }

    init(of container: JSONContainer, in text: [UInt8], _ layout: JSONLayout) {
      separator = container.separator(around: container.parts.count, in: text)
      indentation = separator.lastLine
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
      fields.inOrder.map { (.member($0.key), $0.value) }
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
  /// The bytes after the last line feed; all of them if there is none.
  package var lastLine: ArraySlice<UInt8> { self[(lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...] }

  fileprivate var trimmingLineFeed: ArraySlice<UInt8> { last == UInt8(ascii: "\n") ? dropLast() : self[...] }
}

extension String {
  /// Returns the text with an indentation after each line feed.
  package func indented(by indentation: some Sequence<UInt8>) -> [UInt8] {
    let indentation = Array(indentation)
    return utf8.reduce(into: []) { bytes, byte in
      bytes.append(byte)
      if byte == UInt8(ascii: "\n") { bytes += indentation }
    }
  }
}
