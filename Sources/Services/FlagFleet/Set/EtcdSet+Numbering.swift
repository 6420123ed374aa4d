extension EtcdSet {
  /// Returns the number of the next revision: above all that can be read, and taken by no key.
  ///
  /// - Parameters:
  ///   - reading: The head.
  ///   - last: The last entry of the history; nil if the history is empty.
  /// - Returns: The number, which may be beyond those that revisions can have.
  /// - Throws: The reason why the history cannot be read.
  func nextNumber(after reading: Reading, _ last: EtcdEntry?) async throws(EtcdError) -> Int {
    var base = reading.named.map(\.number).max() ?? 0
    guard let last else { return base + 1 }
    if case .success(let newest) = revision(last) { return max(base, newest.number) + 1 }
    // Someone has written an entry that cannot be read: it blocks neither the numbers below it nor those above.
    var query = keys.numbered
    query.isDescending = true
    try await client.visit(query) { entries in
      for case .success(let newest) in entries.map({ revision($0) }) {
        base = max(base, newest.number)
        return false
      }
      return true
    }
    return try await firstFreeNumber(from: base + 1)
  }

  private func firstFreeNumber(from start: Int) async throws(EtcdError) -> Int {
    var query = keys.numbered(from: start)
    query.isKeysOnly = true
    var free = start
    try await client.visit(query) { entries in
      for entry in entries {
        guard let number = keys.number(of: entry.key) else { continue }
        guard number == free else { return false }
        free += 1
      }
      return true
    }
    return free
  }
}
