extension Collection<String> {
  /// Returns the name that is closest to a wrong one, the first of equally close ones; nil if no name is close.
  ///
  /// A name is close if it begins with the wrong name, or differs from it in at most two bytes and at most a third of
  /// them. Case is ignored. Among more than 64 names none is close, so that checking many of them stays linear.
  package func closest(to name: String) -> String? {
    let wrong = folded(name)
    guard count <= 64, (1...maximumLength).contains(wrong.count) else { return nil }
    var closest: (name: String, distance: Int)?
    for candidate in sorted() {
      let bytes = folded(candidate)
      guard bytes.count <= maximumLength, let distance = separation(wrong, bytes), distance < closest?.distance ?? .max
      else { continue }
      closest = (candidate, distance)
    }
    return closest?.name
  }
}

/// The length of the longest name that is close to another, in bytes.
private let maximumLength = 40

/// Returns a name's bytes in lowercase, truncated one byte after the maximum length.
private func folded(_ name: String) -> [UInt8] {
  name.utf8.prefix(maximumLength + 1).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

/// Returns the distance of a name from the wrong one, or nil if it is not close.
private func separation(_ wrong: [UInt8], _ candidate: [UInt8]) -> Int? {
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
private func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
