import FlagDomain

/// A set of known names, which suggests the closest one for a misspelled name.
package struct KnownNames {
  private let names: Set<String>
  /// The names that are compared with a misspelled one, and their bytes in lowercase.
  private let candidates: [(name: String, bytes: [UInt8])]

  private static let maximumLength = 40
  /// The maximum number of names to compare with; if there are more, nothing is suggested, so that checking stays
  /// linear.
  private static let maximumCandidates = 64

  package init(_ names: some Collection<String>) {
    self.names = Set(names)
    candidates =
      names.count > Self.maximumCandidates
      ? [] : names.sorted().map { ($0, Self.folded($0)) }.filter { $0.1.count <= Self.maximumLength }
  }

  package var isEmpty: Bool { names.isEmpty }

  /// Returns whether a name is in the set, compared by code units.
  package func contains(_ name: String) -> Bool {
    // Swift compares strings by canonical equivalence, so equal strings can have different code units.
    names.firstIndex(of: name).map { names[$0].utf8.elementsEqual(name.utf8) } ?? false
  }

  package func subtracting(_ others: Set<String>) -> [String] { names.subtracting(others).sorted() }

  /// Returns a question such as `: did you mean "on"?`, or an empty string if no name is close.
  package func question(_ name: String) -> String {
    closest(to: name).map { ": did you mean \(FlagValue.string($0))?" } ?? ""
  }

  /// Returns the name that is closest to a wrong one, the first of equally close ones; nil if no name is close.
  ///
  /// A name is close if it begins with the wrong name, or differs from it in at most two bytes and at most a third of
  /// them. Case is ignored.
  package func closest(to name: String) -> String? {
    let wrong = Self.folded(name)
    guard (1...Self.maximumLength).contains(wrong.count) else { return nil }
    var closest: (name: String, distance: Int)?
    for candidate in candidates {
      guard let distance = Self.distance(wrong, candidate.bytes), distance < closest?.distance ?? .max else { continue }
      closest = (candidate.name, distance)
    }
    return closest?.name
  }

  /// Returns a name's bytes in lowercase, truncated one byte after the maximum length.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.prefix(maximumLength + 1).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Returns the distance of a name from the wrong one, or nil if it is not close.
  private static func distance(_ wrong: [UInt8], _ candidate: [UInt8]) -> Int? {
    let limit = min(2, max(wrong.count, candidate.count) / 3)
    if abs(wrong.count - candidate.count) <= limit {
      let edits = limit == 0 ? (wrong == candidate ? 0 : 1) : edits(wrong, candidate)
      if edits <= limit { return edits }
    }
    return wrong.count >= 3 && candidate.starts(with: wrong) ? limit + 1 : nil
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighboring bytes that make two names
  /// equal.
  ///
  /// This is the optimal string alignment distance: Levenshtein's, with Damerau's transpositions.
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
