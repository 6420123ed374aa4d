/// The attribute that an experiment counts by, and examples of the ids of exposures and conversions.
package struct UnitExamples: Hashable, Sendable, Encodable {
  /// The name of the attribute that exposures name; nil if it is unknown.
  package var attribute: String?
  /// The first ids that were exposed.
  package var exposed: [String] = []
  /// The first ids that conversions belong to.
  package var converted: [String] = []
}

/// The first few of many texts, in the order of their bytes, whatever the order in which they come.
struct FirstTexts {
  private static let count = 3
  private(set) var texts: [String] = []

  mutating func add(_ text: String) {
    func isOrdered(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
    if texts.count == Self.count, !isOrdered(text, texts[Self.count - 1]) { return }
    guard !texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { return }
    texts.insert(text, at: texts.firstIndex { isOrdered(text, $0) } ?? texts.count)
    if texts.count > Self.count { texts.removeLast() }
  }
}
