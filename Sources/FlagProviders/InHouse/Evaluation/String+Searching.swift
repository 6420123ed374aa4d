extension String {
  /// Returns whether a text stands anywhere in this one, code unit by code unit.
  ///
  /// The search is that of Knuth, Morris and Pratt: its time grows with the sum of both lengths, whatever the texts.
  func hasPart(_ part: String) -> Bool {
    let part = Array(part.utf8)
    guard !part.isEmpty else { return true }
    guard part.count <= utf8.count else { return false }
    let fallbacks = Self.fallbacks(in: part)
    var matched = 0
    for byte in utf8 {
      while matched > 0, part[matched] != byte { matched = fallbacks[matched - 1] }
      if part[matched] == byte { matched += 1 }
      if matched == part.count { return true }
    }
    return false
  }

  /// For each length of a match, the length of the next shorter one that may still go on.
  private static func fallbacks(in part: [UInt8]) -> [Int] {
    var fallbacks = [0]
    fallbacks.reserveCapacity(part.count)
    for byte in part.dropFirst() {
      var matched = fallbacks[fallbacks.count - 1]
      while matched > 0, part[matched] != byte { matched = fallbacks[matched - 1] }
      fallbacks.append(part[matched] == byte ? matched + 1 : 0)
    }
    return fallbacks
  }
}
