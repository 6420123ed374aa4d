import FlagDefinitions

/// Names that mean something, among which the one is found that was probably meant where another is written.
struct KnownNames {
  private let names: Set<String>
  /// The names that are near enough to be compared, and their bytes in lower case.
  private let candidates: [(name: String, bytes: [UInt8])]

  private static let maximumLength = 40
  /// The most names that one is compared with: among more, none is looked for, so that checking stays linear.
  private static let maximumCandidates = 64

  init(_ names: some Collection<String>) {
    self.names = Set(names)
    candidates =
      names.count > Self.maximumCandidates
      ? [] : names.sorted().map { ($0, Self.folded($0)) }.filter { $0.1.count <= Self.maximumLength }
  }
}

extension KnownNames {
  var isEmpty: Bool { names.isEmpty }

  /// Returns whether a name is among these, code point by code point.
  func contains(_ name: String) -> Bool {
    // Swift takes for equal what looks the same, however it is made up.
    names.firstIndex(of: name).map { names[$0].utf8.elementsEqual(name.utf8) } ?? false
  }

  func subtracting(_ others: Set<String>) -> [String] { names.subtracting(others).sorted() }

  /// Returns a question such as `: did you mean "on"?`, or an empty text where no name is near.
  func question(_ name: String) -> String { closest(to: name).map { ": did you mean \($0.quoted)?" } ?? "" }

  /// Returns the name that is nearest to a wrong one, the first of several; nil where none is near.
  ///
  /// Near is what begins with the wrong name, and what differs in at most two bytes and at most a third of them. Upper
  /// and lower case count as one.
  func closest(to name: String) -> String? {
    let wrong = Self.folded(name)
    guard (1...Self.maximumLength).contains(wrong.count) else { return nil }
    var closest: (name: String, distance: Int)?
    for candidate in candidates {
      guard let distance = Self.distance(wrong, candidate.bytes), distance < closest?.distance ?? .max else { continue }
      closest = (candidate.name, distance)
    }
    return closest?.name
  }
}

extension KnownNames {
  /// A name's bytes in lower case, no more of them than tell that it is too long.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.prefix(maximumLength + 1).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Returns how far a name is from the wrong one, or nil where they have little in common.
  private static func distance(_ wrong: [UInt8], _ candidate: [UInt8]) -> Int? {
    let limit = min(2, max(wrong.count, candidate.count) / 3)
    if abs(wrong.count - candidate.count) <= limit {
      let edits = limit == 0 ? (wrong == candidate ? 0 : 1) : edits(wrong, candidate)
      if edits <= limit { return edits }
    }
    return wrong.count >= 3 && candidate.starts(with: wrong) ? limit + 1 : nil
  }

  /// Counts the bytes to insert, remove, replace, or swap with the next one, until two names are equal.
  ///
  /// This is the optimal string alignment distance: Levenshtein's, with swaps of neighbours, after Damerau.
  private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for (column, other) in right.enumerated() {
        var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (byte == other ? 0 : 1))
        if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
